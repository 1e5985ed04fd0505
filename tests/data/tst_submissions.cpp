// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jobs that run elsewhere: whoever is killed when, each is stored once, none is run twice, and none
// is lost.
#include "data/campaign/campaign.h"
#include "data/campaign/local_runner.h"
#include "data/study/info.h"
#include "tests/core/expect_error.h"
#include "tests/data/runs_elsewhere.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace fs = std::filesystem;

namespace {

CampaignReport run(const fs::path &study, JobRunner &runner, CampaignOptions options = {})
{
    auto writer = StudyWriter::open(study);
    options.jobs = 1;
    return runCampaign(writer, runner, options);
}

/// In a process that is killed at its `last` moment; false if it ended before.
bool runKilled(const fs::path &study, const fs::path &cluster, int last, int timeNeeded = 0)
{
    const auto child = ::fork();
    if (child == 0) {
        RunsElsewhere runner(cluster);
        runner.timeNeeded = timeNeeded;
        int moments = 0;
        runner.moment = [&] {
            if (moments++ == last)
                ::kill(::getpid(), SIGKILL);
        };
        run(study, runner);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status);
}

/// What is wrong with a study all of whose jobs should be done; nothing if all is well.
std::string problemOf(const fs::path &path, const fs::path &cluster)
{
    if (const auto problems = problemsOf(path); !problems.empty())
        return problems;
    const auto study = Study::open(path);
    if (!study.submissions().empty())
        return "there are submissions";
    for (const auto &job : study.jobs()) {
        const auto name = "job-" + std::to_string(job.id);
        if (job.state != JobState::done)
            return name + " is not done: " + study.jobLog(job.id);
        const auto times = RunsElsewhere::timesRun(cluster, name);
        if (times != 1)
            return name + " was run " + std::to_string(times) + " times";
        for (const auto point : job.points) {
            const auto at = study.description().space.valuesAt(*study.grid(), point);
            std::vector<float> value(1);
            if (!study.readSnapshot(point, 0, value)
                || value[0] != RunsElsewhere::valueAt(at[0], at[1]))
                return name + " has another value";
        }
    }
    return {};
}

std::size_t count(const Study &study, JobState state)
{
    const auto jobs = study.jobs();
    return static_cast<std::size_t>(std::ranges::count(jobs, state, &Job::state));
}

} // namespace

class SubmissionsTest : public QObject
{
    Q_OBJECT

private slots:
    void killedAtEachMomentNothingIsRunTwiceOrLost();
    void killedAgainAndAgainNothingIsRunTwiceOrLost();
    void aClusterThatDoesNotAnswerIsAskedAgain();
    void whatWasRefusedWaitsAndWhatMayHaveBeenTakenDoesNot();
    void whatIsStoppedIsForgotten();
    void whatWasStoredMeanwhileStays();
    void whatOthersRunIsLeftAlone();
    void anotherClusterDoesNotRunWhatOneHas();
    void whatIsQueuedThereIsToldFromWhatRuns();
    void whatFailsAtALimitIsTriedAgainWithMore();
    void noMoreTriesThanGranted();
    void killedAtEachMomentNoTryIsRepeated();
    void localRunsLeaveNoSubmissions();
    void jobsThatRunElsewhereAreNotStartedOrReset();
};

void SubmissionsTest::killedAtEachMomentNothingIsRunTwiceOrLost()
{
    int kills = 0, adopted = 0, lost = 0;
    for (bool wasKilled = true; wasKilled; ++kills) {
        const Folder folder;
        makeStudyElsewhere(folder / "s");
        wasKilled = runKilled(folder / "s", folder / "cluster", kills);
        QCOMPARE(problemsOf(folder / "s"), std::string());
        RunsElsewhere runner(folder / "cluster");
        const auto report = run(folder / "s", runner);
        adopted += static_cast<int>(report.adopted);
        lost += static_cast<int>(report.recovered);
        const auto problem = problemOf(folder / "s", folder / "cluster");
        QVERIFY2(problem.empty(), (problem + ", killed at " + std::to_string(kills)).c_str());
    }
    qInfo("%d moments; %d runs taken up again, %d had not been submitted", kills, adopted, lost);
    QVERIFY(kills > 30 && adopted > 10 && lost > 2);
}

