// SPDX-License-Identifier: GPL-3.0-or-later
//
// Campaigns of small simulations and shell commands: how they end, and go on.
#include "data/campaign/campaign_steps.h"
#include "data/campaign/run_timing.h"
#include "tests/core/on_cpu.h"
#include "tests/data/small_campaigns.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm;
using namespace gridhelm::data;

class TestCampaign : public QObject
{
    Q_OBJECT

private slots:
    void interruptedCampaignEndsLikeAnUninterruptedOne()
    {
        const test::Folder folder;
        // Every job takes far longer than it takes to hear that it shall stop.
        auto plan =
            test::timePlan("command = 'for t in {times}; do echo $t {a}; done > out; sleep 0.3'\n"
                           "result = \"out\"\n");
        plan.replace(plan.find("level = 2"), 9, "level = 4");
        auto whole = test::studyOf(folder / "whole.gridhelm", plan);
        CampaignOptions all;
        all.jobs = 8;
        QCOMPARE(test::runAll(whole, all, test::readSeries).failed, std::size_t(0));
        compress(whole, {});
        auto broken = test::studyOf(folder / "broken.gridhelm", plan);
        int cancelled = 0;
        for (int round = 0; round < 100; ++round) {
            std::size_t done = 0;
            CampaignOptions options;
            options.jobs = 2;
            options.progress = [&](const auto &progress) { done = progress.done; };
            options.cancelled = [&] { return done >= 1; };
            const auto report = test::runAll(broken, options, test::readSeries);
            if (!report.cancelled)
                break;
            ++cancelled;
            for (const auto &job : broken.jobs())
                QVERIFY(job.state == JobState::waiting || job.state == JobState::done);
            QVERIFY(!std::filesystem::exists(workFolderOf(folder / "broken.gridhelm")));
            if (!broken.fields().empty())
                compress(broken, {});
        }
        QVERIFY2(cancelled >= 2, qPrintable(QString::number(cancelled)));
        QCOMPARE(test::runAll(broken).waiting, std::size_t(0));
        compress(broken, {});
        QCOMPARE(test::allCoefficients(broken), test::allCoefficients(whole));
        broken.close();
        QCOMPARE(test::problemsOf(folder / "broken.gridhelm"), std::string());
    }

    /// Runs end in another order, and everything is shared out in another way.
    void aStudyIsTheSameWithAnyNumberOfThreads()
    {
        const test::Folder folder;
        const std::string plan = "[[parameter]]\nname = \"Re\"\n[[parameter]]\nname = \"t\"\n"
                                 "[grid]\nlevel = 4\n"
                                 "[simulation]\nbuiltin = \"cavity\"\nresolution = 17\n";
        std::vector<std::vector<std::vector<float>>> coefficients;
        std::vector<std::vector<ErrorFigure>> figures;
        for (const int threads : {1, 3, 16}) {
            auto writer = test::studyOf(folder / (std::to_string(threads) + ".gridhelm"), plan);
            RunStep run;
            run.jobs = threads;
            QCOMPARE(runStep(writer, run, {}).waiting, std::size_t(0));
            CompressStep compression;
            compression.context = test::onCpu(threads);
            compression.holdOuts = 12;
            QCOMPARE(compressStep(writer, compression, {}).holdOuts.done, std::size_t(12));
            coefficients.push_back(test::allCoefficients(writer));
            figures.push_back(writer.errorFigures());
        }
        for (std::size_t i = 1; i < coefficients.size(); ++i) {
            QVERIFY(coefficients[i] == coefficients[0]);
            QCOMPARE(figures[i].size(), figures[0].size());
            for (std::size_t k = 0; k < figures[0].size(); ++k) {
                QVERIFY(figures[i][k].parameters == figures[0][k].parameters);
                QVERIFY(figures[i][k].relativeL2 == figures[0][k].relativeL2);
                QVERIFY(figures[i][k].maximum == figures[0][k].maximum);
            }
        }
    }

    void pausedCampaignEndsJobsInFlightAndBeginsNoOthers()
    {
        const test::Folder folder;
        auto plan = test::commandPlan("command = 'sleep 0.5; echo {a} > out'\nresult = \"out\"\n");
        plan.replace(plan.find("level = 2"), 9, "level = 3");
        auto writer = test::studyOf(folder / "study.gridhelm", plan);
        CampaignOptions options;
        options.jobs = 2;
        options.pausing = [] { return true; };
        const auto report = test::runAll(writer, options);
        QVERIFY(report.paused && !report.cancelled);
        QCOMPARE(report.done, std::size_t(2)); // those that were on their way
        QCOMPARE(report.waiting, writer.jobs().size() - 2);
        options.pausing = {};
        options.jobs = 8;
        const auto rest = test::runAll(writer, options);
        QVERIFY(!rest.paused);
        QCOMPARE(rest.waiting, std::size_t(0));
        options.pausing = [] { return true; };
        QVERIFY(!test::runAll(writer, options).paused); // nothing was left out
    }

