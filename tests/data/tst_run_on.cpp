// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the runs of one step go, in place of what the plan says, and who has agreed to that.
#include "core/support/error.h"
#include "data/campaign/campaign_steps.h"
#include "data/campaign/run_on.h"
#include "data/campaign/submitted_jobs.h"
#include "data/campaign/trust_store.h"
#include "tests/core/expect_error.h"
#include "tests/data/foreign_plans.h"
#include "tests/data/runs_elsewhere.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <filesystem>
#include <memory>
#include <string>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

const std::string command = "command = \"echo {a} >out\"\nresult = \"out\"\n";
const std::string onSlurm = "[run]\non = \"slurm\"\nhost = \"me@far\"\npartition = \"short\"\n";

Plan planOn(const std::string &run)
{
    return parsePlan(commandPlan(command) + run, "plan", "/");
}

std::string textOf(const RunPlan &run, const char *key)
{
    return std::get<std::string>(run.settings.at(key));
}

} // namespace

class RunOnTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { std::filesystem::remove_all(privateConfiguration.folder() / "gridhelm"); }

    void placesAreNamed()
    {
        const auto here = planOn(""), far = planOn(onSlurm);
        QCOMPARE(nameOf(runOn(here, "")), std::string("local"));
        QCOMPARE(nameOf(runOn(here, "local")), std::string("local"));
        QCOMPARE(nameOf(runOn(far, "")), std::string("slurm:me@far"));
        QCOMPARE(nameOf(runOn(far, "slurm")), std::string("slurm:me@far"));
        QCOMPARE(nameOf(runOn(far, "local")), std::string("local"));
        QCOMPARE(clusterOf(far.run), std::string("me@far"));
        QCOMPARE(clusterOf(here.run), std::string());
        for (const auto *plan : {&here, &far}) {
            const auto other = runOn(*plan, "slurm:you@near:/scratch/runs");
            QCOMPARE(other.on, std::string("slurm"));
            QCOMPARE(nameOf(other), std::string("slurm:you@near:/scratch/runs"));
            QCOMPARE(textOf(other, "host"), std::string("you@near"));
            QCOMPARE(textOf(other, "partition"), std::string(plan == &far ? "short" : ""));
        }
        QCOMPARE(textOf(runOn(here, "slurm:local"), "folder"), std::string("gridhelm-jobs"));
    }

    void whatIsNoPlaceIsRefused()
    {
        const auto here = planOn(""), far = planOn(onSlurm);
        QVERIFY(isRefused([&] { runOn(here, "slurm"); }, "names no cluster; say which, like --on"));
        for (const char *none : {"moon", "Slurm", "slurmx", "local:x", "built-in"})
            QVERIFY2(isRefused([&] { runOn(far, none); }, "choose local, slurm"), none);
        for (const char *none : {"slurm:", "slurm:-oProxyCommand=id", "slurm:a b", "slurm::x"})
            QVERIFY2(isRefused([&] { runOn(far, none); }, "no name of a host"), none);
        for (const char *none : {"slurm:h:", "slurm:h:~/x", "slurm:h:-x"})
            QVERIFY2(isRefused([&] { runOn(far, none); }, "[run] folder"), none);
        const auto builtIn =
            parsePlan("[[parameter]]\nname = \"x\"\n[[parameter]]\nname = \"y\"\n[[parameter]]\n"
                      "name = \"strength\"\n[grid]\nlevel = 2\n[simulation]\nbuiltin = \"plate\"\n",
                      "plan", "/");
        QCOMPARE(nameOf(runOn(builtIn, "local")), std::string("local"));
        QVERIFY(isRefused([&] { runOn(builtIn, "slurm:h"); }, "is built in"));
    }

    void ownPlansGoWhereTheirUserSays()
    {
        const Folder folder;
        std::string note;
        auto writer = createStudy(folder / "s", planOn(onSlurm), note);
        auto control = numberControl();
        control.on = "local";
        const auto report = runStep(writer, {}, control);
        QCOMPARE(report.done, std::size_t{3});
        QCOMPARE(report.on, std::string("local"));
    }

    void foreignPlansAreAskedForAtEachPlace()
    {
        const Folder folder;
        auto writer = foreignStudy(folder / "s", commandPlan(command) + onSlurm);
        const auto plan = planOf(writer);
        const auto &asPlanned = std::get<CommandPlan>(plan.simulation);
        TrustStore().trust(executionOf(asPlanned, plan.run, folder / "s").digest());
        auto control = numberControl();
        control.on = "local";
        const auto refused = [&] {
            try {
                runStep(writer, {}, control);
            } catch (const UntrustedExecution &error) {
                return error.execution()->digest();
            }
            return std::string();
        };
        const auto asked = refused();
        QVERIFY(!asked.empty());
        control.on = "slurm:gridhelm-nowhere.invalid";
        QVERIFY(!refused().empty() && refused() != asked);
        control.on = "local";
        control.trusted = asked;
        QCOMPARE(runStep(writer, {}, control).done, std::size_t{3});
    }

    void copiesAskBeforeTheyTakeUpWhatTheOtherHas()
    {
        const Folder folder;
        const auto cluster = folder / "cluster";
        {
            auto writer = foreignStudy(folder / "s", commandPlan(command));
            writer.close();
        }
        auto control = numberControl();
        bool isReachable = false;
        int asked = 0;
        control.runner = [&] {
            auto runner = std::make_unique<RunsElsewhere>(cluster);
            runner->isReachable = isReachable;
            runner->moment = [&asked] { ++asked; };
            return runner;
        };
        {
            auto writer = StudyWriter::open(folder / "s");
            GRIDHELM_EXPECT_ERROR(runStep(writer, {}, control));
            QCOMPARE(writer.submissions().size(), std::size_t{2});
        }
        std::filesystem::copy_file(folder / "s", folder / "copy");
        std::filesystem::rename(folder / "s", folder / "moved");
        isReachable = true;
        asked = 0;
        std::string digest;
        {
            auto writer = StudyWriter::open(folder / "copy");
            for (int again = 0; again < 2; ++again) {
                try {
                    runStep(writer, {}, control);
                    QFAIL("it took them up");
                } catch (const CopiedStudy &copied) {
                    QVERIFY(std::string(copied.what()).starts_with("2 jobs of "));
                    digest = copied.digest();
                }
            }
            QCOMPARE(asked, 0);
            QCOMPARE(writer.submissions().size(), std::size_t{2});
        }
        std::filesystem::copy_file(folder / "moved", folder / "third");
        {
            auto writer = StudyWriter::open(folder / "moved"); // the file is the same
            QCOMPARE(runStep(writer, {}, control).adopted, std::size_t{2});
        }
        auto writer = StudyWriter::open(folder / "third");
        control.takeOver = digest; // of another pair
        GRIDHELM_EXPECT_ERROR(runStep(writer, {}, control));
        try {
            runStep(writer, {}, control);
        } catch (const CopiedStudy &copied) {
            TrustStore().trust(copied.digest());
        }
        QCOMPARE(runStep(writer, {}, control).adopted, std::size_t{2});
    }

    void changedTemplatesOfOwnPlansAreAskedForAgain()
    {
        const Folder folder;
        writeText(folder / "case.in", "1");
        std::string note;
        const auto text =
            commandPlan(
                "command = \"cp case.in out\"\nresult = \"out\"\ntemplates = [\"case.in\"]\n")
            + onSlurm;
        auto writer = createStudy(folder / "s", parsePlan(text, "plan", folder / ""), note);
        writeText(folder / "case.in", "2");
        auto control = numberControl();
        control.on = "local";
        try {
            runStep(writer, {}, control);
            QFAIL("it was run");
        } catch (const UntrustedExecution &) {
        }
    }
};

GRIDHELM_TEST(RunOnTest)
#include "tst_run_on.moc"
