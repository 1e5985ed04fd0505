// SPDX-License-Identifier: GPL-3.0-or-later
//
// Quick runs that end together are stored in one commit; each is still whole, or not there.
#include "data/campaign/campaign.h"
#include "data/study/storage_error.h"
#include "data/study/study_file.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

#include <QTest>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

std::filesystem::path makeStudy(const Folder &folder, int level)
{
    const auto path = folder / "s";
    StudyWriter::create(path,
                        {"groups", StudyKind::vector, ParameterSpace({{"a", "", 0, 4}}), level, ""})
        .close();
    return path;
}

/// Counts commits for as long as it lives.
class Commits
{
public:
    explicit Commits(StudyWriter &writer)
        : m_handle(writer.file().database().getHandle())
    {
        sqlite3_commit_hook(
            m_handle,
            [](void *count) {
                ++*static_cast<int *>(count);
                return 0;
            },
            &m_count);
    }
    ~Commits() { sqlite3_commit_hook(m_handle, nullptr, nullptr); }
    Commits(const Commits &) = delete;
    Commits &operator=(const Commits &) = delete;

    int count() const { return m_count; }

private:
    sqlite3 *m_handle;
    int m_count = 0;
};

/// Holds so many runs at once, all of which have ended when it is asked.
class Together : public JobRunner
{
public:
    std::size_t held = 16;
    std::chrono::milliseconds time{0};             ///< until they have ended
    std::optional<std::chrono::milliseconds> took; ///< what is said of each of them
    std::function<void(const RunRequest &)> onCollect = [](const RunRequest &) {};
    std::set<std::string> failing, strange; ///< names: with a log, with results of another form
    std::vector<std::string> collected;

    bool isLocal() const override { return true; }
    std::size_t maxSubmitted(std::size_t) const override { return held; }
    std::vector<std::string> submit(std::span<const RunRequest> runs, std::size_t) override
    {
        std::vector<std::string> ids;
        for (const auto &run : runs) {
            m_requests[run.name] = run;
            ids.push_back(run.name);
        }
        return ids;
    }
    std::vector<RunStatus> poll(std::span<const std::string> ids) override
    {
        std::this_thread::sleep_for(time);
        std::vector<RunStatus> all;
        for (const auto &id : ids)
            all.push_back(failing.contains(id) ? RunStatus{RunState::failed, 0, "it went wrong"}
                                               : RunStatus{RunState::finished, 1, ""});
        for (auto &status : all)
            status.took = took;
        return all;
    }
    RunStatus collect(const std::string &id, const RunSink &sink, const std::stop_token &) override
    {
        const auto &run = m_requests.at(id);
        onCollect(run);
        collected.push_back(id);
        const auto value = static_cast<float>(run.parameters[0]);
        if (strange.contains(id))
            sink(0, {{},
                     {"test", "two", 2, 0},
                     {{"value", "", 1, Association::point, 2}},
                     {{value, value}}});
        else
            sink(0,
                 {{}, {"test", "one", 1, 0}, {{"value", "", 1, Association::point, 1}}, {{value}}});
        return {RunState::finished, 1, ""};
    }
    void cancel(std::span<const std::string>) override {}
    void release(const std::string &) override {}
    void waitForNews(std::chrono::milliseconds) override {}

private:
    std::map<std::string, RunRequest> m_requests;
};

/// Number of jobs in that state, as somebody else reads the file.
std::size_t jobsIn(const std::filesystem::path &path, JobState state)
{
    const auto study = Study::open(path);
    const auto jobs = study.jobs();
    return static_cast<std::size_t>(std::ranges::count(jobs, state, &Job::state));
}

/// Every job that is done has its snapshot, and no other has one.
bool isWhole(const std::filesystem::path &path)
{
    const auto study = Study::open(path);
    const auto there = study.pointsWithSnapshots();
    for (const auto &job : study.jobs())
        for (const auto point : job.points)
            if (there[point] != (job.state == JobState::done))
                return false;
    return true;
}

} // namespace

class RunGroupsTest : public QObject
{
    Q_OBJECT

private slots:
    void quickRunsThatEndTogetherAreOneCommit();
    void slowOnesAreStoredEachByItself();
    void whatTheyHaveWaitedForOthersDoesNotCount();
    void oneThatFailsTakesNoOthersWithIt();
    void whatEndsTheCampaignKeepsWhatWasStored();
    void aGroupIsReadWhenItIsWhole();
};

