// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs elsewhere that are sent once more, and those that are not: hold-outs whose command has
// changed, tries with raised limits that were lost.
#include "data/campaign/campaign.h"
#include "data/campaign/desk_mark.h"
#include "data/campaign/run_token.h"
#include "data/campaign/submitted_jobs.h"
#include "tests/core/expect_error.h"
#include "tests/data/runs_elsewhere.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace fs = std::filesystem;

class SubmittedAgainTest : public QObject
{
    Q_OBJECT

private slots:
    void holdOutsAreTakenUpUnlessTheCommandHasChanged();
    void whatWasRaisedStaysSoWhenItIsLost();
    void whatWasRaisedStaysSoWhenItIsCancelled();
    void whatIsTriedAgainGoesTogether();
};

namespace {

CampaignReport run(const fs::path &study, JobRunner &runner, CampaignOptions options = {})
{
    auto writer = StudyWriter::open(study);
    options.jobs = 1;
    options.keepGoing = true;
    return runCampaign(writer, runner, options);
}

} // namespace

void SubmittedAgainTest::holdOutsAreTakenUpUnlessTheCommandHasChanged()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    const std::vector<std::vector<double>> places{{0.3, 0.5}};
    const auto name = runNameOf(places.front());
    const auto sendAway = [&](const std::string &what) {
        RunsElsewhere runner(folder / "cluster");
        runner.what = what;
        runner.answer = RunsElsewhere::Answer::lost;
        GRIDHELM_EXPECT_ERROR(runHoldOuts(writer, runner, places, {}));
    };
    const auto make = [&](const std::string &what, std::vector<std::string> &said) {
        RunsElsewhere runner(folder / "cluster");
        runner.what = what;
        CampaignOptions options;
        options.say = [&](const std::string &sentence) { said.push_back(sentence); };
        return runHoldOuts(writer, runner, places, options);
    };
    const auto tokens = [&] {
        return RunsElsewhere(folder / "cluster").tokensThere(deskMark(writer));
    };
    std::vector<std::string> said;
    sendAway("0000000a");
    const auto former = tokens();
    QCOMPARE(former.size(), std::size_t(1));
    QCOMPARE(partsOfToken(former.front()).what, std::string("0000000a"));
    const auto report = make("0000000b", said); // plan --update has changed the command
    QCOMPARE(report.adopted, std::size_t(0));
    QCOMPARE(report.done, std::size_t(1));
    QCOMPARE(RunsElsewhere::timesRun(folder / "cluster", name), std::size_t(2));
    QCOMPARE(tokens(), std::vector<std::string>()); // nor is the former one left there
    QCOMPARE(said, std::vector<std::string>{"1 run of a command that the plan has no more is given "
                                            "up on elsewhere"});
    // The same command is not run again; nor is what an older program has sent, which does not say.
    for (const std::string what : {"0000000a", ""}) {
        fs::remove_all(folder / "cluster");
        writer.close();
        fs::remove(folder / "s");
        makeStudyElsewhere(folder / "s");
        writer = StudyWriter::open(folder / "s");
        sendAway(what);
        QCOMPARE(make("0000000a", said).adopted, std::size_t(1));
        QCOMPARE(RunsElsewhere::timesRun(folder / "cluster", name), std::size_t(1));
    }
    QCOMPARE(said.size(), std::size_t(1));
}

void SubmittedAgainTest::whatWasRaisedStaysSoWhenItIsLost()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    {
        RunsElsewhere runner(folder / "cluster");
        runner.timeNeeded = 9;
        runner.isLosing = true; // their node burns down, say
        const auto report = run(folder / "s", runner);
        QCOMPARE(report.retried, std::size_t(3));
        QCOMPARE(report.failed, std::size_t(0));
    }
    RunsElsewhere runner(folder / "cluster");
    runner.timeNeeded = 9;
    const auto report = run(folder / "s", runner);
    QCOMPARE(report.recovered, std::size_t(3));
    QCOMPARE(report.retried, std::size_t(3)); // the second of two that are granted
    QCOMPARE(report.failed, std::size_t(3));
    for (const auto &job : Study::open(folder / "s").jobs()) {
        const auto times = [&](const std::string &more) {
            return RunsElsewhere::timesRun(folder / "cluster", runNameOf(job.id) + more);
        };
        QCOMPARE(times("-t1m0"), std::size_t(2)); // one of them lost
        QCOMPARE(times("-t2m0"), std::size_t(1));
        QCOMPARE(times(""), std::size_t(4));
    }
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void SubmittedAgainTest::whatWasRaisedStaysSoWhenItIsCancelled()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    {
        RunsElsewhere runner(folder / "cluster");
        runner.timeNeeded = 9;
        CampaignOptions options;
        // As soon as runs are tried again.
        runner.moment = [&] {
            for (const auto &entry : fs::directory_iterator(folder / "cluster"))
                if (partsOfToken(entry.path().filename().string()).raised.time > 0)
                    runner.isStalled = true;
            runner.timeNeeded = runner.isStalled ? 1 : 9;
        };
        options.cancelled = [&] { return runner.isStalled; };
        const auto report = run(folder / "s", runner, options);
        QVERIFY(report.cancelled);
        QVERIFY(report.retried > 0);
        QCOMPARE(report.goOn, std::size_t(0)); // what is cancelled does not
    }
    RunsElsewhere runner(folder / "cluster");
    runner.timeNeeded = 9;
    QCOMPARE(run(folder / "s", runner).failed, std::size_t(3));
    for (const auto &job : Study::open(folder / "s").jobs()) {
        const auto times = [&](const std::string &more) {
            return RunsElsewhere::timesRun(folder / "cluster", runNameOf(job.id) + more);
        };
        QCOMPARE(times("-t2m0"), std::size_t(1));
        QCOMPARE(times("") - times("-t1m0") - times("-t2m0"), std::size_t(1)); // as planned
    }
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void SubmittedAgainTest::whatIsTriedAgainGoesTogether()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    RunsElsewhere runner(folder / "cluster");
    runner.timeNeeded = 1;
    QCOMPARE(run(folder / "s", runner).done, std::size_t(3));
    // Two at a time are held: both are tried again in one order.
    QCOMPARE(runner.orders.at(0), std::size_t(2));
    QCOMPARE(runner.orders.at(1), std::size_t(2));
}

GRIDHELM_TEST(SubmittedAgainTest)
#include "tst_submitted_again.moc"
