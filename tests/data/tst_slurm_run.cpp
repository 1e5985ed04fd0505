// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is concluded from what a cluster says of a run.
#include "data/campaign/cluster/host_news.h"
#include "data/campaign/cluster/slurm_ends.h"
#include "data/campaign/cluster/slurm_limits.h"
#include "data/campaign/cluster/slurm_run.h"
#include "data/campaign/cluster/slurm_scripts.h"
#include "data/campaign/desk_mark.h"
#include "data/campaign/plan_file.h"
#include "data/campaign/run_token.h"
#include "data/campaign/submitted_jobs.h"
#include "tests/core/expect_error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;
using Place = RunSeen::Place;

class TestSlurmRun : public QObject
{
    Q_OBJECT

private slots:
    void placesAndQueueMakeStates();
    void nobodyIsBelievedDeadAtOnce();
    void whatHasEndedStaysSo();
    void settingsAreNoOptions();
    void limitsAreReadAndRaised();
    void onlyWhatThePlanGrantsIsTriedAgain();
    void retriesAreWrittenAsATable();
    void aSilentClusterIsSpokenOfOnce();
    void waitsForGoodAreSaidOnce();
    void tokensSayWhoseTheyAre();
    void scriptsQuoteEveryWord();

private:
    static RunSeen seen(Place place, bool isQueued = false, bool isPending = false,
                        std::optional<int> code = {})
    {
        return {place, isQueued, isPending, "1_2", code};
    }
};

void TestSlurmRun::placesAndQueueMakeStates()
{
    SlurmRun run;
    QVERIFY(conclude(run, seen(Place::waits, true, true)) == Doubt::none);
    QVERIFY(run.status.state == RunState::queued);
    QVERIFY(conclude(run, seen(Place::started, true)) == Doubt::none);
    QVERIFY(run.status.state == RunState::running);
    QVERIFY(conclude(run, seen(Place::ended, true, false, 0)) == Doubt::none);
    QVERIFY(run.status.state == RunState::running); // its results are not here
    QVERIFY(conclude(run, seen(Place::ended, false, false, 1)) == Doubt::howItFailed);
    SlurmRun never;
    QVERIFY(conclude(never, seen(Place::nowhere)) == Doubt::whetherItStarts);
    QVERIFY(conclude(never, seen(Place::waits)) == Doubt::whetherItStarts);
    QVERIFY(conclude(never, seen(Place::claimed)) == Doubt::none);
    QVERIFY(never.status.state == RunState::lost);
    SlurmRun cancelled;
    cancelled.isCancelled = true;
    conclude(cancelled, seen(Place::claimed));
    QVERIFY(cancelled.status.state == RunState::cancelled);
}

void TestSlurmRun::nobodyIsBelievedDeadAtOnce()
{
    SlurmRun run;
    QVERIFY(conclude(run, seen(Place::started)) == Doubt::none);
    QVERIFY(conclude(run, seen(Place::started, true)) == Doubt::none); // it was there after all
    QVERIFY(conclude(run, seen(Place::started)) == Doubt::none);
    QVERIFY(conclude(run, seen(Place::started)) == Doubt::howItFailed);
    QVERIFY(conclude(run, seen(Place::ended, false, false, {})) == Doubt::howItFailed);
}

void TestSlurmRun::whatHasEndedStaysSo()
{
    for (const auto state : {RunState::finished, RunState::failed, RunState::lost}) {
        SlurmRun run;
        run.status.state = state;
        for (const auto place : {Place::nowhere, Place::started, Place::ended, Place::claimed})
            QVERIFY(conclude(run, seen(place)) == Doubt::none && run.status.state == state);
    }
}

void TestSlurmRun::settingsAreNoOptions()
{
    auto plan = slurmRunPlan();
    QVERIFY(isRefused([&] { slurmSettings(plan); }, "names no host"));
    plan.settings["host"] = std::string("local");
    QCOMPARE(slurmSettings(plan).folder, std::string("gridhelm-jobs"));
    for (const auto &[key, value] : std::map<std::string, std::string>{{"partition", "a b"},
                                                                       {"account", "$(id)"},
                                                                       {"time", "-1"},
                                                                       {"memory", "4 G"},
                                                                       {"modules", "gcc;id"},
                                                                       {"folder", "~/x"},
                                                                       {"host", "-x"}}) {
        auto wrong = plan;
        wrong.settings[key] = value;
        QVERIFY(isRefused([&] { slurmSettings(wrong); },
                          key == "host" ? "no name of a host" : "[run] " + key));
    }
}

