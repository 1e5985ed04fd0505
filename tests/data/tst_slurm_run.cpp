// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is concluded from what a cluster says of a run.
#include "data/campaign/cluster/slurm_run.h"
#include "data/campaign/cluster/slurm_scripts.h"
#include "tests/core/expect_error.h"

#include <QtTest>

#include <string>

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

void TestSlurmRun::scriptsQuoteEveryWord()
{
    const std::vector<std::string> arguments{"./a b", "it's", "$(id)", "\n"};
    const std::vector<std::pair<std::string, std::string>> environment{{"X", "a'b"}};
    QCOMPARE(commandScript(arguments, environment),
             std::string("#!/bin/sh\nexec env 'X=a'\\''b' './a b' 'it'\\''s' '$(id)' '\n'\n"));
}

QTEST_GUILESS_MAIN(TestSlurmRun)
#include "tst_slurm_run.moc"
