// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adaptive studies whose runs are points of the grid and places off it, in the shares that suit
// what they are evaluated by.
#include "data/campaign/fill_step.h"
#include "data/campaign/refine_step.h"
#include "data/campaign/run_mixture.h"
#include "data/compress/compress.h"
#include "data/evaluate/field_surrogate.h"
#include "data/evaluate/older_half.h"
#include "data/evaluate/scalar_spread.h"
#include "data/evaluate/surrogate_choice.h"
#include "data/study/check.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/refine_cases.h"
#include "tests/data/study_contents.h"
#include "tests/data/text_files.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// Nothing is said but that it is adaptive.
std::string adaptivePlan(const std::string &formula, const std::string &then = "")
{
    return "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 1\n[[parameter]]\nname = \"b\"\nlow = 0\n"
           "high = 1\n[grid]\ndesign = \"adaptive\"\n[simulation]\ncommand = 'awk \"BEGIN { a = "
           "{a}; b = {b}; "
           + formula + " }\" > out" + then + "'\nresult = \"out\"\n";
}

const std::string smooth = "printf \\\"%.9g\\\", exp(-a) * (1 + b)";
/// A grid of polynomials has it from nine points on.
const std::string polynomial = "printf \\\"%.9g\\\", 1 + a^4 - 2*b^3 + a*b";
/// A polynomial over the whole range does not follow it.
const std::string kinked = "d = a + 0.5*b - 0.7; printf \\\"%.9g\\\", 1 + (d > 0 ? 3*d : 0.1*d)";

std::vector<std::vector<double>> placesOf(const std::vector<PlannedRun> &runs)
{
    std::vector<std::vector<double>> places;
    for (const auto &run : runs)
        places.push_back(run.parameters);
    return places;
}

/// Agreed to.
CampaignReport run(StudyWriter &writer, const RunStep &step)
{
    auto how = control();
    try {
        return runStep(writer, step, how);
    } catch (const UntrustedExecution &error) {
        how.trusted = error.execution()->digest();
        return runStep(writer, step, how);
    }
}

bool areAllDone(const Study &study)
{
    const auto runs = study.plannedRuns();
    return waitingJobs(study) == 0 && std::ranges::all_of(runs, [](const auto &run) {
               return run.state == PlannedRunState::done;
           });
}

/// What a choice would have stored.
void pretendErrors(StudyWriter &writer, double sparseGrid, double olderHalf, double kriging)
{
    std::vector<ErrorFigure> figures;
    const auto points = writer.grid()->points();
    for (const auto &[kind, error, of] :
         {std::tuple(ErrorKind::sparseGridCompared, sparseGrid, points),
          std::tuple(ErrorKind::olderHalfCompared, olderHalf, (points + 1) / 2),
          std::tuple(ErrorKind::krigingCompared, kriging, points)}) {
        ErrorFigure figure;
        figure.kind = kind;
        figure.parameters = writer.trainingRuns().front().parameters;
        figure.relativeL2 = figure.maximum = figure.relativeMaximum = error;
        figure.gridPoints = of;
        figures.push_back(figure);
    }
    writer.removeErrorFigures(0, surrogatesCompared);
    writer.putErrorFigures(figures);
}

} // namespace

class MixedRunsTest : public QObject
{
    Q_OBJECT

private slots:
    void bothKindsOfRunsAreMade();
    void theBetterKindGetsMore();
    void sharesAreKept();
    void theOlderHalfIsTheGridThatWas();
    void interruptionsChangeNothing();
    void theNumberOfJobsAtATimeChangesNothing();
    void theBudgetIsKept();
    void theWishedErrorIsConfirmed();
    void failuresAreGoneAround();
    void exhaustedGridsGoOnOffTheGrid();
    void whoWantsTheGridAloneGetsIt();
    void plannedRunsThatWaitAreRun();
    void suggestedRunsComeByImport();
};

