// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies and grids evaluated by several processes that mpirun has started: what the first one
// writes is what one process writes, byte for byte.
#include "tests/app/ranks_folder.h"
#include "tests/app/study_folder.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonObject>

using namespace gridhelm;
using namespace gridhelm::test;

class TestCliEvalRanks : public QObject, protected StudyFolder
{
    Q_OBJECT

private:
    Outcome runRanks(const QString &line) const { return runRanksIn(m_folder.path(), line); }

private slots:
    void initTestCase()
    {
        if (!QFile::exists(QString(paths::mpirun)))
            QSKIP("there is no mpirun, or the program was built without MPI");
        allowRanks();
        makeStudies();
        write("values.txt", "1\n2\n-3\n4.5\n5\n");
        write("two.csv", "width,x\n0.3,0.4\n0.5,0.6\n");
        QByteArray places;
        for (int i = 0; i < 11; ++i)
            places +=
                QByteArray::number(0.09 * i) + "," + QByteArray::number(0.05 * i + 0.3) + "\n";
        write("places.csv", places);
        write("product.csv", "0.1,0.2\n0.1,0.7\n0.4,0.2\n0.4,0.7\n0.9,0.2\n0.9,0.7\n");
    }

    void severalEvaluateAsOne_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("ranks");
        const auto add = [](const char *name, const QString &line, const QString &file) {
            for (const int ranks : {2, 3})
                QTest::addRow("%s by %d", name, ranks) << line << file << ranks;
        };
        const QString probes = "--probe 0.25,0.5,0 --probe 0.75,0.3,0 --indicator --csv v.csv";
        add("eval", "eval p.gridhelm --points rows.csv " + probes, "v.csv");
        add("eval of few points", "eval p.gridhelm --points two.csv " + probes, "v.csv");
        const QString grid =
            "grid interpolate --dim 2 --level 2 --values values.txt --output e.txt ";
        add("random points", grid + "--at places.csv", "e.txt");
        add("a product", grid + "--at product.csv --precision float", "e.txt");
        add("one point", grid + "--at one.csv", "e.txt");
    }

    void severalEvaluateAsOne()
    {
        QFETCH(const QString, line);
        QFETCH(const QString, file);
        QFETCH(const int, ranks);
        write("one.csv", "0.3,0.7\n");
        const auto one = runHere(line);
        QVERIFY2(one.exitCode == 0, one.err);
        const auto expected = bytesOf(file);
        QVERIFY(!expected.isEmpty());
        QVERIFY(QFile::remove(here(file)));
        const auto several = runRanks(QString("-n %1 CLI %2 --threads 1").arg(ranks).arg(line));
        QVERIFY2(several.exitCode == 0, several.err);
        QCOMPARE(several.err, one.err);
        QCOMPARE(bytesOf(file), expected);
    }

    void theJsonIsThatOfOne()
    {
        const QString line =
            "eval p.gridhelm --points rows.csv --probe 0.25,0.5,0 --json --threads 1";
        const auto one = jsonOf(runHere(line)), several = jsonOf(runRanks("-n 3 CLI " + line));
        QCOMPARE(several["points"].toArray().size(), 12);
        QCOMPARE(several["points"], one["points"]);
        const auto ranks = several["execution"].toObject()["ranks"].toArray();
        QCOMPARE(ranks.size(), 3);
        QCOMPARE(ranks[1].toObject()["begin"].toInt(), 4);
        QCOMPARE(ranks[2].toObject()["end"].toInt(), 12);
    }

    void whatCannotBeIsOneSentence_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QByteArray>("says");
        const auto add = [](const QString &line, const QByteArray &says) {
            QTest::newRow(qPrintable(line)) << line << says;
        };
        const QString eval = "eval p.gridhelm ";
        add(eval + "--at width=0.3,x=0.4", "--points");
        add(eval + "--points rows.csv --out-dir d", "--probe");
        add(eval + "--points rows.csv --out f.npz", "without mpirun");
        add(eval + "--points - --probe 0.5,0.5,0", "stdin");
        add(eval + "--points none.csv --probe 0.5,0.5,0", "none.csv");
        add(eval + "--points rows.csv --probe 0.5,0.5,0 --devices cpu/2", "--devices cpu/2");
        add("grid interpolate --dim 2 --level 2 --values values.txt --at -", "stdin");
        add("grid interpolate --dim 2 --level 2 --values rows.csv --at places.csv", "rows.csv");
        add("compress p.gridhelm", "start it without mpirun");
    }

    void whatCannotBeIsOneSentence()
    {
        QFETCH(const QString, line);
        QFETCH(const QByteArray, says);
        const auto before = listing();
        const auto outcome = runRanks("-n 2 CLI " + line);
        QVERIFY(outcome.exitCode != 0);
        QVERIFY(outcome.out.isEmpty());
        QCOMPARE(timesIn(outcome.err, "gridhelm-cli: "), 1);
        QVERIFY2(outcome.err.contains(says), outcome.err);
        QCOMPARE(listing(), before);
    }
};

GRIDHELM_TEST(TestCliEvalRanks)
#include "tst_cli_eval_ranks.moc"
