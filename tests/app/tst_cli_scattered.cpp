// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs at any places as studies, and kriging, on the command line.
#include "tests/app/plan_folder.h"
#include "tests/support/test_program.h"

#include <QJsonArray>

#include <cmath>

using namespace gridhelm::test;

class TestCliScattered : public QObject, private PlanFolder
{
    Q_OBJECT

private:
    /// Files of 1 + a^2 b at places of a golden-ratio sequence, a and b from 1 to 3.
    void writeRuns(int count)
    {
        QByteArray table = "name,a,b,file\n";
        for (int i = 0; i < count; ++i) {
            const double a = 1 + 2 * std::fmod(0.5 + 0.7548776662 * i, 1.0);
            const double b = 1 + 2 * std::fmod(0.5 + 0.5698402910 * i, 1.0);
            const auto file = QString("runs/%1.vtu").arg(i);
            write(file, vtu(2, QByteArray::number(1 + a * a * b, 'g', 9)));
            table += QString("run%1,%2,%3,%4\n").arg(i).arg(a).arg(b).arg(file).toUtf8();
        }
        write("runs.csv", table);
    }

private slots:
    void filesBecomeAStudyWithAnError()
    {
        writeRuns(24);
        auto outcome = runHere("import --table runs.csv --out s.gridhelm");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QVERIFY2(outcome.out.contains("the column name is left out")
                     && outcome.out.contains("2 parameters made of 24 runs"),
                 outcome.out);
        QVERIFY2(outcome.out.contains(" % (90th percentile of the relative L2 error of 24 runs, "
                                      "each predicted without itself)"),
                 outcome.out);
        QCOMPARE(jsonOf(runHere("check s.gridhelm --json"))["sound"].toBool(), true);
        QVERIFY(isOneSentence(runHere("import --table runs.csv --out s.gridhelm"), "exists"));

        const auto document = jsonOf(runHere("eval s.gridhelm --at a=1.7,b=2.2 --json"));
        const auto field = document["fields"].toArray()[0].toObject();
        QCOMPARE(field["surrogate"].toString(), QString("kriging"));
        QCOMPARE(field["indicator_is"].toString(), QString("standard deviation"));
        QVERIFY(field["indicator"].toDouble() > 0);
        QVERIFY2(std::abs(field["high"].toDouble() - (1 + 1.7 * 1.7 * 2.2)) < 0.2,
                 QByteArray::number(field["high"].toDouble()));
        QCOMPARE(runHere("export s.gridhelm --along a --at b=2 --out along.pvd").exitCode, 0);
        QVERIFY(isOneSentence(runHere("run s.gridhelm"), "scattered"));
        QVERIFY(isOneSentence(runHere("grow s.gridhelm --level 3"), "scattered"));
        const auto info = jsonOf(runHere("info s.gridhelm --json"));
        QCOMPARE(info["design"].toString(), QString("scattered"));
        const auto surrogate = info["fields"].toArray()[0].toObject()["surrogate"].toObject();
        QVERIFY(surrogate["kernel"].toString().startsWith("Matern")
                || surrogate["kernel"].toString() == "Gaussian");
        QVERIFY(surrogate["leave_one_out"].toDouble() > 0);
    }

    void numbersNeedNoFiles()
    {
        write("n.csv", "a,b,drag [N]\n1,2,3\n2,1,4\n3,3,7\n1.5,2.5,4.2\n2.5,1.2,4.9\n");
        const auto outcome = runHere("import --table n.csv --out n.gridhelm");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        const auto value = runHere("eval n.gridhelm --at a=2,b=1 --probe 0,0,0");
        QVERIFY2(value.exitCode == 0, value.err);
        QVERIFY2(value.out.contains("drag"), value.out);
        write("where.csv", "a,b\n2,1\n3,3\n");
        const auto table = runHere("eval n.gridhelm --points where.csv");
        QVERIFY2(table.exitCode == 0, table.err);
        const auto lines = QString(table.out).split('\n');
        QCOMPARE(lines[0], QString("a,b,drag [N]"));
        QVERIFY2(lines[1].startsWith("2,1,") && lines[2].startsWith("3,3,"), table.out);
        QVERIFY(std::abs(lines[2].section(',', 2).toDouble() - 7) < 0.1);
        QVERIFY(isOneSentence(runHere("import --table n.csv"), "--out"));
        QVERIFY(isOneSentence(runHere("import n.gridhelm --table n.csv --parameters a"), "--out"));
    }