void MixedRunsTest::bothKindsOfRunsAreMade()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", adaptivePlan(smooth));
    const auto report = refine(writer, forRuns(30));
    QVERIFY2(report.end == RefineEnd::runs, refineText(report, {}).c_str());
    QCOMPARE(report.runs, std::uint64_t{30});
    QCOMPARE(runsIn(writer) + writer.trainingRuns().size(), std::uint64_t{30});
    QCOMPARE(report.offGrid, writer.trainingRuns().size());
    QVERIFY(report.offGrid >= 7 && report.offGrid <= 23);
    QVERIFY(areAllDone(writer));
    const auto choice = choiceOf(writer, 0);
    QVERIFY(choice && choice->isOffGrid && isUpToDate(*choice, writer, 0));
    QVERIFY(refineText(report, {}).find("off the grid") != std::string::npos);
    // No place is one of the grid's, and none is there twice.
    std::set<std::vector<double>> places;
    for (std::uint64_t point = 0; point < writer.grid()->points(); ++point)
        places.insert(writer.description().space.valuesAt(*writer.grid(), point));
    for (const auto &run : writer.plannedRuns())
        QVERIFY(places.insert(run.parameters).second);
    // It goes on as it was, and what is known of earlier runs is still known.
    const auto more = refine(writer, forRuns(10));
    QCOMPARE(more.runs, std::uint64_t{10});
    QCOMPARE(writer.trainingRuns().size(), report.offGrid + more.offGrid);
    QVERIFY(more.estimate <= report.estimate);
    QCOMPARE(writer.errorHistory().back().runs, std::uint64_t{40});
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void MixedRunsTest::theBetterKindGetsMore()
{
    const Folder folder;
    auto grid = studyOf(folder / "grid", adaptivePlan(polynomial));
    refine(grid, forRuns(40));
    QVERIFY(!grid.kriging(0));
    QVERIFY(grid.trainingRuns().size() < runsIn(grid));
    auto off = studyOf(folder / "off", adaptivePlan(kinked));
    const auto report = refine(off, forRuns(40));
    QVERIFY(off.kriging(0));
    QVERIFY(off.trainingRuns().size() + 1 >= runsIn(off)); // half, so early
    QCOMPARE(*report.estimate, *choiceOf(off, 0)->kriging);
}

void MixedRunsTest::sharesAreKept()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", formulaPlan(smooth, "leja", 5)); // 15 points
    runAll(writer);
    const RunMixture mixture(writer, {0});
    QVERIFY(mixture.mayLeaveGrid());
    QVERIFY(!mixture.errorOffGrid(0));
    QCOMPARE(runsByPlace(writer).onGrid, std::uint64_t{15});
    // Half of all runs, as long as nothing is known.
    QCOMPARE(mixture.offGridOf(0), std::uint64_t{0});
    QCOMPARE(mixture.offGridOf(6), std::uint64_t{6});
    QCOMPARE(mixture.offGridOf(15), std::uint64_t{15});
    QCOMPARE(mixture.offGridOf(25), std::uint64_t{20});
    QCOMPARE(RunMixture(writer, {}).offGridOf(20), std::uint64_t{0});
    int count = 0;
    const auto put = [&] {
        writer.putHoldOut(writer.addTrainingRun(std::vector{0.001 * ++count, 0.3}), 0,
                          std::vector{1.0F});
    };
    while (count < 5)
        put();
    planPlaces(writer, 1); // waits, and counts
    QCOMPARE(runsByPlace(writer).offGrid, std::uint64_t{6});
    // Of 21 runs 15 are points, 8 of them older. With as many runs more, 15.75 of these, the grid's
    // error of 0.2 falls by (15 / 30.75)^p, p = log(older / 0.2) / log(15 / 8), to 0.0412 and
    // 0.0318, and kriging's of 0.1 by 2^-1.5, to 0.0354.
    pretendErrors(writer, 0.2, 0.8, 0.1);
    QCOMPARE(*mixture.errorOffGrid(0), 0.1);
    QCOMPARE(mixture.offGridOf(19), std::uint64_t{14}); // 20 of 40
    pretendErrors(writer, 0.2, 1.0, 0.1);
    QCOMPARE(mixture.offGridOf(19), std::uint64_t{4}); // 10 of 40
    pretendErrors(writer, 0.05, 0.06, 0.1);
    QCOMPARE(*mixture.errorOffGrid(0), 0.05);
    QCOMPARE(mixture.offGridOf(19), std::uint64_t{4}); // falls by a power of 0.5 at least: 0.0349
    pretendErrors(writer, 0.052, 0.06, 0.1);
    QCOMPARE(mixture.offGridOf(19), std::uint64_t{14}); // 0.0363
    // From 110 runs on most of them are the better kind's.
    while (runsByPlace(writer).all() < 110)
        put();
    pretendErrors(writer, 0.2, 0.25, 0.1);
    QCOMPARE(runsByPlace(writer).offGrid, std::uint64_t{95});
    QCOMPARE(mixture.offGridOf(40), std::uint64_t{18}); // 112.5 of 150
    pretendErrors(writer, 1e-5, 1e-3, 0.1);
    QCOMPARE(mixture.offGridOf(300), std::uint64_t{8}); // 102.5 of 410
}