void TestSlurmRun::limitsAreReadAndRaised()
{
    const std::map<std::string, std::optional<std::int64_t>> times{
        {"30", 1800},     {"30:15", 1815},   {"1:30:00", 5400},
        {"2-00", 172800}, {"1-2:30", 95400}, {"1-0:0:1", 86401},
        {"0", {}},        {"", {}},          {"UNLIMITED", {}},
        {"1:2:3:4", {}},  {"-5", {}},        {"1-", {}},
        {"x", {}},        {"5:", {}},        {"9999999999999999999", {}}};
    for (const auto &[text, seconds] : times)
        QVERIFY2(slurmSeconds(text) == seconds, text.c_str());
    QCOMPARE(slurmTime(1815), std::string("0:31:00"));
    QCOMPARE(slurmTime(2 * 95400), std::string("2-05:00:00"));
    QVERIFY(slurmMemory("4G", 2) == "8G");
    QVERIFY(slurmMemory("1500", 1.5) == "2250");
    for (const char *none : {"", "G", "0", "-1G", "4GB", "1.5G"})
        QVERIFY2(!slurmMemory(none, 2), none);
    QVERIFY(retryFactor("x2") == 2 && retryFactor("x1.5") == 1.5);
    for (const char *none : {"2", "x", "x1", "x0.5", "x101", "xnan", "x2x"})
        QVERIFY2(!retryFactor(none), none);
}

void TestSlurmRun::onlyWhatThePlanGrantsIsTriedAgain()
{
    auto plan = slurmRunPlan();
    plan.settings["host"] = std::string("local");
    plan.settings["time"] = std::string("30");
    QVERIFY(!nextTry(slurmSettings(plan), {}, RunLimit::time)); // it says nothing of that
    plan.settings["retry.time"] = std::string("x2");
    auto settings = slurmSettings(plan);
    auto next = nextTry(settings, {}, RunLimit::time);
    QVERIFY(next && next->raised == (RaisedLimits{1, 0}));
    QCOMPARE(next->how, std::string("time = 1:00:00 (1 of 2)"));
    next = nextTry(settings, next->raised, RunLimit::time);
    QCOMPARE(next->how, std::string("time = 2:00:00 (2 of 2)"));
    QVERIFY(!nextTry(settings, next->raised, RunLimit::time));
    QVERIFY(!nextTry(settings, {}, RunLimit::memory) && !nextTry(settings, {}, RunLimit::none));
    plan.settings["retry.memory"] = std::string("x3");
    QVERIFY(isRefused([&] { slurmSettings(plan); }, "memory of each run, which the plan does not"));
    plan.settings["memory"] = std::string("4G");
    settings = slurmSettings(plan);
    QCOMPARE(nextTry(settings, {1, 0}, RunLimit::memory)->how,
             std::string("memory = 12G (2 of 2)"));
    QVERIFY(!nextTry(settings, {1, 1}, RunLimit::time)); // both count together
    const auto raised = raisedSettings(settings, {1, 1});
    QCOMPARE(raised.time, std::string("1:00:00"));
    QCOMPARE(raised.memory, std::string("12G"));
    plan.settings["time"] = std::string("UNLIMITED");
    QVERIFY(isRefused([&] { slurmSettings(plan); }, "is no limit"));
    plan.settings["time"] = std::string("30");
    plan.settings["retry.time"] = std::string("twice");
    QVERIFY(isRefused([&] { slurmSettings(plan); }, "write it like time = \"x2\""));
    QVERIFY(limitOf("TIMEOUT") == RunLimit::time && limitOf("OUT_OF_MEMORY") == RunLimit::memory);
    for (const char *other : {"", "FAILED", "NODE_FAIL", "CANCELLED", "PREEMPTED", "DEADLINE"})
        QVERIFY2(limitOf(other) == RunLimit::none, other);
}

void TestSlurmRun::retriesAreWrittenAsATable()
{
    const auto plan = [](const std::string &run) {
        return parsePlan("[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 1\n[grid]\nlevel = "
                         "2\n[simulation]\ncommand = "
                         "\"x\"\nresult = \"r\"\n[run]\non = \"slurm\"\nhost = \"h\"\ntime = "
                         "\"30\"\n"
                             + run,
                         "plan", "/");
    };
    const auto retry = slurmSettings(plan("retry = { time = \"x2\", at-most = 3 }\n").run).retry;
    QCOMPARE(retry.time, 2.0);
    QCOMPARE(retry.memory, 1.0);
    QCOMPARE(retry.atMost, 3);
    QCOMPARE(slurmSettings(plan("").run).retry.time, 1.0);
    QVERIFY(isRefused([&] { plan("retry = { times = \"x2\" }\n"); }, "times"));
    QVERIFY(isRefused([&] { plan("retry = { at-most = 11 }\n"); }, "above 10 tries"));
    QVERIFY(isRefused([&] { plan("retry = \"x2\"\n"); }, "retry"));
}

