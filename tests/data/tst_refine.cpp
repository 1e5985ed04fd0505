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
#include "tests/data/small_campaigns.h"
#include "tests/data/study_contents.h"
#include "tests/data/text_files.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// Two parameters and time, all times of which every run delivers.
std::string cavityPlan(int level, int times = 5)
{
    return "[[parameter]]\nname = \"Re\"\nlow = 100\nhigh = 400\ntreatment = \"leja\"\n"
           "[[parameter]]\nname = \"bottom\"\nlow = -0.5\nhigh = 0.5\ntreatment = \"leja\"\n"
           "[[parameter]]\nname = \"t\"\ntimes = "
           + std::to_string(times) + "\n[grid]\nlevel = " + std::to_string(level)
           + "\n[simulation]\nbuiltin = \"cavity\"\nresolution = 13\n";
}

/// A shell command of a and b, in awk; no time.
std::string formulaPlan(const std::string &formula, const std::string &treatment = "leja",
                        int level = 2, const std::string &then = "")
{
    const auto parameter = [&](const std::string &name) {
        return "[[parameter]]\nname = \"" + name + "\"\nlow = 0\nhigh = 1\ntreatment = \""
               + treatment + "\"\n";
    };
    return parameter("a") + parameter("b") + "[grid]\nlevel = " + std::to_string(level)
           + "\n[simulation]\ncommand = 'awk \"BEGIN { a = {a}; b = {b}; " + formula + " }\" > out"
           + then + "'\nresult = \"out\"\n";
}

StepControl control()
{
    StepControl control;
    control.files.read = readNumber;
    return control;
}

/// Agreed to.
RefineReport refine(StudyWriter &writer, const RefineStep &step, StepControl how = control())
{
    try {
        return refineStep(writer, step, how);
    } catch (const UntrustedExecution &error) {
        how.trusted = error.execution()->digest();
        return refineStep(writer, step, how);
    }
}

RefineStep forRuns(std::uint64_t runs)
{
    RefineStep step;
    step.runs = runs;
    step.jobs = 4;
    step.isDeterministic = true;
    return step;
}