void MixedRunsTest::theOlderHalfIsTheGridThatWas()
{
    const Folder folder;
    auto fine = studyOf(folder / "fine", formulaPlan(smooth, "leja", 3)); // six points
    runAll(fine);
    auto coarse = studyOf(folder / "coarse", formulaPlan(smooth, "leja", 2)); // three of them
    runAll(coarse);
    compress(coarse, {});
    FieldSurrogate surrogate(coarse, 0);
    surrogate.loadAll(coarse);
    double errors = 0;
    for (int i = 1; i <= 5; ++i) {
        const std::vector x{0.17 * i, 0.9 - 0.13 * i};
        const auto exact = static_cast<float>(std::exp(-x[0]) * (1 + x[1]));
        fine.putHoldOut(fine.addTrainingRun(x), 0, std::vector{exact});
        std::vector<float> value(1);
        surrogate.evaluate(x, {value, {}}, CpuDevice{});
        errors += std::abs(static_cast<double>(value[0] - exact)) / 5;
    }
    errors /= std::sqrt(scalarSpread(fine, 0)->l2);
    CompressStep step;
    step.surrogate = SurrogateStep{SurrogateKind::chosen, {}};
    compressStep(fine, step, {});
    const auto choice = choiceOf(fine, 0);
    QVERIFY(choice && choice->isOffGrid && choice->olderHalf);
    QCOMPARE(choice->olderPoints, std::uint64_t{3});
    QCOMPARE(choice->gridPoints, std::uint64_t{6});
    QVERIFY(std::abs(*choice->olderHalf / errors - 1) < 1e-4);
    QVERIFY(*choice->olderHalf > 2 * choice->sparseGrid);
    // Blocks that were chosen came in that order, after those of the first levels.
    RefineStep more = forRuns(4);
    more.surrogate = SurrogateKind::sparseGrid;
    refine(coarse, more);
    const auto isOlder = olderHalf(coarse);
    const auto grid = coarse.grid();
    QCOMPARE(grid->points(), std::uint64_t{7});
    std::set<std::vector<sparse::Level>> expected{{0, 0}, {0, 1}, {1, 0}};
    expected.insert(coarse.refinements().front().levels);
    for (std::uint64_t point = 0; point < grid->points(); ++point) {
        std::vector<sparse::Level> levels(2);
        std::vector<std::uint32_t> positions(2);
        grid->idx2gp(point, levels, positions);
        QCOMPARE(isOlder[point], expected.contains(levels));
    }
}

void MixedRunsTest::interruptionsChangeNothing()
{
    const Folder folder;
    auto whole = studyOf(folder / "whole", adaptivePlan(kinked));
    refine(whole, forRuns(18));
    auto broken = studyOf(folder / "broken", adaptivePlan(kinked, "; sleep 0.02"));
    const auto done = [&] {
        const auto jobs = broken.jobs();
        return static_cast<std::uint64_t>(std::ranges::count(jobs, JobState::done, &Job::state))
               + broken.trainingRuns().size();
    };
    int interruptions = 0;
    for (int round = 0; round < 100 && done() < 18; ++round) {
        std::stop_source stop;
        auto how = control();
        how.stop = stop.get_token();
        how.patience = 0;
        how.progress = [&](const StepProgress &progress) {
            if (progress.counts.done >= 1)
                stop.request_stop();
        };
        interruptions +=
            refine(broken, forRuns(18 - done()), how).end == RefineEnd::cancelled ? 1 : 0;
    }
    QVERIFY2(interruptions >= 3, qPrintable(QString::number(interruptions)));
    QVERIFY(broken.refinements() == whole.refinements());
    QCOMPARE(placesOf(broken.plannedRuns()), placesOf(whole.plannedRuns()));
    QVERIFY(areAllDone(broken));
    broken.close();
    QCOMPARE(problemsOf(folder / "broken"), std::string());
}