void SubmissionsTest::killedAgainAndAgainNothingIsRunTwiceOrLost()
{
    Random random(isLong() ? static_cast<std::uint64_t>(::getpid()) : 4);
    for (int round = 0; round < (isLong() ? 100 : 5); ++round) {
        const Folder folder;
        makeStudyElsewhere(folder / "s");
        while (runKilled(folder / "s", folder / "cluster", random.integer(0, 45))) {
        }
        const auto problem = problemOf(folder / "s", folder / "cluster");
        QVERIFY2(problem.empty(), problem.c_str());
    }
}

void SubmissionsTest::aClusterThatDoesNotAnswerIsAskedAgain()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    {
        RunsElsewhere runner(folder / "cluster");
        runner.isReachable = false;
        GRIDHELM_EXPECT_ERROR(run(folder / "s", runner));
        GRIDHELM_EXPECT_ERROR(run(folder / "s", runner)); // nor can the next one ask
    }
    const auto study = Study::open(folder / "s");
    QCOMPARE(study.submissions().size(), std::size_t(2));
    QCOMPARE(count(study, JobState::running), std::size_t(2));
    QCOMPARE(info(study).jobsRunning, std::uint64_t(2)); // though nobody is here
    QCOMPARE(info(study).jobsElsewhere, std::uint64_t(2));
    for (const auto &submission : study.submissions()) {
        QCOMPARE(submission.runner, std::string("elsewhere"));
        QVERIFY(submission.id.starts_with("id-of-job-" + std::to_string(submission.job) + "-"));
        QVERIFY(submission.submitted > 1e9);
    }
    RunsElsewhere runner(folder / "cluster");
    const auto report = run(folder / "s", runner);
    QCOMPARE(report.adopted, std::size_t(2));
    QCOMPARE(report.recovered, std::size_t(0));
    QCOMPARE(problemOf(folder / "s", folder / "cluster"), std::string());
}

void SubmissionsTest::whatWasRefusedWaitsAndWhatMayHaveBeenTakenDoesNot()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    RunsElsewhere runner(folder / "cluster");
    runner.answer = RunsElsewhere::Answer::refused;
    GRIDHELM_EXPECT_ERROR(run(folder / "s", runner));
    QVERIFY(Study::open(folder / "s").submissions().empty());
    QCOMPARE(count(Study::open(folder / "s"), JobState::waiting), std::size_t(3));
    runner.answer = RunsElsewhere::Answer::lost;
    GRIDHELM_EXPECT_ERROR(run(folder / "s", runner));
    QCOMPARE(Study::open(folder / "s").submissions().size(), std::size_t(2));
    runner.answer = RunsElsewhere::Answer::given;
    QCOMPARE(run(folder / "s", runner).adopted, std::size_t(2));
    QCOMPARE(problemOf(folder / "s", folder / "cluster"), std::string());
}

void SubmissionsTest::whatIsStoppedIsForgotten()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    RunsElsewhere runner(folder / "cluster");
    runner.isStalled = true;
    CampaignOptions options;
    options.cancelled = [] { return true; };
    QVERIFY(run(folder / "s", runner, options).cancelled);
    QVERIFY(Study::open(folder / "s").submissions().empty());
    QCOMPARE(count(Study::open(folder / "s"), JobState::waiting), std::size_t(3));
    runner.isStalled = false;
    QCOMPARE(run(folder / "s", runner).done, std::size_t(3));
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

/// Large jobs are stored in several transactions: the one after which the program was killed must
/// not be done again, nor must what comes after it go to another time.
void SubmissionsTest::whatWasStoredMeanwhileStays()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    QVERIFY(runKilled(folder / "s", folder / "cluster", 11)); // both of the first are submitted
    {
        auto writer = StudyWriter::open(folder / "s");
        const auto jobs = writer.jobs();
        QVERIFY(jobs[0].state == JobState::running);
        writer.setMesh({"test", "one", 1, 0});
        writer.addField({"value", "", 1, Association::point, 1});
        for (const auto i : {0, 2}) {
            const auto point = jobs[0].points[static_cast<std::size_t>(i)];
            const auto at = writer.description().space.valuesAt(*writer.grid(), point);
            writer.putSnapshot(point, 0, std::vector{RunsElsewhere::valueAt(at[0], at[1])});
        }
        CompressOptions options;
        options.allowMissing = true;
        compress(writer, options); // what has coefficients can be stored no more
    }
    RunsElsewhere runner(folder / "cluster");
    QVERIFY(run(folder / "s", runner).adopted > 0);
    QCOMPARE(problemOf(folder / "s", folder / "cluster"), std::string());
}

