// SPDX-License-Identifier: GPL-3.0-or-later
//
// Campaigns that go where the error is: they end where they shall, are booked exactly, and go
// around what fails.
#include "data/campaign/refine_step.h"

#include "core/surrogate/error_curve.h"
#include "data/evaluate/block_gains.h"
#include "data/evaluate/field_surrogate.h"
#include "data/study/check.h"
#include "data/study/undo_growth.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/refine_cases.h"
#include "tests/data/study_contents.h"
#include "tests/data/text_files.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

class RefineTest : public QObject
{
    Q_OBJECT

private slots:
    void theWishedErrorIsReachedAndConfirmed();
    void fewerRunsThanARegularGridForTheSameError();
    void allTimesOfEveryRunAreThere();
    void interruptionsChangeNothing();
    void theNumberOfJobsAtATimeChangesNothing();
    void theBudgetIsKept();
    void itGoesAroundWhatFails();
    void failuresAreNoProgress();
    void nothingSeenIsNothingKnown();
    void whatCapsForbidIsLackingAllTheSame();
    void noiseEndsIt();
};

void RefineTest::theWishedErrorIsReachedAndConfirmed()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(2, 17));
    RefineStep step;
    step.until = 0.03;
    step.holdOuts = 12;
    step.jobs = 2;
    const auto report = refine(writer, step);
    QVERIFY2(report.end == RefineEnd::reached, refineText(report, {}).c_str());
    QVERIFY(report.measured && *report.measured <= 0.03);
    QVERIFY(report.blocks > 0 && report.failed == 0);
    QVERIFY2(refineText(report, step).ends_with("error criterion of 3 % reached"),
             refineText(report, step).c_str());
    // Again: what is confirmed is so at other places.
    const auto holdOuts = writer.holdOuts();
    const auto again = refine(writer, step);
    QVERIFY(again.end == RefineEnd::reached);
    QVERIFY(writer.trainingRuns().size() >= holdOuts.size());
    for (const auto &holdOut : writer.holdOuts())
        for (const auto &before : holdOuts)
            QVERIFY(holdOut.parameters != before.parameters);
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void RefineTest::fewerRunsThanARegularGridForTheSameError()
{
    const Folder folder;
    const std::string formula = "printf \\\"%.9g\\\", exp(-20*(a-0.4)^2) * (1+b)";
    const auto errorAt = [&](StudyWriter &writer) {
        FieldSurrogate surrogate(writer, 0);
        surrogate.loadAll(writer);
        double errors = 0, squares = 0;
        for (int i = 0; i < 400; ++i) {
            const std::vector x{std::fmod(i * 0.754877, 1.0), std::fmod(i * 0.569840, 1.0)};
            std::vector<float> value(1);
            surrogate.evaluate(x, {value, {}}, CpuDevice{});
            const double exact = std::exp(-20 * std::pow(x[0] - 0.4, 2)) * (1 + x[1]);
            errors += std::pow(exact - static_cast<double>(value[0]), 2);
            squares += exact * exact;
        }
        return std::sqrt(errors / squares);
    };
    auto adaptive = studyOf(folder / "adaptive", formulaPlan(formula));
    refine(adaptive, forRuns(33));
    QVERIFY(runsIn(adaptive) <= 33);
    auto regular = studyOf(folder / "regular", formulaPlan(formula, "leja", 8)); // 36 runs
    QVERIFY(runsIn(regular) > runsIn(adaptive));
    runAll(regular);
    compress(regular, {});
    QVERIFY2(errorAt(adaptive) < errorAt(regular) / 10,
             qPrintable(QString("%1 beside %2").arg(errorAt(adaptive)).arg(errorAt(regular))));
}

void RefineTest::allTimesOfEveryRunAreThere()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(1));
    refine(writer, forRuns(9));
    QCOMPARE(runsIn(writer), std::size_t{9});
    QCOMPARE(writer.grid()->points(), std::uint64_t{9 * 5});
    QVERIFY(writer.grid()->grouping() == sparse::Grouping::leavesLast);
    for (const auto &job : writer.jobs()) {
        QCOMPARE(job.points.size(), std::size_t{5});
        QVERIFY(job.state == JobState::done);
    }
    // At every run and time the surrogate is the snapshot.
    FieldSurrogate surrogate(writer, 0);
    surrogate.loadAll(writer);
    const auto count = writer.fields()[0].values();
    for (std::uint64_t point = 0; point < writer.grid()->points(); ++point) {
        std::vector<double> x(3);
        writer.grid()->coordinates(point, x);
        std::vector<float> exact(count), values(count);
        QVERIFY(writer.readSnapshot(point, 0, exact));
        surrogate.evaluate(x, {values, {}}, CpuDevice{});
        for (std::size_t i = 0; i < count; ++i)
            QVERIFY(std::abs(values[i] - exact[i]) < 2e-6F);
    }
}