void TestSlurmRun::aSilentClusterIsSpokenOfOnce()
{
    using namespace std::chrono_literals;
    const HostNews::Clock::time_point begin;
    HostNews silence("me@far", 60s, begin);
    silence.noteAnswer(begin + 60s);
    QVERIFY(silence.take().empty());
    silence.noteSilence("me@far cannot be reached", begin + 120s);
    silence.noteSilence("me@far cannot be reached", begin + 180s);
    QCOMPARE(silence.take(),
             (std::vector<std::string>{"No news of the runs on me@far for 1 min 0 s (me@far cannot "
                                       "be reached); they go on there, and it is asked again every "
                                       "1 min 0 s until it answers"}));
    silence.noteSilence("me@far cannot be reached", begin + 240s);
    QVERIFY(silence.take().empty());
    silence.noteAnswer(begin + 300s);
    silence.noteAnswer(begin + 360s);
    QCOMPARE(silence.take(), (std::vector<std::string>{"me@far answers again, after 4 min 0 s"}));
    silence.noteSilence("me@far was cut off", begin + 420s);
    QCOMPARE(silence.take().size(), std::size_t{1}); // another time
}

void TestSlurmRun::waitsForGoodAreSaidOnce()
{
    using namespace std::chrono_literals;
    const HostNews::Clock::time_point begin;
    HostNews news("me@far", 60s, begin);
    const auto look = [&](std::chrono::seconds at, const std::string &reason) {
        RunSeen run;
        run.reason = reason;
        news.noteWaits(std::array{run}, begin + at);
        return news.take();
    };
    QVERIFY(look(0s, "PartitionTimeLimit").empty());
    QVERIFY(look(1s, "PartitionTimeLimit").empty()); // asked for by hand
    QVERIFY(look(60s, "None").empty());              // as Slurm says now and then
    const auto said = look(120s, "PartitionTimeLimit");
    QCOMPARE(said.size(), std::size_t{1});
    QVERIFY(said.front().find("more time than their partition gives") != std::string::npos);
    QVERIFY(look(180s, "PartitionTimeLimit").empty());
    QVERIFY(look(240s, "InvalidAccount").empty());
    for (int i = 0; i < 5; ++i)
        QVERIFY(look(300s + i * 60s, "Priority").empty()); // that one passes
    QVERIFY(look(3600s, "InvalidAccount").empty());        // of another restart of the controller
    QCOMPARE(look(3660s, "InvalidAccount").size(), std::size_t{1});
}

void TestSlurmRun::tokensSayWhoseTheyAre()
{
    const std::string mark = "0123456789abcdef00112233";
    for (const auto &name : {runNameOf(JobId{12}), runNameOf(std::vector{0.5, 1.0})}) {
        for (const auto &desk : {std::string(), mark}) {
            for (const RaisedLimits raised : {RaisedLimits(), RaisedLimits{1, 2}}) {
                const std::string what = raised.time > 0 ? "89abcdef" : "";
                const auto token = newToken(name, raised, desk, what);
                const auto parts = partsOfToken(token);
                QCOMPARE(parts.what, desk.empty() ? std::string() : what);
                QCOMPARE(parts.name, name);
                QCOMPARE(parts.mark, desk);
                QVERIFY(parts.raised == raised);
                QVERIFY(partsOfToken("id-of-" + token).raised == raised);
                QVERIFY(partsOfToken(token + "-copy").name.empty());
                QVERIFY(newToken(name, raised, desk) != token);
            }
        }
    }
    QVERIFY(isSameDesk(mark, "01234567ffffffff00112233")
            && isSameDesk(mark, "ffffffff89abcdef00112233"));
    QVERIFY(isSameDesk(mark, "") && !isSameDesk(mark, "89abcdef0123456700112233"));
    // A number of eight digits is a name's, and no more than that.
    QCOMPARE(partsOfToken(newToken("run-12345678")).name, std::string("run-12345678"));
    QVERIFY(mayRunThis(partsOfToken(newToken("run-7", {}, mark)), "89abcdef"));
    QVERIFY(!mayRunThis(partsOfToken(newToken("run-7", {}, mark, "01234567")), "89abcdef"));
    // What may be taken for a study's run, or removed: of another study at its path, nothing.
    const auto token = newToken("run-7", {1, 0}, mark);
    QVERIFY(isOfStudy(token, mark) && isOfStudy(token, "01234567ffffffff00112233"));
    QVERIFY(!isOfStudy(token, "0123456789abcdef00112234"));
    for (const auto &other : {token + "-copy", "my-" + token, newToken("run-7"), std::string()})
        QVERIFY2(!isOfStudy(other, mark), other.c_str());
}

void TestSlurmRun::scriptsQuoteEveryWord()
{
    const std::vector<std::string> arguments{"./a b", "it's", "$(id)", "\n"};
    const std::vector<std::pair<std::string, std::string>> environment{{"X", "a'b"}};
    QCOMPARE(commandScript(arguments, environment),
             std::string("#!/bin/sh\nexec env 'X=a'\\''b' './a b' 'it'\\''s' '$(id)' '\n'\n"));
}

GRIDHELM_TEST(TestSlurmRun)
#include "tst_slurm_run.moc"
