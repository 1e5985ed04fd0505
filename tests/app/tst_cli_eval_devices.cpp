// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies and grids evaluated on several devices, on the command line: the files are those of one,
// byte for byte.
#include "tests/app/study_folder.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonObject>

using namespace gridhelm;
using namespace gridhelm::test;

class TestCliEvalDevices : public QObject, protected StudyFolder
{
    Q_OBJECT

private slots:
    void initTestCase() { makeStudies(); }

    void severalEvaluateAsOne_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("devices");
        const auto add = [](const char *command, const QString &line, const QString &file) {
            for (const QString devices :
                 {"cpu/2", "cpu/3 --threads 5", "cpu/64", "cpu/2 --backend omp"})
                QTest::addRow("%s on %s", command, qPrintable(devices)) << line << file << devices;
        };
        add("eval", "eval p.gridhelm --at width=0.3,x=0.4 --indicator --out e.vti", "e.vti");
        add("eval of a scalar study", "eval s.gridhelm --at width=0.3 --out e.vti", "e.vti");
        add("export",
            "export p.gridhelm --along x --steps 3 --at width=0.3 --indicator --overwrite "
            "--out e.pvd",
            "e/e_0001.vti");
        add("render", "render p.gridhelm --at width=0.3,x=0.4 --out e.png", "e.png");
        add("grid interpolate",
            "grid interpolate --dim 2 --level 2 --values values.txt --at places.csv --output e.txt",
            "e.txt");
    }

    void severalEvaluateAsOne()
    {
        QFETCH(const QString, line);
        QFETCH(const QString, file);
        QFETCH(const QString, devices);
        write("values.txt", "1\n2\n-3\n4.5\n5\n");
        write("places.csv", "0.3,0.7\n0.1,0.9\n0.5,0.25\n1,0\n");
        const auto one = runHere(line);
        QVERIFY2(one.exitCode == 0, one.err);
        const auto expected = bytesOf(file);
        QVERIFY(!expected.isEmpty());
        QVERIFY(QFile::remove(here(file)));
        const auto several = runHere(line + " --devices " + devices);
        QVERIFY2(several.exitCode == 0, several.err);
        QCOMPARE(several.err, one.err);
        QCOMPARE(bytesOf(file), expected);
    }

    void theDevicesAreInTheJson()
    {
        const QString line = "eval p.gridhelm --at width=0.3,x=0.4 --json";
        const auto execution = jsonOf(runHere(line + " --devices cpu/2"))["execution"].toObject();
        QCOMPARE(execution["devices"].toArray(), (QJsonArray{"cpu.1/2", "cpu.2/2"}));
        QCOMPARE(execution["computed_on"].toArray(), QJsonArray{"cpu"});
        QVERIFY(execution["events"].toArray().isEmpty());
        QVERIFY(!jsonOf(runHere(line))["execution"].toObject().contains("devices"));
    }

    void whatCannotBeIsOneSentence_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        const auto add = [](const QString &line, const QString &says) {
            QTest::newRow(qPrintable(line)) << line << says;
        };
        const QString eval = "eval p.gridhelm --at width=0.3,x=0.4 ";
        add(eval + "--devices gpu:63,62", "GPU");
        add(eval + "--devices cpu/2 --backend cuda", "cuda cannot compute on cpu.1/2");
        add(eval + "--devices cpu/2 --backend reference", "choose omp or cuda");
        add(eval + "--devices cpu/2 --backend none", "none");
        add(eval + "--devices cpu+cpu", "between GPUs and the CPU");
        add("backends --devices cpu/2", "eval, export");
        add("bench team", "--devices cpu/2");
        add("bench team --devices cpu/2 --case 2/3,3/4", "--case");
    }

    void whatCannotBeIsOneSentence()
    {
        QFETCH(const QString, line);
        QFETCH(const QString, says);
        const auto before = listing();
        const auto outcome = runHere(line);
        QVERIFY2(isOneSentence(outcome, says), outcome.err);
        QCOMPARE(listing(), before);
    }

    void aTeamIsMeasuredBesideOne()
    {
        const auto document =
            jsonOf(runHere("bench team --devices cpu/3 --threads 3 --quick --json "
                           "--case 3/5 --points 1000 --side 9 --rows 7 "
                           "--columns 1003"));
        for (const char *name : {"interpolation", "cartesian", "combination", "hierarchization"}) {
            const auto row = document[name].toObject();
            QVERIFY(row["is_same"].toBool());
            QVERIFY(row["one"].toObject()["per_second"].toDouble() > 0);
            QVERIFY(row["team"].toObject()["per_second"].toDouble() > 0);
        }
        QCOMPARE(document["environment"].toObject()["devices"].toArray().size(), 3);
    }
};

GRIDHELM_TEST(TestCliEvalDevices)
#include "tst_cli_eval_devices.moc"