void RefineTest::interruptionsChangeNothing()
{
    const Folder folder;
    const std::string formula = "printf \\\"%.9g\\\", exp(-9*(a-0.4)^2) / (1.2 + b)";
    auto whole = studyOf(folder / "whole", formulaPlan(formula));
    refine(whole, forRuns(40));
    auto broken = studyOf(folder / "broken", formulaPlan(formula, "leja", 2, "; sleep 0.02"));
    int interruptions = 0;
    for (int round = 0; round < 100 && runsIn(broken) <= 40; ++round) {
        std::stop_source stop;
        auto how = control();
        how.stop = stop.get_token();
        how.patience = 0;
        how.progress = [&](const StepProgress &progress) {
            if (progress.counts.done >= 1)
                stop.request_stop();
        };
        const auto done = static_cast<std::uint64_t>(
            std::ranges::count(broken.jobs(), JobState::done, &Job::state));
        if (done >= 40)
            break;
        auto step = forRuns(40 - done);
        const auto report = refine(broken, step, how);
        interruptions += report.end == RefineEnd::cancelled ? 1 : 0;
        for (const auto &job : broken.jobs())
            QVERIFY(job.state == JobState::waiting || job.state == JobState::done);
    }
    QVERIFY2(interruptions >= 3, qPrintable(QString::number(interruptions)));
    QVERIFY(broken.refinements() == whole.refinements());
    compress(broken, {});
    QCOMPARE(allCoefficients(broken), allCoefficients(whole));
    broken.close();
    QCOMPARE(problemsOf(folder / "broken"), std::string());
}

void RefineTest::theNumberOfJobsAtATimeChangesNothing()
{
    const Folder folder;
    std::vector<std::vector<Refinement>> chosen;
    std::vector<std::vector<std::vector<float>>> coefficients;
    for (const int jobs : {1, 5}) {
        auto writer = studyOf(folder / std::to_string(jobs), cavityPlan(2));
        auto step = forRuns(20);
        step.jobs = jobs;
        step.context = onCpu(jobs);
        refine(writer, step);
        chosen.push_back(writer.refinements());
        coefficients.push_back(allCoefficients(writer));
    }
    QVERIFY(!chosen[0].empty() && chosen[0] == chosen[1]);
    QVERIFY(coefficients[0] == coefficients[1]);
}

void RefineTest::theBudgetIsKept()
{
    const Folder folder;
    for (const std::uint64_t runs : {3, 10}) {
        for (const auto &treatment : {"leja", "clenshaw-curtis", "boundary", "modified"}) {
            const auto path = folder / (treatment + std::to_string(runs));
            auto writer =
                studyOf(path, formulaPlan("printf \\\"%.9g\\\", sin(3*a)+b*b", treatment, 1));
            const auto first = runsIn(writer);
            const auto report = refine(writer, forRuns(first + runs));
            QVERIFY2(report.end == RefineEnd::runs, refineText(report, {}).c_str());
            QVERIFY(report.runs >= first && report.runs <= first + runs);
            QCOMPARE(report.runs, runsIn(writer));
        }
    }
    // Those that confirm an error are kept back, too; if there are none left, it is not reached.
    auto wished = studyOf(folder / "wished",
                          formulaPlan("printf \\\"%.9g\\\", sin(9*a+1)*cos(7*b)", "leja", 1));
    RefineStep until = forRuns(30);
    until.until = 0.2;
    until.holdOuts = 6;
    const auto confirmed = refine(wished, until);
    QVERIFY(confirmed.runs <= 30);
    QVERIFY(confirmed.end == RefineEnd::reached ? *confirmed.measured <= 0.2
                                                : confirmed.end == RefineEnd::runs);
    // Hold-outs are runs as well.
    auto writer = studyOf(folder / "held", formulaPlan("printf \\\"%.9g\\\", sin(3*a)+b*b"));
    auto step = forRuns(20);
    step.holdOuts = 8;
    const auto report = refine(writer, step);
    QCOMPARE(writer.holdOuts().size(), std::size_t{8});
    QCOMPARE(report.runs, runsIn(writer) + 8);
    QVERIFY(report.runs <= 20 && report.measured);
}