    void columnsFoldersAndRangesAreChosen()
    {
        QByteArray table = "id,a,vtu,noise\n";
        for (int i = 0; i < 8; ++i) {
            write(QString("results/%1.vtu").arg(i), vtu(2, QByteArray::number(1 + i * i)));
            table += QString("%1,%2,%1.vtu,%3\n").arg(i).arg(0.5 * i).arg(i % 3).toUtf8();
        }
        write("t.csv", table);
        const QString import = "import --table t.csv --out chosen.gridhelm --files vtu";
        QVERIFY(isOneSentence(runHere(import + " --ignore id,noise"), "there is no file"));
        const auto outcome = runHere(import + " --ignore id,noise --folder results --range a=-1:3");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QVERIFY2(outcome.out.contains("1 parameter made of 7 runs")
                     && outcome.out.contains("a row is left out"),
                 outcome.out);
        QCOMPARE(runHere("eval chosen.gridhelm --at a=-0.5").exitCode, 0);
        QVERIFY(isOneSentence(runHere(import + " --ignore nothing"), "no column nothing"));
        QVERIFY(isOneSentence(runHere(import + " --range a=3"), "NAME=LOW:HIGH"));
        QVERIFY(isOneSentence(runHere(import + " --ignore id --folder results --range id=0:1"),
                              "no parameter"));
        QVERIFY(
            isOneSentence(runHere("import chosen.gridhelm --table t.csv --ignore id"), "--out"));
    }

    void levelsAreNotForKriging()
    {
        write("p.toml", parameter("a") + "[grid]\nlevel = 3\n");
        runHere("plan p.toml");
        QByteArray table = "a,file\n";
        for (const auto *value : {"1", "1.5", "2", "2.5", "3"}) {
            write(QString("runs/%1.vtu").arg(value), vtu(2, value));
            table += QByteArray(value) + ",runs/" + value + ".vtu\n";
        }
        write("t.csv", table);
        QCOMPARE(runHere("import p.gridhelm --table t.csv").exitCode, 0);
        auto outcome = runHere("compress p.gridhelm --surrogate kriging");
        QVERIFY2(outcome.exitCode == 0 && outcome.out.contains("kriging of"), outcome.err);
        QVERIFY(isOneSentence(runHere("eval p.gridhelm --at a=1.2 --level 1"), "kriging"));
        QVERIFY(isOneSentence(runHere("compress p.gridhelm --surrogate else"), "sparse-grid"));
        QVERIFY(isOneSentence(runHere("compress p.gridhelm --field value"), "--surrogate"));
        outcome = runHere("eval p.gridhelm --at a=1.2");
        QVERIFY2(outcome.out.contains("standard deviation"), outcome.out + outcome.err);
        QVERIFY(runHere("info p.gridhelm").out.contains("chosen by hand"));
        // Two of its points are missing.
        outcome = runHere("compress p.gridhelm --surrogate auto --allow-missing");
        QVERIFY2(outcome.out.contains("surrogate of 2 fields chosen")
                     && outcome.out.contains("no obstacle"),
                 outcome.out + outcome.err);
        const auto info = jsonOf(runHere("info p.gridhelm --json"));
        const auto choice =
            info["fields"].toArray()[0].toObject()["surrogate"].toObject()["choice"].toObject();
        QCOMPARE(choice["kind"].toString(), QString("kriging"));
        QVERIFY(choice["up_to_date"].toBool() && choice["missing_points"].toInt() > 0);
        QVERIFY(choice["sparse_grid"].isNull()); // which there is none of
        QCOMPARE(runHere("compress p.gridhelm --surrogate kriging").exitCode, 0);
        QVERIFY(runHere("info p.gridhelm").out.contains("chosen by hand"));
    }
};

GRIDHELM_TEST(TestCliScattered)
#include "tst_cli_scattered.moc"