void SubmissionsTest::whatOthersRunIsLeftAlone()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    JobId id = 0;
    {
        auto writer = StudyWriter::open(folder / "s");
        id = writer.jobs().front().id;
        auto transaction = writer.transaction();
        writer.startJob(id);
        writer.putSubmission(id, "moon", "17");
        transaction.commit();
    }
    RunsElsewhere runner(folder / "cluster");
    const auto report = run(folder / "s", runner);
    QCOMPARE(report.done, std::size_t(2));
    QCOMPARE(report.elsewhere, std::size_t(1));
    QCOMPARE(Study::open(folder / "s").submissions().front().id, std::string("17"));
    CampaignOptions options;
    options.only = id;
    try {
        run(folder / "s", runner, options);
        QFAIL("it was run");
    } catch (const Error &error) {
        QVERIFY2(std::string(error.what()).find("on moon,") != std::string::npos, error.what());
    }
}

void SubmissionsTest::anotherClusterDoesNotRunWhatOneHas()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    {
        RunsElsewhere runner(folder / "a");
        runner.place = "elsewhere:a";
        runner.isReachable = false;
        GRIDHELM_EXPECT_ERROR(run(folder / "s", runner));
    }
    RunsElsewhere other(folder / "b");
    other.place = "elsewhere:b";
    const auto left = run(folder / "s", other);
    QCOMPARE(left.on, std::string("elsewhere:b"));
    QCOMPARE(left.done, std::size_t(1)); // the third
    QCOMPARE(left.elsewhere, std::size_t(2));
    QCOMPARE(left.elsewhereOn, std::string("elsewhere:a"));
    for (const auto &submission : Study::open(folder / "s").submissions())
        QCOMPARE(RunsElsewhere::timesRun(folder / "b", "job-" + std::to_string(submission.job)),
                 std::size_t(0));
    RunsElsewhere runner(folder / "a");
    runner.place = "elsewhere:a";
    QCOMPARE(run(folder / "s", runner).adopted, std::size_t(2));
    QCOMPARE(count(Study::open(folder / "s"), JobState::done), std::size_t(3));
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void SubmissionsTest::whatIsQueuedThereIsToldFromWhatRuns()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    const auto queued = [&] {
        const auto study = Study::open(folder / "s");
        const auto all = study.submissions();
        return std::ranges::count_if(all, [&](const Submission &submission) {
            return isQueued(study.job(submission.job), submission);
        });
    };
    RunsElsewhere runner(folder / "cluster");
    runner.isQueuing = true;
    std::vector<std::ptrdiff_t> seen;
    int polls = 0;
    CampaignOptions options;
    options.cancelled = [&] {
        seen.push_back(queued());
        runner.isQueuing = false;
        runner.isStalled = true;
        return ++polls == 3;
    };
    QVERIFY(run(folder / "s", runner, options).cancelled);
    QCOMPARE(seen, (std::vector<std::ptrdiff_t>{2, 0, 0}));
}

void SubmissionsTest::whatFailsAtALimitIsTriedAgainWithMore()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    RunsElsewhere runner(folder / "cluster");
    runner.timeNeeded = 1;
    const auto report = run(folder / "s", runner);
    QCOMPARE(report.done, std::size_t(3));
    QCOMPARE(report.failed, std::size_t(0));
    QCOMPARE(report.retried, std::size_t(3));
    const auto study = Study::open(folder / "s");
    QVERIFY(study.submissions().empty());
    for (const auto &job : study.jobs()) {
        QCOMPARE(RunsElsewhere::timesRun(folder / "cluster", "job-" + std::to_string(job.id)),
                 std::size_t(2));
        QCOMPARE(job.attempts, 2);
        QCOMPARE(study.jobLog(job.id), std::string("gridhelm: it took too long\n(tried again with "
                                                   "more time)\nwent well there"));
    }
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void SubmissionsTest::noMoreTriesThanGranted()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    RunsElsewhere runner(folder / "cluster");
    runner.timeNeeded = 9;
    CampaignOptions options;
    options.keepGoing = true;
    const auto report = run(folder / "s", runner, options);
    QCOMPARE(report.failed, std::size_t(3));
    QCOMPARE(report.retried, std::size_t(6));
    const auto study = Study::open(folder / "s");
    for (const auto &job : study.jobs()) {
        QVERIFY(job.state == JobState::failed);
        QCOMPARE(RunsElsewhere::timesRun(folder / "cluster", "job-" + std::to_string(job.id)),
                 std::size_t(3));
    }
}

