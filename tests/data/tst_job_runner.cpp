// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs that are submitted, polled and collected, and how a plan says where they go.
#include "core/support/error.h"
#include "data/campaign/local_runner.h"
#include "data/campaign/plan_file.h"
#include "data/campaign/run_table.h"
#include "data/campaign/runner_registry.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::data;

namespace {

/// Delivers one snapshot, then goes on until it is let go.
class PatientRun : public LocalRun
{
public:
    PatientRun(std::atomic<bool> &mayEnd, std::atomic<int> &atOnce)
        : m_mayEnd(mayEnd)
        , m_atOnce(atOnce)
    {
    }

    RunResult run(const RunSink &sink, const std::stop_token &stop,
                  const std::function<void(double)> &progress, std::string &log) override
    {
        ++m_atOnce;
        sink(0, {0.5, {"test", "one", 1, 0}, {{"v", "", 1, Association::point, 1}}, {{7}}});
        progress(0.5);
        while (!m_mayEnd && !stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        --m_atOnce;
        log = "said something";
        return stop.stop_requested() ? RunResult::cancelled : RunResult::finished;
    }

private:
    std::atomic<bool> &m_mayEnd;
    std::atomic<int> &m_atOnce;
};

/// Comes to its end although it is to stop, as a run does that has just done its last step.
class LateRun : public LocalRun
{
public:
    explicit LateRun(std::atomic<bool> &hasBegun)
        : m_hasBegun(hasBegun)
    {
    }

    RunResult run(const RunSink &sink, const std::stop_token &stop,
                  const std::function<void(double)> &, std::string &) override
    {
        m_hasBegun = true;
        while (!stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        sink(0, {0.5, {"test", "one", 1, 0}, {{"v", "", 1, Association::point, 1}}, {{7}}});
        return RunResult::finished;
    }

private:
    std::atomic<bool> &m_hasBegun;
};

/// Has one snapshot before its end, and one at its end, as a command would that is read meanwhile.
class ReadTwiceRun : public LocalRun
{
public:
    explicit ReadTwiceRun(int &collected)
        : m_collected(collected)
    {
    }

    RunResult run(const RunSink &sink, const std::stop_token &, const std::function<void(double)> &,
                  std::string &) override
    {
        sink(0, {0.5, {"test", "one", 1, 0}, {{"v", "", 1, Association::point, 1}}, {{7}}});
        return RunResult::finished;
    }
    RunResult collect(const RunSink &sink, const std::stop_token &, std::string &log) override
    {
        ++m_collected;
        log += "collected";
        sink(1, {1.0, {"test", "one", 1, 0}, {{"v", "", 1, Association::point, 1}}, {{8}}});
        return RunResult::finished;
    }

private:
    int &m_collected;
};

struct Runs
{
    std::atomic<bool> mayEnd = false;
    std::atomic<int> atOnce = 0;
    LocalRunner runner{
        [this](const RunRequest &) { return std::make_unique<PatientRun>(mayEnd, atOnce); }};

    std::vector<std::string> submit(int count, std::size_t atATime)
    {
        std::vector<RunRequest> requests;
        for (int i = 0; i < count; ++i)
            requests.push_back({"job-" + std::to_string(i), {}, {}});
        return runner.submit(requests, atATime);
    }