    void remainingTimeCountsRunsAtATime()
    {
        using State = RunTiming::State;
        const RunTiming ended{State::ended, 10, 1}, waiting{}, fresh{State::running, 4, 0};
        QCOMPARE(secondsRemaining({waiting, fresh}, 2), -1.0);
        QCOMPARE(secondsRemaining({ended, waiting, waiting, waiting, waiting}, 2), 20.0);
        QCOMPARE(secondsRemaining({ended, fresh}, 2), 6.0);
        QCOMPARE(secondsRemaining({{State::running, 10, 0.25}}, 1), 30.0);
        QCOMPARE(secondsRemaining({{State::failed, 0.1, 0}, ended, waiting}, 1), 10.0);
        QCOMPARE(secondsRemaining({ended, ended}, 2), 0.0);
    }

    void failedCommandLeavesNothingButItsLog()
    {
        const test::Folder folder;
        // The first of its times is there, and read; the others are not.
        auto writer =
            test::studyOf(folder / "a.gridhelm",
                          test::timePlan("command = 'echo 0 {a} > out'\nresult = \"out\"\n"));
        const auto report = test::runAll(writer, {}, test::readSeries);
        QCOMPARE(report.done, std::size_t(0));
        QVERIFY2(report.firstFailure.find("lacks t = ") != std::string::npos,
                 report.firstFailure.c_str());
        QVERIFY(writer.fields().empty());
        QVERIFY(!writer.mesh());
    }

    void exitCodesOfShellsAreExplained()
    {
        const test::Folder folder;
        auto writer =
            test::studyOf(folder / "s.gridhelm",
                          test::commandPlan("command = 'no-such-solver {a}'\nresult = \"out\"\n"));
        const auto report = test::runAll(writer);
        QVERIFY2(report.firstFailure.find("127, which means that there is no such program")
                     != std::string::npos,
                 report.firstFailure.c_str());
    }

    void failedJobsKeepTheirLogAndRunAgain()
    {
        const test::Folder folder;
        const auto path = folder / "it's a study.gridhelm";
        auto writer =
            test::studyOf(path, test::commandPlan("command = 'echo working on {a}; test -e "
                                                  "../../fixed || exit 3; echo {a} > out'\n"
                                                  "result = \"out\"\n"));
        auto report = test::runAll(writer);
        QVERIFY(report.failed > 0 && report.done == 0);
        const auto log = writer.jobLog(report.firstFailed);
        QVERIFY2(log.find("working on") != log.npos && log.find("exit code 3") != log.npos,
                 log.c_str());
        test::writeBytes(folder / "fixed", {});
        QCOMPARE(test::runAll(writer).done, std::size_t(0)); // not without being asked
        CampaignOptions again;
        again.retryFailed = true;
        QCOMPARE(test::runAll(writer, again).failed, std::size_t(0));
        QCOMPARE(writer.missingPoints(0), std::uint64_t(0));
    }

    void timeLimitEndsTheWholeProcessGroupAndOtherJobsGoOn()
    {
        const test::Folder folder;
        // At a = 2 alone: a grandchild that ignores the polite signal would write later.
        auto writer = test::studyOf(
            folder / "a.gridhelm",
            test::commandPlan(
                "command = 'echo {a} > out; if [ {a} = 2 ]; then (trap \"\" TERM; sleep 4; "
                "touch ../../survived) & sleep 60; fi'\nresult = \"out\"\n"
                "time-limit = 0.5\n"));
        const auto report = test::runAll(writer);
        QCOMPARE(report.failed, std::size_t(1));
        QCOMPARE(report.done, writer.jobs().size() - 1);
        QVERIFY2(report.firstFailure.find("longer than its time limit of 0.5 s")
                     != std::string::npos,
                 report.firstFailure.c_str());
        QTest::qWait(4500);
        QVERIFY(!std::filesystem::exists(folder / "survived"));
    }
};

GRIDHELM_TEST(TestCampaign)
#include "tst_campaign.moc"
