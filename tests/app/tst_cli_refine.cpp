// SPDX-License-Identifier: GPL-3.0-or-later
//
// Campaigns that go where the error is, on the command line.
#include "tests/app/plan_folder.h"
#include "tests/support/test_program.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

using namespace gridhelm::test;

class TestCliRefine : public QObject, private PlanFolder
{
    Q_OBJECT

private:
    void writePlan() const
    {
        write("p.toml",
              "[[parameter]]\nname = \"Re\"\nlow = 100\nhigh = 400\ntreatment = \"leja\"\n"
              "[[parameter]]\nname = \"bottom\"\ntreatment = \"leja\"\n"
              "[[parameter]]\nname = \"t\"\ntimes = 5\n[grid]\nlevel = 2\n"
              "[simulation]\nbuiltin = \"cavity\"\nresolution = 13\n");
    }

private slots:
    void init()
    {
        writePlan();
        const auto made = runHere("plan p.toml --out p.gridhelm");
        QVERIFY2(made.exitCode == 0, made.err);
    }

    void cleanup()
    {
        for (const auto &name : QDir(m_folder->path()).entryList(QDir::Files))
            QDir(m_folder->path()).remove(name);
    }

    void adaptivePlansWithoutTimesGetMixedRuns()
    {
        write("m.toml", "[[parameter]]\nname = \"x\"\n[[parameter]]\nname = \"y\"\n"
                        "[grid]\ndesign = \"adaptive\"\n"
                        "[simulation]\nbuiltin = \"plate\"\nresolution = 25\n");
        QCOMPARE(runHere("plan m.toml --out m.gridhelm").exitCode, 0);
        const auto outcome = runHere("refine m.gridhelm --runs 18 --jobs 2 --json");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        const auto document = jsonOf(outcome);
        const int off = document["off_grid"].toInt(), all = document["runs"].toInt();
        QCOMPARE(all, 18);
        QVERIFY2(off >= 5 && off <= 13, outcome.out);
        const auto study = document["study"].toObject();
        QCOMPARE(study["jobs"].toObject()["done"].toInt(), all - off);
        const auto text = runHere("info m.gridhelm").out;
        QVERIFY2(text.contains("of runs off the grid, each without itself"), text);
        QVERIFY2(text.contains("runs          " + QByteArray::number(off) + ", scattered"), text);
        const auto jobs = runHere("info m.gridhelm --jobs").out;
        QVERIFY2(jobs.contains("off the grid (their logs: --log off:ID)"), jobs);
        const auto list =
            QJsonDocument::fromJson(runHere("info m.gridhelm --jobs --json").out).array();
        QCOMPARE(list.size(), all);
        QCOMPARE(std::ranges::count_if(
                     list, [](const auto &job) { return job.toObject().contains("off_grid"); }),
                 off);
        QVERIFY(runHere("info m.gridhelm --log off:1").out.contains("run 1 has no log"));
        QVERIFY(isOneSentence(runHere("info m.gridhelm --log off:99"), "no run number 99"));
        QVERIFY(isOneSentence(runHere("refine m.gridhelm --runs 2 --surrogate spline"), "spline"));
        QCOMPARE(jsonOf(runHere("check m.gridhelm --json"))["sound"].toBool(), true);
        // By hand, on the grid alone.
        const auto grid = runHere("refine m.gridhelm --runs 4 --surrogate sparse-grid --json");
        QCOMPARE(jsonOf(grid)["off_grid"].toInt(), 0);
        QCOMPARE(jsonOf(grid)["blocks"].toInt(), 4);
        const auto suggested =
            runHere("suggest m.gridhelm --runs 20 --csv next.csv --surrogate auto --json");
        QVERIFY2(suggested.exitCode == 0, suggested.err);
        QVERIFY(jsonOf(suggested)["off_grid"].toInt() > 0);
        QCOMPARE(jsonOf(suggested)["off_grid"].toInt() + jsonOf(suggested)["points"].toInt(), 20);
        QFile table(QDir(m_folder->path()).filePath("next.csv"));
        QVERIFY(table.open(QIODevice::ReadOnly));
        QCOMPARE(table.readAll().count('\n'), 21);
    }