    std::size_t count(const std::vector<std::string> &ids, RunState state)
    {
        const auto all = runner.poll(ids);
        return static_cast<std::size_t>(std::ranges::count(all, state, &RunStatus::state));
    }
};

std::string planWith(const std::string &run)
{
    return "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 1\n[grid]\nlevel = 2\n[simulation]\n"
           "command = 'solve {a}'\nresult = \"out\"\n"
           + run;
}

/// What is wrong with this [run], read with these options.
std::string problemOf(const std::string &toml, const std::vector<RunnerOption> &options)
{
    const auto document = parsePlanToml(toml, "plan");
    PlanTable table(document, "[run]", "plan");
    try {
        readRunSettings(table, options);
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

} // namespace

class JobRunnerTest : public QObject
{
    Q_OBJECT

private slots:
    void runsAreQueuedUntilThereIsRoom()
    {
        Runs runs;
        const auto ids = runs.submit(5, 2);
        QCOMPARE(ids.size(), std::size_t(5));
        QTRY_COMPARE(runs.count(ids, RunState::running), std::size_t(2));
        QCOMPARE(runs.count(ids, RunState::queued), std::size_t(3));
        runs.mayEnd = true;
        QTRY_COMPARE(runs.count(ids, RunState::finished), std::size_t(5));
        QCOMPARE(runs.runner.poll(ids).front().log, std::string("said something"));
    }

    void aRunThatLostItsSnapshotHasNotFinished()
    {
        std::atomic<bool> hasBegun = false;
        LocalRunner runner([&](const RunRequest &) { return std::make_unique<LateRun>(hasBegun); });
        const std::vector<RunRequest> requests{{"late", {}, {}, {}}};
        const auto ids = runner.submit(requests, 1);
        QTRY_VERIFY(hasBegun.load());
        runner.cancel(ids);
        QTRY_VERIFY(hasEnded(runner.poll(ids).front().state));
        int delivered = 0;
        const auto status =
            runner.collect(ids.front(), [&](std::size_t, RunSnapshot) { ++delivered; }, {});
        QCOMPARE(status.state == RunState::finished, delivered == 1);
        QCOMPARE(status.state, RunState::cancelled);
    }

    void snapshotsAreCollectedOnceAndBeforeTheEnd()
    {
        Runs runs;
        const auto ids = runs.submit(1, 1);
        QTRY_VERIFY(runs.runner.poll(ids).front().hasSnapshots);
        int delivered = 0;
        const auto count = [&](std::size_t, RunSnapshot snapshot) {
            delivered += snapshot.values[0][0] == 7;
        };
        auto status = runs.runner.collect(ids[0], count, {});
        QVERIFY(status.state == RunState::running);
        QCOMPARE(delivered, 1);
        QTRY_COMPARE(runs.runner.poll(ids).front().part, 0.5);
        runs.mayEnd = true;
        QTRY_COMPARE(runs.count(ids, RunState::finished), std::size_t(1));
        status = runs.runner.collect(ids[0], count, {});
        QVERIFY(status.state == RunState::finished);
        QCOMPARE(delivered, 1);
    }

    /// Whoever has heard that it runs, and collects when it has ended meanwhile, collects again
    /// when he hears of the end.
    void theEndIsCollectedOnce()
    {
        int collected = 0, delivered = 0;
        LocalRunner runner(
            [&](const RunRequest &) { return std::make_unique<ReadTwiceRun>(collected); });
        const auto ids = runner.submit(std::vector{RunRequest{"job-1", {}, {}}}, 1);
        QTRY_VERIFY(runner.poll(ids).front().state == RunState::finished);
        for (int i = 0; i < 2; ++i) {
            const auto status =
                runner.collect(ids[0], [&](std::size_t, RunSnapshot) { ++delivered; }, {});
            QVERIFY(status.state == RunState::finished);
            QCOMPARE(status.log, std::string("collected"));
        }
        QCOMPARE(collected, 1);
        QCOMPARE(delivered, 2);
    }

    void whatCannotBeCollectedStaysSo()
    {
        int collected = 0;
        LocalRunner runner(
            [&](const RunRequest &) { return std::make_unique<ReadTwiceRun>(collected); });
        const auto ids = runner.submit(std::vector{RunRequest{"job-1", {}, {}}}, 1);
        QTRY_VERIFY(runner.poll(ids).front().state == RunState::finished);
        const auto refuse = [](std::size_t index, RunSnapshot) {
            if (index == 1)
                throw Error("there is no room");
        };
        for (int i = 0; i < 2; ++i)
            QVERIFY_EXCEPTION_THROWN(runner.collect(ids[0], refuse, {}), Error);
        QCOMPARE(collected, 1);
    }

    void whatIsCancelledEndsAndWhatWaitsNeverBegins()
    {
        Runs runs;
        const auto ids = runs.submit(3, 1);
        QTRY_COMPARE(runs.count(ids, RunState::running), std::size_t(1));
        runs.runner.cancel(ids);
        QTRY_COMPARE(runs.count(ids, RunState::cancelled), std::size_t(3));
        QCOMPARE(runs.atOnce.load(), 0);
    }

    void whatNobodyKnowsIsLost()
    {
        Runs runs;
        const auto ids = runs.submit(1, 1);
        runs.runner.release(ids[0]); // cancels it
        QTRY_COMPARE(runs.atOnce.load(), 0);
        QVERIFY(runs.runner.poll(ids).front().state == RunState::lost);
        QVERIFY(runs.runner.collect(ids[0], {}, {}).state == RunState::lost);
    }

    void plansNameWhereTheyRun()
    {
        const auto plan = parsePlan(planWith("[run]\non = \"local\"\n"), "plan", "/");
        QCOMPARE(plan.run.on, std::string("local"));
        QCOMPARE(runnerTypeOf(plan)->name, std::string("local"));
        QVERIFY(parsePlan(planWith(""), "plan", "/").run.on.empty());
        QVERIFY(runnerTypeOf(parsePlan(planWith(""), "plan", "/")) == runnerTypeOf(plan));
    }

    void plansThatNameNothingToRunOnAreRefused_data()
    {
        QTest::addColumn<QString>("run");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("nothing") << "[run]\n"
                                 << "on is missing";
        QTest::newRow("unknown") << "[run]\non = \"moon\"\n"
                                 << "choose from built-in, local";
        QTest::newRow("other") << "[run]\non = \"built-in\"\n"
                               << "cannot run this plan";
        QTest::newRow("option") << "[run]\non = \"local\"\npartition = \"short\"\n"
                                << "partition";
    }
    void plansThatNameNothingToRunOnAreRefused()
    {
        QFETCH(QString, run);
        QFETCH(QString, sentence);
        try {
            parsePlan(planWith(run.toStdString()), "plan", "/");
            QFAIL("it was taken");
        } catch (const PlanError &error) {
            QVERIFY2(QString(error.what()).contains(sentence), error.what());
        }
    }

    void settingsHaveTypesRangesAndDefaults()
    {
        const std::vector<RunnerOption> options{{"cores", 4, "", 1.0, 64.0, "of a run"},
                                                {"hours", 1.5, "h", 0.1, {}, "at most"},
                                                {"host", std::string("here"), "", {}, {}, "where"},
                                                {"keep", false, "", {}, {}, "folders"}};
        const auto document = parsePlanToml("cores = 8\nkeep = true\n", "plan");
        PlanTable table(document, "[run]", "plan");
        const auto settings = readRunSettings(table, options);
        QCOMPARE(std::get<int>(settings.at("cores")), 8);
        QCOMPARE(std::get<double>(settings.at("hours")), 1.5);
        QCOMPARE(std::get<std::string>(settings.at("host")), std::string("here"));
        QCOMPARE(std::get<bool>(settings.at("keep")), true);
        QVERIFY(problemOf("cores = 0\n", options).find("is below 1;") != std::string::npos);
        QVERIFY(problemOf("cores = 65\n", options).find("is above 64;") != std::string::npos);
        QVERIFY(problemOf("hours = 0\n", options).find("is below 0.1 h;") != std::string::npos);
        QVERIFY(!problemOf("cores = \"many\"\n", options).empty());
        QVERIFY(!problemOf("host = 3\n", options).empty());
        QVERIFY(!problemOf("memory = 3\n", options).empty());
    }
};

GRIDHELM_TEST(JobRunnerTest)
#include "tst_job_runner.moc"