std::uint64_t runsIn(const Study &study)
{
    return study.jobs().size();
}

} // namespace

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
    void modesAndKrigingAreMadeAgain();
    void noiseEndsIt();
    void runsGoToThePlaceThatMatters();
    void placesThatFillTheSpaceBecomeMore();
    void runsElsewhereAreSuggested();
    void whatWasExpectedIsRemembered();
    void gainsAreWhatBlocksAdd();
    void theIndicatorIsWhatLeavesAdd();
    void aGrowthByBlocksCanBeUndone();
    void studiesThatCannotBeRefinedSayWhy();
    void badWishesAreRefused();
    void blocksThatMakeNoGridAreRefused();
    void errorsAreForeseenFromThoseBefore();
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
    QVERIFY2(refineText(report, step).ends_with("the wished 3 % is reached"),
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
    for (const std::uint64_t runs : {1, 3, 10}) {
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
    step.until = before.estimate / 100;
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

void RefineTest::modesAndKrigingAreMadeAgain()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(2));
    refine(writer, forRuns(8));
    CompressStep compression;
    compression.modes = ModesStep{1e-6};
    compressStep(writer, compression, control());
    refine(writer, forRuns(3));
    QVERIFY(writer.modeSet(0) && !writer.kriging(0));
    QCOMPARE(writer.modeSet(0)->snapshots, writer.grid()->points());
    compression.modes.reset();
    compression.surrogate = SurrogateStep{SurrogateKind::kriging, {"velocity"}};
    compressStep(writer, compression, control());
    refine(writer, forRuns(2));
    const auto velocity = writer.fieldIndex("velocity");
    QVERIFY(writer.kriging(velocity) && !writer.kriging(1 - velocity));
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

void RefineTest::runsGoToThePlaceThatMatters()
{
    // A ridge at a = 0.2 that rises towards b = 1, and one at b = 0.8: at a = 0.2, b = 0 only the
    // first one is seen.
    const Folder folder;
    const std::string formula = "printf \\\"%.9g\\\", exp(-60*(a-0.2)^2) + exp(-60*(b-0.8)^2)";
    const auto levelsAt = [&](const std::string &name, const std::vector<double> &at) {
        auto writer = studyOf(folder / name, formulaPlan(formula));
        auto step = forRuns(24);
        step.at = at;
        refine(writer, step);
        return std::pair{writer.grid()->highestLevel(0), writer.grid()->highestLevel(1)};
    };
    const auto anywhere = levelsAt("anywhere", {});
    const auto here = levelsAt("here", {std::nan(""), 0.0}); // at b = 0, which is a point: any a
    QVERIFY(anywhere.first > 5 && anywhere.second > 5);
    QVERIFY2(here.first > anywhere.first + 3 && here.second < anywhere.second,
             qPrintable(QString("%1 %2").arg(here.first).arg(here.second)));
}

void RefineTest::placesThatFillTheSpaceBecomeMore()
{
    const Folder folder;
    auto plan = formulaPlan("printf \\\"%.9g\\\", exp(-3*(a-0.4)^2) / (1.2 + b)");
    for (int i = 0; i < 2; ++i)
        plan.erase(plan.find("treatment = \"leja\"\n"), 19);
    plan.replace(plan.find("level = 2"), 9, "design = \"space-filling\"\nruns = 8");
    auto writer = studyOf(folder / "s", plan);
    auto step = forRuns(20);
    step.holdOuts = 4;
    const auto report = refine(writer, step);
    QCOMPARE(report.end, RefineEnd::runs);
    QCOMPARE(report.runs, std::uint64_t{20});
    QCOMPARE(writer.trainingRuns().size(), std::size_t{16});
    QCOMPARE(writer.holdOuts().size(), std::size_t{4});
    QVERIFY(writer.kriging(0));
    QVERIFY(report.estimate > 0 && report.measured && *report.measured < 0.1);
    step.until = 0.01;
    GRIDHELM_EXPECT_ERROR(refine(writer, step));
}

void RefineTest::runsElsewhereAreSuggested()
{
    // The same runs as refining makes, delivered by hand.
    const Folder folder;
    const std::string formula = "printf \\\"%.9g\\\", exp(-9*(a-0.4)^2) / (1.2 + b)";
    auto refined = studyOf(folder / "refined", formulaPlan(formula));
    refine(refined, forRuns(9));
    auto description = parsePlan(formulaPlan(formula), "plan", ".").description;
    description.simulation.clear();
    auto byHand = StudyWriter::create(folder / "hand", description);
    GRIDHELM_EXPECT_ERROR(suggestStep(byHand, forRuns(1), control())); // no results yet
    const auto deliver = [&] {
        const auto field = byHand.addField(refined.fields()[0]);
        for (std::uint64_t point = 0; point < byHand.grid()->points(); ++point) {
            std::vector<sparse::Level> levels(2);
            std::vector<std::uint32_t> positions(2);
            byHand.grid()->idx2gp(point, levels, positions);
            std::vector<float> value(1);
            QVERIFY(refined.readSnapshot(refined.grid()->gp2idx(levels, positions), 0, value));
            if (!byHand.pointsWithSnapshots(field)[point])
                byHand.putSnapshot(point, field, value);
        }
        byHand.finishDeliveredJobs("by hand");
    };
    for (auto runs = runsIn(byHand); runs < 9; runs = runsIn(byHand)) {
        deliver();
        const auto report = suggestStep(byHand, forRuns(1), control());
        QCOMPARE(report.runs, std::uint64_t{1});
        QCOMPARE(report.points.size(), std::size_t{1});
        QVERIFY(report.estimate > 0);
        GRIDHELM_EXPECT_ERROR(suggestStep(byHand, forRuns(1), control())); // one waits
    }
    deliver();
    QVERIFY(byHand.refinements() == refined.refinements());
}

void RefineTest::whatWasExpectedIsRemembered()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(2));
    const auto report = refine(writer, forRuns(16));
    const auto refinements = writer.refinements();
    QCOMPARE(refinements.size(), report.blocks);
    std::uint64_t runs = 3; // of level 2
    std::int64_t generation = 1;
    for (const auto &refinement : refinements) {
        runs += refinement.runs;
        QVERIFY(refinement.generation >= generation);
        generation = refinement.generation;
        QCOMPARE(refinement.levels.size(), std::size_t{3});
        QVERIFY(refinement.predictedGain >= 0 && refinement.predictedGain < 1);
    }
    QCOMPARE(runs, runsIn(writer));
    // The error falls, and it is known by how many runs.
    std::vector<ErrorThen> estimates;
    for (const auto &error : writer.errorHistory())
        if (error.kind == HistoryKind::estimate && error.field == 0)
            estimates.push_back(error);
    QVERIFY(estimates.size() > 2);
    QCOMPARE(estimates.front().runs, std::uint64_t{3});
    QCOMPARE(estimates.back().runs, runsIn(writer));
    QVERIFY(estimates.back().error < estimates.front().error);
    writer.close();
    const auto again = Study::open(folder / "s");
    QVERIFY(again.refinements() == refinements);
}