void RefineTest::itGoesAroundWhatFails()
{
    const Folder folder;
    // Nothing comes from the corner a > 0.75, b > 0.75.
    auto writer = studyOf(
        folder / "s",
        formulaPlan("if (a > 0.75 && b > 0.75) exit 1; printf \\\"%.9g\\\", exp(-3*a) * (1+b)"));
    const auto report = refine(writer, forRuns(40));
    QVERIFY2(report.end == RefineEnd::runs, refineText(report, {}).c_str());
    QVERIFY(report.failed > 0 && report.failed < 20);
    QCOMPARE(report.runs + report.failed, runsIn(writer));
    QVERIFY(report.runs + report.failed <= 40);
    FieldSurrogate surrogate(writer, 0);
    surrogate.loadAll(writer);
    std::vector<float> value(1);
    surrogate.evaluate(std::vector{0.3, 0.2}, {value, {}}, CpuDevice{});
    QVERIFY(std::abs(static_cast<double>(value[0]) - std::exp(-0.9) * 1.2) < 0.01);

    auto hopeless = studyOf(folder / "none", formulaPlan("exit 1"));
    GRIDHELM_EXPECT_ERROR(refine(hopeless, forRuns(40)));
}

void RefineTest::failuresAreNoProgress()
{
    // After twelve runs the program is broken.
    const Folder folder;
    const auto broken = (folder / "broken").string();
    auto writer =
        studyOf(folder / "s", formulaPlan("if (!system(\\\"test -e " + broken
                                          + "\\\")) exit 1; printf \\\"%.9g\\\", exp(-3*a)*(1+b)"));
    const auto before = refine(writer, forRuns(12));
    QCOMPARE(before.failed, std::uint64_t{0});
    writeText(broken, "");
    RefineStep step;
    step.until = *before.estimate / 100;
    step.holdOuts = 4;
    step.isDeterministic = true;
    const auto report = refine(writer, step);
    QVERIFY2(report.end == RefineEnd::failures, refineText(report, step).c_str());
    QVERIFY(report.failed >= 5 && report.failed <= 20 && report.runs == 0);
    QVERIFY(report.estimate >= before.estimate && !report.measured);
    // Enough is known by estimate, but nothing confirms it.
    step.until = 0.9;
    const auto unconfirmed = refine(writer, step);
    QVERIFY2(unconfirmed.end == RefineEnd::failures, refineText(unconfirmed, step).c_str());
    QCOMPARE(unconfirmed.failed, std::uint64_t{4});
}

void RefineTest::nothingSeenIsNothingKnown()
{
    // 0 at all points of the first levels.
    const Folder folder;
    auto writer = studyOf(folder / "s", formulaPlan("printf \\\"%.9g\\\", (a-0.5)*a*(1-a)*(1+b)"));
    RefineStep step;
    step.until = 0.01;
    const auto report = refine(writer, step);
    QVERIFY(report.end == RefineEnd::reached);
    QVERIFY(report.runs > 3);
    FieldSurrogate surrogate(writer, 0);
    surrogate.loadAll(writer);
    std::vector<float> value(1);
    surrogate.evaluate(std::vector{0.25, 0.5}, {value, {}}, CpuDevice{});
    QVERIFY(std::abs(value[0] + 0.25 * 0.25 * 0.75 * 1.5) < 1e-3);
}

void RefineTest::whatCapsForbidIsLackingAllTheSame()
{
    const Folder folder;
    auto plan = formulaPlan("printf \\\"%.9g\\\", exp(-9*(a-0.4)^2)*(1+b)", "leja", 3);
    plan.replace(plan.find("name = \"a\"\n"), 11, "name = \"a\"\ncap = 2\n");
    plan.replace(plan.find("name = \"b\"\n"), 11, "name = \"b\"\ncap = 3\n");
    auto writer = studyOf(folder / "s", plan);
    RefineStep step;
    step.until = 0.01;
    const auto report = refine(writer, step);
    QVERIFY2(report.end == RefineEnd::exhausted, refineText(report, step).c_str());
    QCOMPARE(runsIn(writer), std::size_t{6}); // 2 levels times 3, of one point each
    QVERIFY(report.estimate > 0.1);
    // What is undone leaves the caps that the user has given.
    writer.growGrid(4, std::vector{4, 4});
    undoGrowth(writer);
    QCOMPARE(writer.description().space[0].levelCap, std::optional(2));
}

void RefineTest::noiseEndsIt()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", formulaPlan("srand(int(1e6*(a+7*b))); printf \\\"%.9g\\\", "
                                                    "1 + a + 0.1 * rand()"));
    RefineStep step;
    step.until = 0.0001;
    step.jobs = 8;
    const auto report = refine(writer, step);
    QVERIFY2(report.end == RefineEnd::noise, refineText(report, {}).c_str());
    QVERIFY(runsIn(writer) < 400);
    QVERIFY(report.estimate > 0.001);
    QVERIFY(refineText(report, step).find("noise") != std::string::npos);
}

GRIDHELM_TEST(RefineTest)
#include "tst_refine.moc"