void MixedRunsTest::theNumberOfJobsAtATimeChangesNothing()
{
    const Folder folder;
    std::vector<std::tuple<std::vector<Refinement>, std::vector<std::vector<double>>, double>> made;
    for (const int jobs : {1, 5}) {
        // Later ones overtake earlier ones.
        auto writer =
            studyOf(folder / std::to_string(jobs), adaptivePlan(kinked, "; sleep 0.0$(($$ % 7))"));
        auto step = forRuns(18);
        step.jobs = jobs;
        step.context = onCpu(jobs);
        refine(writer, step);
        made.emplace_back(writer.refinements(), placesOf(writer.plannedRuns()),
                          *choiceOf(writer, 0)->kriging);
    }
    QVERIFY(made[0] == made[1]);
}

void MixedRunsTest::theBudgetIsKept()
{
    const Folder folder;
    for (const std::uint64_t runs : {4, 5, 9, 17}) {
        auto writer = studyOf(folder / std::to_string(runs), adaptivePlan(smooth));
        auto step = forRuns(runs);
        step.holdOuts = runs > 9 ? 5 : 0;
        const auto report = refine(writer, step);
        QVERIFY2(report.end == RefineEnd::runs, refineText(report, {}).c_str());
        QCOMPARE(report.runs, runs);
        QCOMPARE(runsIn(writer) + writer.trainingRuns().size() + writer.holdOuts().size(), runs);
    }
}

void MixedRunsTest::theWishedErrorIsConfirmed()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", adaptivePlan(kinked));
    RefineStep step;
    step.until = 0.1;
    step.holdOuts = 6;
    step.isDeterministic = true;
    const auto report = refine(writer, step);
    QVERIFY2(report.end == RefineEnd::reached, refineText(report, step).c_str());
    QVERIFY(report.measured && *report.measured <= 0.1);
    QVERIFY(!writer.trainingRuns().empty());
}

void MixedRunsTest::failuresAreGoneAround()
{
    const Folder folder;
    auto writer = studyOf(
        folder / "s",
        adaptivePlan("if (a > 0.75 && b > 0.75) exit 1; printf \\\"%.9g\\\", exp(-3*a) * (1+b)"));
    const auto report = refine(writer, forRuns(24));
    QVERIFY2(report.end == RefineEnd::runs, refineText(report, {}).c_str());
    QVERIFY(report.failed > 0 && report.runs + report.failed <= 24);
    const auto planned = writer.plannedRuns();
    QVERIFY(std::ranges::count(planned, PlannedRunState::failed, &PlannedRun::state) > 0);
    QCOMPARE(planned.size(), report.offGrid);
    // A grid that lacks points is not compared: kriging does without.
    QVERIFY(writer.kriging(0));
    // What has failed is run once more if that is asked for.
    RunStep retry;
    retry.retryFailed = true;
    retry.keepGoing = true;
    const auto failed = run(writer, retry).failed;
    QCOMPARE(failed, static_cast<std::size_t>(report.failed));
    QVERIFY(std::ranges::any_of(writer.plannedRuns(),
                                [](const auto &run) { return run.attempts == 2; }));
}

void MixedRunsTest::exhaustedGridsGoOnOffTheGrid()
{
    const Folder folder;
    auto plan = adaptivePlan(smooth);
    plan.replace(plan.find("name = \"a\"\n"), 11, "name = \"a\"\ncap = 2\n");
    plan.replace(plan.find("name = \"b\"\n"), 11, "name = \"b\"\ncap = 3\n");
    auto writer = studyOf(folder / "s", plan);
    const auto report = refine(writer, forRuns(20));
    QCOMPARE(report.runs, std::uint64_t{20});
    QCOMPARE(runsIn(writer), std::uint64_t{6});
    QCOMPARE(writer.trainingRuns().size(), std::size_t{14});
}