/// Each run is tried twice: once as it is, once with more.
void SubmissionsTest::killedAtEachMomentNoTryIsRepeated()
{
    int kills = 0;
    const int step = isLong() ? 1 : 2; // there are many of them
    for (bool wasKilled = true; wasKilled; kills += step) {
        const Folder folder;
        makeStudyElsewhere(folder / "s");
        wasKilled = runKilled(folder / "s", folder / "cluster", kills, 1);
        RunsElsewhere runner(folder / "cluster");
        runner.timeNeeded = 1;
        run(folder / "s", runner);
        const auto study = Study::open(folder / "s");
        QCOMPARE(count(study, JobState::done), std::size_t(3));
        for (const auto &job : study.jobs()) {
            const auto name = "job-" + std::to_string(job.id);
            QCOMPARE(RunsElsewhere::timesRun(folder / "cluster", name), std::size_t(2));
            QCOMPARE(RunsElsewhere::timesRun(folder / "cluster", name + "-t1m0"), std::size_t(1));
        }
        QCOMPARE(problemsOf(folder / "s"), std::string());
    }
    QVERIFY(kills > 30);
}

void SubmissionsTest::localRunsLeaveNoSubmissions()
{
    class AtOnce : public LocalRun
    {
    public:
        explicit AtOnce(std::size_t times)
            : m_times(times)
        {
        }

        RunResult run(const RunSink &sink, const std::stop_token &,
                      const std::function<void(double)> &, std::string &) override
        {
            for (std::size_t i = 0; i < m_times; ++i)
                sink(i, {{},
                         {"test", "one", 1, 0},
                         {{"value", "", 1, Association::point, 1}},
                         {{1.0F}}});
            return RunResult::finished;
        }

    private:
        std::size_t m_times;
    };
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    std::size_t seen = 0;
    LocalRunner runner([&](const RunRequest &request) {
        seen += request.token.size();
        return std::make_unique<AtOnce>(request.times.size());
    });
    QCOMPARE(runCampaign(writer, runner, {}).done, std::size_t(3));
    QCOMPARE(seen, std::size_t(0));
    QVERIFY(writer.submissions().empty());
}

void SubmissionsTest::jobsThatRunElsewhereAreNotStartedOrReset()
{
    const Folder folder;
    makeStudyElsewhere(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    const auto jobs = writer.jobs();
    GRIDHELM_EXPECT_ERROR(writer.putSubmission(jobs[0].id, "elsewhere", "1")); // it waits
    GRIDHELM_EXPECT_ERROR(writer.putSubmission(999, "elsewhere", "1"));
    for (std::size_t i = 0; i < 2; ++i)
        writer.startJob(jobs[i].id);
    writer.putSubmission(jobs[0].id, "elsewhere", "1");
    writer.putSubmission(jobs[0].id, "elsewhere", "2");
    QCOMPARE(writer.submissions().size(), std::size_t(1));
    QCOMPARE(writer.submissions()[0].id, std::string("2"));
    GRIDHELM_EXPECT_ERROR(writer.startJob(jobs[0].id));
    QCOMPARE(writer.resetRunningJobs(), std::size_t(1));
    QVERIFY(writer.job(jobs[0].id).state == JobState::running);
    writer.resetJob(jobs[0].id); // by somebody who knows
    QVERIFY(writer.submissions().empty());
    writer.startJob(jobs[0].id);
    writer.putSubmission(jobs[0].id, "elsewhere", "3");
    writer.failJob(jobs[0].id, "it failed");
    QVERIFY(writer.submissions().empty());
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

GRIDHELM_TEST(SubmissionsTest)
#include "tst_submissions.moc"
