// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans with a number of runs instead of a grid, on the command line.
#include "tests/app/plan_folder.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QSet>

#include <cmath>

using namespace gridhelm::test;

class TestCliFill : public QObject, private PlanFolder
{
    Q_OBJECT

private:
    /// u = a + x; `command` comes first.
    void writePlan(int runs, const QByteArray &command = "true") const
    {
        write("field.vtu", vtu(2, "{a}"));
        write("p.toml", parameter("a") + parameter("b")
                            + "[grid]\ndesign = \"space-filling\"\nruns = "
                            + QByteArray::number(runs) + "\n[simulation]\ncommand = '''" + command
                            + "'''\ntemplates = [\"field.vtu\"]\nresult = \"field.vtu\"\n");
    }

    QJsonObject runs() const
    {
        return jsonOf(runHere("info p.gridhelm --json"))["runs"].toObject();
    }

    QJsonArray listed() const
    {
        return QJsonDocument::fromJson(runHere("info p.gridhelm --jobs --json").out).array();
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void fromAPlanToAMeasuredSurrogate()
    {
        writePlan(16);
        auto outcome = runHere("plan p.toml --dry-run");
        QVERIFY2(outcome.exitCode == 0 && outcome.out.contains("space-filling: 16 runs"),
                 outcome.err);
        QVERIFY2(!outcome.out.contains("level"), outcome.out);
        outcome = runHere("plan p.toml --csv points.csv --json");
        QCOMPARE(jsonOf(outcome)["runs"].toInt(), 16);
        QCOMPARE(jsonOf(outcome)["now"].toObject()["jobs"].toInt(), 16);
        QFile csv(at("points.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const auto lines = csv.readAll().trimmed().split('\n');
        QCOMPARE(lines.size(), 17);
        QCOMPARE(lines[0].trimmed(), QByteArray("a,b"));
        QCOMPARE(runs()["lacking"].toInt(), 16);
        outcome = runHere("info p.gridhelm");
        QVERIFY2(outcome.out.contains("gridhelm-cli run p.gridhelm"), outcome.out);
        QVERIFY(isOneSentence(runHere("compress p.gridhelm"), "come with: gridhelm-cli run"));

        outcome = runHere("run p.gridhelm --jobs 2");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QVERIFY2(outcome.out.contains("16 runs done, 0 failed; 16 made, 0 lacking")
                     && outcome.out.contains("compress p.gridhelm --holdout 12"),
                 outcome.out);
        // They are where the plan has said.
        QSet<QByteArray> wanted, made;
        for (const auto &line : lines.sliced(1))
            wanted.insert(line.trimmed());
        for (const auto &run : listed()) {
            const auto place = run.toObject()["parameters"].toArray();
            made.insert(QByteArray::number(place[0].toDouble(), 'g', 15) + ","
                        + QByteArray::number(place[1].toDouble(), 'g', 15));
            QCOMPARE(run.toObject()["state"].toString(), QString("done"));
        }
        QCOMPARE(made, wanted);

        outcome = runHere("compress p.gridhelm --holdout 10");
        QVERIFY2(outcome.exitCode == 0 && outcome.out.contains("kriging"),
                 outcome.err + outcome.out);
        const auto info = jsonOf(runHere("info p.gridhelm --json"));
        QCOMPARE(info["hold_outs"].toInt(), 10);
        QCOMPARE(info["training_runs"].toInt(), 16);
        QCOMPARE(info["design"].toString(), QString("scattered"));
        double error = -1;
        for (const auto &each : info["errors"].toArray())
            if (each.toObject()["kind"].toString() == "held-out")
                error = each.toObject()["relative_l2"].toDouble();
        QVERIFY2(error >= 0 && error < 0.01, QByteArray::number(error));
        QCOMPARE(jsonOf(runHere("check p.gridhelm --json"))["sound"].toBool(), true);
        const auto value = runHere("eval p.gridhelm --at a=1.3,b=2");
        QVERIFY2(value.exitCode == 0, value.err);
        QVERIFY2(runHere("run p.gridhelm").out.contains("0 runs done"),
                 runHere("run p.gridhelm").out);

        // A larger number goes on.
        writePlan(20);
        outcome = runHere("plan p.toml --update p.gridhelm");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QCOMPARE(jsonOf(runHere("run p.gridhelm --json"))["done"].toInt(), 4);
        QCOMPARE(runs()["made"].toInt(), 20);
    }

    void failuresAreMadeUpForAndTheirLogsKept()
    {
        writePlan(12, "echo looking at {a}; case {a} in 3*) exit 3;; esac");
        runHere("plan p.toml");
        auto outcome = runHere("run p.gridhelm --jobs 2");
        QVERIFY2(outcome.exitCode == 0 && outcome.out.contains("12 made, 0 lacking"), outcome.err);
        const auto failed = runs()["failed"].toInt();
        QVERIFY(failed > 0);
        QCOMPARE(runs()["made"].toInt(), 12);
        int id = 0;
        for (const auto &run : listed())
            if (run.toObject()["state"].toString() == "failed")
                id = run.toObject()["id"].toInt();
        outcome = runHere(QString("info p.gridhelm --log %1").arg(id));
        QVERIFY2(outcome.out.contains("looking at 3"), outcome.out + outcome.err);
        QVERIFY(isOneSentence(runHere("info p.gridhelm --log 99"), "no run number 99"));
        QVERIFY(isOneSentence(runHere("run p.gridhelm --only 1"), "no jobs"));
        QVERIFY(isOneSentence(runHere("grow p.gridhelm --level 3"), "scattered"));

        writePlan(12);
        QCOMPARE(runHere("plan p.toml --update p.gridhelm").exitCode, 0);
        outcome = runHere("run p.gridhelm --retry-failed");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        QCOMPARE(runs()["failed"].toInt(), 0);
        QCOMPARE(runs()["made"].toInt(), 12 + failed);
    }

    void whereEverythingFailsItIsSaid()
    {
        writePlan(12, "echo no licence; exit 4");
        runHere("plan p.toml");
        const auto outcome = runHere("run p.gridhelm --jobs 1");
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.err.contains("5 runs in a row failed alike")
                     && outcome.err.contains("--log"),
                 outcome.err);
        QCOMPARE(runs()["failed"].toInt(), 5);
        QCOMPARE(runs()["waiting"].toInt(), 7);
    }

    void plansOfTheOtherDesignAreNotTaken()
    {
        writePlan(12);
        runHere("plan p.toml");
        QFile plan(at("p.toml"));
        QVERIFY(plan.open(QIODevice::ReadOnly));
        auto text = plan.readAll();
        write("regular.toml", text.replace("design = \"space-filling\"\nruns = 12", "level = 2"));
        QVERIFY(isOneSentence(runHere("plan regular.toml --update p.gridhelm"), "scattered"));
        QCOMPARE(runHere("plan regular.toml").exitCode, 0);
        QVERIFY(isOneSentence(runHere("plan p.toml --update regular.gridhelm"), "space-filling"));
        write("bad.toml", text.replace("level = 2", "design = \"space-filling\"\nruns = 3"));
        QVERIFY(isOneSentence(runHere("plan bad.toml"), "from 4 to 4000"));
        QVERIFY(!QFile::exists(at("bad.gridhelm")));
    }
};

GRIDHELM_TEST(TestCliFill)
#include "tst_cli_fill.moc"