void RefineTest::gainsAreWhatBlocksAdd()
{
    // Of a + b^2 by polynomials: the constant, then exactly these, then nothing.
    const Folder folder;
    auto writer = studyOf(folder / "s", formulaPlan("printf \\\"%.9g\\\", a + b*b", "leja", 5));
    runAll(writer);
    compress(writer, {});
    const BlockGains gains(writer, 0);
    const auto near = [](std::optional<double> found, double expected) {
        return found && std::abs(*found - expected) <= 0.1 * expected + 1e-6;
    };
    using Levels = std::vector<sparse::Level>;
    QVERIFY(near(gains.of(Levels{0, 0}), 0.75));
    QVERIFY(near(gains.of(Levels{1, 0}), 0.5 * std::sqrt(1.0 / 3))); // 0.5 (1 - 2 a)
    QVERIFY(near(gains.of(Levels{3, 0}), 0));
    QVERIFY(near(gains.of(Levels{1, 1}), 0));
    QVERIFY(near(gains.of(Levels{0, 3}), 0));
    GRIDHELM_EXPECT_ERROR(gains.of(Levels{4, 4}));
}

void RefineTest::theIndicatorIsWhatLeavesAdd()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(2));
    refine(writer, forRuns(14));
    const auto &grid = *writer.grid();
    FieldSurrogate surrogate(writer, 0);
    surrogate.loadAll(writer);
    const auto count = writer.fields()[0].values();
    const std::vector x{0.37, 0.81, 0.6};
    std::vector<float> values(count), indicator(count), inner(count), none(count);
    surrogate.evaluate(x, {values, indicator}, CpuDevice{});
    FieldSurrogate withoutLeaves(writer, 0);
    withoutLeaves.load(writer, grid.groups() - 1);
    withoutLeaves.evaluate(x, {inner, none}, CpuDevice{});
    bool isAny = false;
    for (std::size_t i = 0; i < count; ++i) {
        QVERIFY(std::abs(std::abs(values[i] - inner[i]) - std::abs(indicator[i])) < 1e-5F);
        isAny = isAny || std::abs(indicator[i]) > 1e-5F;
    }
    QVERIFY(isAny);
}

void RefineTest::aGrowthByBlocksCanBeUndone()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(2));
    refine(writer, forRuns(8));
    const auto before = writer.refinements();
    const auto points = writer.grid()->points();
    Refinement more{0, {7, 0, -1}, 1, 0.5, false};
    more.levels[0] = static_cast<sparse::Level>(writer.grid()->highestLevel(0) + 1);
    writer.growBlocks({&more, 1});
    QCOMPARE(writer.grid()->points(), points + 5);
    QCOMPARE(writer.refinements().size(), before.size() + 1);
    QCOMPARE(undoGrowth(writer).jobs, std::size_t{1});
    QCOMPARE(writer.grid()->points(), points);
    QVERIFY(writer.refinements() == before);
    QVERIFY(writer.grid()->grouping() == sparse::Grouping::leavesLast);
}

