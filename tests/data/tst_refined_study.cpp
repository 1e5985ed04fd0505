// SPDX-License-Identifier: GPL-3.0-or-later
//
// What refining makes of a study: its grid, its log, its indicator; and what it refuses.
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

class RefinedStudyTest : public QObject
{
    Q_OBJECT

private slots:
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
    void modesAndKrigingAreMadeAgain();
    void runsGoToThePlaceThatMatters();
};

void RefinedStudyTest::placesThatFillTheSpaceBecomeMore()
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
}

void RefinedStudyTest::runsElsewhereAreSuggested()
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

void RefinedStudyTest::whatWasExpectedIsRemembered()
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

void RefinedStudyTest::gainsAreWhatBlocksAdd()
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

void RefinedStudyTest::theIndicatorIsWhatLeavesAdd()
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

void RefinedStudyTest::aGrowthByBlocksCanBeUndone()
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

void RefinedStudyTest::studiesThatCannotBeRefinedSayWhy()
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

void RefinedStudyTest::badWishesAreRefused()
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

void RefinedStudyTest::blocksThatMakeNoGridAreRefused()
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

void RefinedStudyTest::errorsAreForeseenFromThoseBefore()
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

void RefinedStudyTest::modesAndKrigingAreMadeAgain()
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

void RefinedStudyTest::runsGoToThePlaceThatMatters()
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

GRIDHELM_TEST(RefinedStudyTest)
#include "tst_refined_study.moc"