    void runsAreAddedAndTheErrorIsKnownByTheirNumber()
    {
        const auto outcome = runHere("refine p.gridhelm --runs 24 --holdout 6 --jobs 2 --json");
        QVERIFY2(outcome.exitCode == 0, outcome.err);
        const auto document = jsonOf(outcome);
        QCOMPARE(document["end"].toString(), QString("runs"));
        QVERIFY(document["runs"].toInt() > 10 && document["runs"].toInt() <= 24);
        QVERIFY(document["estimate"].toDouble() > 0 && document["measured"].toDouble() > 0);
        const auto study = document["study"].toObject();
        QCOMPARE(study["refinements"].toArray().size(), document["blocks"].toInt());
        QCOMPARE(study["jobs"].toObject()["done"].toInt() + 6, document["runs"].toInt());
        QVERIFY(study["error_history"].toArray().size() > 4);
        QCOMPARE(jsonOf(runHere("check p.gridhelm --json"))["sound"].toBool(), true);

        const auto text = runHere("info p.gridhelm").out;
        QVERIFY2(text.contains("refined ") && text.contains("error history velocity"), text);
        const auto runs = runHere("info p.gridhelm --for-error 0.1%");
        QVERIFY2(runs.out.contains("velocity: 0.1 % takes about "), runs.out);
        const auto asJson = runHere("info p.gridhelm --for-error 0.001 --json");
        QVERIFY2(asJson.out.contains("\"runs\""), asJson.out);
        // Everything else works on such a grid.
        const auto value = runHere("eval p.gridhelm --at Re=200,bottom=0.1,t=2.5 --indicator");
        QVERIFY2(value.exitCode == 0, value.err);
        const auto there = runHere("refine p.gridhelm --runs 2 --at bottom=0.4");
        QVERIFY2(there.exitCode == 0 && there.out.contains("the error there is"), there.err);
        QVERIFY(isOneSentence(runHere("refine p.gridhelm --runs 2 --at bottom=7"), "bottom"));
        QVERIFY(isOneSentence(runHere("refine p.gridhelm --runs 2 --at nothing=7"), "nothing"));
        const auto more = runHere("refine p.gridhelm --runs 3 --deterministic");
        QVERIFY2(more.exitCode == 0 && more.out.contains("3 runs added"), more.out + more.err);
    }

    void aRegionOfTheMeshCountsAlone()
    {
        const auto early = runHere("refine p.gridhelm --runs 3 --region 0:1");
        QVERIFY2(isOneSentence(early, "no mesh yet"), early.err);
        QCOMPARE(runHere("refine p.gridhelm --runs 3").exitCode, 0);
        const auto estimates = [&] {
            const auto study = jsonOf(runHere("info p.gridhelm --json"));
            const auto history = study["error_history"].toArray();
            return std::ranges::count_if(history, [](const auto &error) {
                return error.toObject()["kind"].toString() == "estimate";
            });
        };
        const auto before = estimates();
        QVERIFY(before >= 2); // two fields
        const auto there = runHere("refine p.gridhelm --runs 3 --region 0:0.5,0.5:1 --json");
        QVERIFY2(there.exitCode == 0, there.err);
        const auto everywhere = runHere("refine p.gridhelm --runs 3 --region -1:2 --json");
        QVERIFY2(everywhere.exitCode == 0, everywhere.err);
        QVERIFY(jsonOf(there)["estimate"] != jsonOf(everywhere)["estimate"]);
        // Estimates of a region are not among those of the study.
        QCOMPARE(estimates(), before);
        const auto suggested =
            runHere("suggest p.gridhelm --runs 2 --csv next.csv --region 0:0.5,0.5:1");
        QVERIFY2(suggested.exitCode == 0, suggested.err);

        const auto refused = [&](const QString &region, const char *what) {
            const auto outcome = runHere("refine p.gridhelm --runs 30 --region " + region);
            return isOneSentence(outcome, what);
        };
        QVERIFY(refused("left", "ranges along x, y and z"));
        QVERIFY(refused("0:1,0:1,0:1,0:1", "ranges along x, y and z"));
        QVERIFY(refused("0:1,", "ranges along x, y and z"));
        QVERIFY(refused("0:much", "much"));
        QVERIFY(refused("1:0", "lower end first"));
        QVERIFY(refused("5:6", "holds nothing of the mesh"));
        // Between points, and between the middles of cells.
        QVERIFY(refused("0.01:0.02", "holds nothing of the mesh"));
    }

    void theExitCodeSaysWhetherTheErrorIsReached()
    {
        const auto missed =
            runHere("refine p.gridhelm --until 0.01% --runs 6 --holdout 0 --field velocity");
        QVERIFY2(missed.exitCode == 3, missed.err);
        QVERIFY2(missed.out.contains("budget reached"), missed.out);
        const auto reached = runHere("refine p.gridhelm --until 30% --holdout 4");
        QVERIFY2(reached.exitCode == 0, reached.err);
        QVERIFY2(reached.out.contains("error criterion of 30 % reached"), reached.out);
    }

    void badInputIsOneSentence()
    {
        QVERIFY(isOneSentence(runHere("refine p.gridhelm"), "needs an end"));
        QVERIFY(isOneSentence(runHere("refine p.gridhelm --until 1e-9"), "single precision"));
        QVERIFY(isOneSentence(runHere("refine p.gridhelm --until much"), "--until"));
        QVERIFY(isOneSentence(runHere("refine p.gridhelm --until 200%"), "below 100 %"));
        QVERIFY(isOneSentence(runHere("refine p.gridhelm --runs 0"), "one run"));
        QVERIFY(isOneSentence(runHere("refine p.gridhelm --runs -3"), "--runs"));
        QVERIFY(isOneSentence(runHere("refine p.gridhelm --hours 0"), "0 hours"));
        QVERIFY(isOneSentence(runHere("refine p.gridhelm --runs 2 --jobs 2000"), "--jobs"));
        QVERIFY(isOneSentence(runHere("refine gone.gridhelm --runs 2"), "gone"));
        QVERIFY(isOneSentence(runHere("info p.gridhelm --for-error 0"), "--for-error"));
        QVERIFY(isOneSentence(runHere("refine p.gridhelm --runs 4 --field nothing"), "nothing"));
    }
};

GRIDHELM_TEST(TestCliRefine)
#include "tst_cli_refine.moc"