void RefineTest::studiesThatCannotBeRefinedSayWhy()
{
    const Folder folder;
    const auto errorOf = [&](const std::string &plan) {
        const auto path = folder / "s";
        std::filesystem::remove(path);
        auto writer = studyOf(path, plan);
        try {
            refine(writer, forRuns(3));
        } catch (const Error &error) {
            return std::string(error.what());
        }
        return std::string();
    };
    QVERIFY(errorOf("[study]\nkind = \"scalar\"\n[[space]]\nname = \"px\"\n[[space]]\n"
                    "name = \"py\"\n[[parameter]]\nname = \"strength\"\n[grid]\nlevel = 2\n"
                    "[simulation]\nbuiltin = \"plate\"\nresolution = 17\n")
                .find("scalar")
            != std::string::npos);
    QVERIFY(errorOf("[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 1\n[grid]\nlevel = 2\n")
                .find("simulation")
            != std::string::npos);
    // Of older versions: time counts.
    auto description = parsePlan(cavityPlan(2), "plan", ".").description;
    auto parameters = description.space.parameters();
    parameters[2].isDense = false;
    description.space = ParameterSpace(parameters);
    auto old = StudyWriter::create(folder / "old", description);
    GRIDHELM_EXPECT_ERROR(refine(old, forRuns(3)));
    GRIDHELM_EXPECT_ERROR(requireRefinable(old));
    // Somebody else is at it.
    auto one = studyOf(folder / "one", cavityPlan(1));
    GRIDHELM_EXPECT_ERROR(StudyWriter::open(folder / "one"));
}

void RefineTest::badWishesAreRefused()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(1));
    const auto refused = [&](auto change) {
        auto step = forRuns(4);
        change(step);
        GRIDHELM_EXPECT_ERROR(refine(writer, step));
    };
    refused([](RefineStep &step) { step.runs = 0; });
    writer.growGrid(3, std::vector{3, 3, 3}); // more wait than are granted
    refused([](RefineStep &) {});
    undoGrowth(writer);
    refused([](RefineStep &step) { step.runs.reset(); });
    for (const double error : {0.0, -1.0, 1e-9, 1.0, 7.0, std::nan("")})
        refused([&](RefineStep &step) { step.until = error; });
    for (const double hours : {0.0, -1.0, std::nan("")})
        refused([&](RefineStep &step) { step.hours = hours; });
    QCOMPARE(runsIn(writer), std::size_t{1});
    refused([](RefineStep &step) { step.at = {1.0}; });
    refused([](RefineStep &step) { step.at = {1e6, 0.0, 1.0}; });
    refused([](RefineStep &step) { step.field = "nothing"; });
}

void RefineTest::blocksThatMakeNoGridAreRefused()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(2));
    const auto points = writer.grid()->points();
    const auto lowest = writer.grid()->levelVector(0)[2];
    const auto refused = [&](std::vector<sparse::Level> levels) {
        const Refinement block{0, std::move(levels), 1, 0.1, false};
        GRIDHELM_EXPECT_ERROR(writer.growBlocks({&block, 1}));
        QCOMPARE(writer.grid()->points(), points);
        QVERIFY(writer.refinements().empty());
    };
    refused({5, 0, lowest});   // a gap
    refused({1, 0, lowest});   // is there
    refused({-1, 0, lowest});  // leja has none
    refused({100, 0, lowest}); // nor that
    refused({2, 0});
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void RefineTest::errorsAreForeseenFromThoseBefore()
{
    const std::vector<ErrorAtRuns> squares{{10, 1e-2}, {20, 2.5e-3}, {40, 6.25e-4}};
    const auto runs = runsForError(squares, 1e-4);
    QVERIFY(runs && std::abs(*runs - 100) < 1e-6);
    QCOMPARE(runsForError(squares, 1e-2), std::optional(40.0)); // it is there
    QVERIFY(!runsForError(squares, 1e-12));                     // beyond all experience
    QVERIFY(!runsForError(std::vector<ErrorAtRuns>{{10, 1e-2}}, 1e-3));
    QVERIFY(!runsForError(std::vector<ErrorAtRuns>{{10, 1e-2}, {20, 2e-2}}, 1e-3));
    QVERIFY(!runsForError(std::vector<ErrorAtRuns>{{19, 1e-2}, {20, 9e-3}}, 1e-3));
    QVERIFY(!runsForError({}, 1e-3));
}

QTEST_GUILESS_MAIN(RefineTest)
#include "tst_refine.moc"