void RunGroupsTest::quickRunsThatEndTogetherAreOneCommit()
{
    const Folder folder;
    const auto path = makeStudy(folder, 8);
    auto writer = StudyWriter::open(path);
    Together runner;
    const Commits commits(writer);
    const auto report = runCampaign(writer, runner, {});
    QCOMPARE(report.done, writer.jobs().size());
    QVERIFY(report.done > 100);
    // The first one, which brings the field and the mesh, and for 16 each: begun, and ended.
    QVERIFY2(commits.count() < static_cast<int>(report.done) / 2,
             qPrintable(QString::number(commits.count())));
    QVERIFY(isWhole(path));
}

void RunGroupsTest::slowOnesAreStoredEachByItself()
{
    const Folder folder;
    auto writer = StudyWriter::open(makeStudy(folder, 4));
    Together runner;
    runner.held = 4;
    runner.time = std::chrono::milliseconds(150); // with one at a time more than is quick
    const Commits commits(writer);
    const auto report = runCampaign(writer, runner, {});
    QVERIFY(report.done > 5);
    QVERIFY2(commits.count() >= static_cast<int>(report.done),
             qPrintable(QString::number(commits.count())));
}

/// As a loaded machine has it, where waiting for others is most of the time.
void RunGroupsTest::whatTheyHaveWaitedForOthersDoesNotCount()
{
    const Folder folder;
    const auto path = makeStudy(folder, 5);
    auto writer = StudyWriter::open(path);
    Together runner;
    runner.time = std::chrono::milliseconds(150);
    runner.took = std::chrono::milliseconds(1);
    CampaignReport report;
    {
        const Commits commits(writer);
        report = runCampaign(writer, runner, {});
        QVERIFY2(commits.count() < static_cast<int>(report.done) / 2,
                 qPrintable(QString::number(commits.count())));
    }
    QCOMPARE(report.failed, std::size_t{0});
    QVERIFY(isWhole(path));
    // And what took long is not quick because it was looked at late.
    const Folder other;
    auto another = StudyWriter::open(makeStudy(other, 4));
    runner.time = {};
    runner.took = std::chrono::milliseconds(2000);
    const Commits commits(another);
    report = runCampaign(another, runner, {});
    QVERIFY(commits.count() >= static_cast<int>(report.done));
}

void RunGroupsTest::oneThatFailsTakesNoOthersWithIt()
{
    const Folder folder;
    const auto path = makeStudy(folder, 5);
    auto writer = StudyWriter::open(path);
    Together runner;
    runner.held = 100;
    runner.failing = {"job-5"};
    runner.strange = {"job-7"};
    const auto report = runCampaign(writer, runner, {});
    QCOMPARE(report.failed, std::size_t{2});
    QCOMPARE(report.done, writer.jobs().size() - 2);
    QVERIFY(writer.jobLog(5).find("it went wrong") != std::string::npos);
    QVERIFY(writer.jobLog(7).find("cannot be stored") != std::string::npos);
    QCOMPARE(jobsIn(path, JobState::failed), std::size_t{2});
    QVERIFY(isWhole(path));
}

void RunGroupsTest::whatEndsTheCampaignKeepsWhatWasStored()
{
    const Folder folder;
    const auto path = makeStudy(folder, 5);
    std::vector<std::string> first;
    {
        auto writer = StudyWriter::open(path);
        Together runner;
        runner.held = 100;
        int collected = 0;
        runner.onCollect = [&](const RunRequest &) {
            if (++collected == 6)
                throw StorageError("the disk is full");
        };
        QVERIFY_THROWS_EXCEPTION(StorageError, runCampaign(writer, runner, {}));
        first.assign(runner.collected.begin(), runner.collected.begin() + 5);
    }
    for (const auto &job : Study::open(path).jobs())
        if (std::ranges::find(first, "job-" + std::to_string(job.id)) != first.end())
            QVERIFY(job.state == JobState::done);
    QVERIFY(isWhole(path));
    auto writer = StudyWriter::open(path);
    Together runner;
    const auto before = jobsIn(path, JobState::done);
    const auto report = runCampaign(writer, runner, {});
    QCOMPARE(report.done, writer.jobs().size() - before); // nothing is run again
    QVERIFY(isWhole(path));
}

void RunGroupsTest::aGroupIsReadWhenItIsWhole()
{
    const Folder folder;
    const auto path = makeStudy(folder, 6);
    auto writer = StudyWriter::open(path);
    Together runner;
    bool areWhole = true;
    runner.onCollect = [&](const RunRequest &) { areWhole = areWhole && isWhole(path); };
    const auto report = runCampaign(writer, runner, {});
    QVERIFY(report.done > 30 && areWhole);
}

GRIDHELM_TEST(RunGroupsTest)
#include "tst_run_groups.moc"