void MixedRunsTest::whoWantsTheGridAloneGetsIt()
{
    const Folder folder;
    auto step = forRuns(12);
    step.surrogate = SurrogateKind::sparseGrid;
    auto byHand = studyOf(folder / "hand", adaptivePlan(smooth));
    refine(byHand, step);
    QVERIFY(byHand.plannedRuns().empty());
    refine(byHand, forRuns(4)); // as it is
    QVERIFY(byHand.plannedRuns().empty() && !choiceOf(byHand, 0));
    QCOMPARE(runsIn(byHand), std::uint64_t{16});
    // From now on chosen; and back.
    step.surrogate = SurrogateKind::chosen;
    refine(byHand, step);
    QVERIFY(!byHand.plannedRuns().empty() && choiceOf(byHand, 0));
    step.surrogate = SurrogateKind::kriging;
    const auto planned = byHand.plannedRuns().size();
    refine(byHand, step);
    QVERIFY(byHand.kriging(0) && !choiceOf(byHand, 0));
    QCOMPARE(byHand.plannedRuns().size(), planned);

    auto regular = studyOf(folder / "regular", formulaPlan(smooth));
    refine(regular, forRuns(8));
    QVERIFY(regular.plannedRuns().empty());

    auto there = studyOf(folder / "there", adaptivePlan(smooth));
    auto at = forRuns(8);
    at.at = {0.3, 0.4};
    refine(there, at);
    QVERIFY(there.plannedRuns().empty());

    auto withTimes = studyOf(folder / "times", cavityPlan(2));
    auto chosen = forRuns(8);
    chosen.surrogate = SurrogateKind::chosen;
    refine(withTimes, chosen);
    QVERIFY(withTimes.plannedRuns().empty());
    GRIDHELM_EXPECT_ERROR(planPlaces(withTimes, 1));
}

void MixedRunsTest::plannedRunsThatWaitAreRun()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", adaptivePlan(smooth));
    refine(writer, forRuns(6));
    planPlaces(writer, 3);
    QCOMPARE(waitingJobs(writer), std::uint64_t{3});
    auto few = forRuns(2);
    GRIDHELM_EXPECT_ERROR(refine(writer, few)); // three wait
    const auto report = run(writer, {});
    QCOMPARE(report.done, std::size_t{3});
    QVERIFY(areAllDone(writer));
    planPlaces(writer, 2);
    QCOMPARE(refine(writer, few).runs, std::uint64_t{2});
    QVERIFY(areAllDone(writer));
}

void MixedRunsTest::suggestedRunsComeByImport()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", adaptivePlan(smooth));
    refine(writer, forRuns(8));
    const auto before = writer.trainingRuns().size();
    const auto suggested = suggestStep(writer, forRuns(6), control());
    QCOMPARE(suggested.runs, std::uint64_t{6});
    QCOMPARE(suggested.points.size() + suggested.places.size(), std::size_t{6});
    QVERIFY(!suggested.places.empty() && suggested.estimate > 0);
    GRIDHELM_EXPECT_ERROR(suggestStep(writer, forRuns(1), control())); // they wait
    const auto &space = writer.description().space;
    auto places = suggested.places;
    for (const auto point : suggested.points)
        places.push_back(space.valuesAt(*writer.grid(), point));
    std::string table = "a,b,file\n";
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto name = std::to_string(i) + ".num";
        writeText(folder / name, std::to_string(std::exp(-places[i][0]) * (1 + places[i][1])));
        table += QString::number(places[i][0], 'g', 17).toStdString() + ","
                 + QString::number(places[i][1], 'g', 17).toStdString() + "," + name + "\n";
    }
    writeText(folder / "t.csv", table);
    ImportStep import;
    import.table = folder / "t.csv";
    const auto report = importStep(writer, import, control());
    QCOMPARE(report.trainingRuns, static_cast<std::uint64_t>(suggested.places.size()));
    QCOMPARE(report.stored, static_cast<std::uint64_t>(suggested.points.size()));
    QCOMPARE(report.holdOuts, std::uint64_t{0});
    QVERIFY(areAllDone(writer));
    QCOMPARE(writer.trainingRuns().size(), before + suggested.places.size());
    QCOMPARE(suggestStep(writer, forRuns(1), control()).runs, std::uint64_t{1});
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

GRIDHELM_TEST(MixedRunsTest)
#include "tst_mixed_runs.moc"
