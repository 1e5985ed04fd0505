// SPDX-License-Identifier: GPL-3.0-or-later
//
// Refining where the error in a part of the mesh counts alone.
#include "core/sparse/sparse_grid.h"
#include "data/campaign/refine_step.h"
#include "data/campaign/refinement.h"
#include "data/evaluate/block_gains.h"
#include "tests/core/expect_error.h"
#include "tests/data/refine_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr std::uint32_t points = 8;

std::vector<std::uint32_t> entitiesFrom(std::uint32_t first, std::uint32_t count)
{
    std::vector<std::uint32_t> entities(count);
    std::iota(entities.begin(), entities.end(), first);
    return entities;
}

MeshRegion leftHalf()
{
    return {entitiesFrom(0, points / 2), {}};
}

/// Two numbers: what the left half of the mesh has, and the right one.
void readHalves(const std::filesystem::path &path, const std::function<void(RunSnapshot)> &visit,
                const std::stop_token &)
{
    std::ifstream file(path);
    float left = 0, right = 0;
    if (!(file >> left >> right))
        throw Error("there are no two numbers in " + path.string());
    std::vector<float> values(points, left);
    std::fill(values.begin() + points / 2, values.end(), right);
    visit({{},
           {"test", "halves", points, 0},
           {{"value", "", 1, Association::point, points}},
           {values}});
}

StepControl halves()
{
    auto how = control();
    how.files.read = readHalves;
    return how;
}

/// A ridge along a on the left, one along b on the right.
StudyWriter studyOfHalves(const std::filesystem::path &path)
{
    return studyOf(path, formulaPlan("printf \\\"%.9g %.9g\\\", exp(-60*(a-0.2)^2), "
                                     "exp(-60*(b-0.8)^2)"));
}

} // namespace

class RefineRegionTest : public QObject
{
    Q_OBJECT

private slots:
    void runsGoToWhatTheRegionDependsOn();
    void theEstimateIsOfTheRegion();
    void gainsOfARegionAreThoseOfItsValues();
    void manyValuesAreLookedAtInProportion();
    void regionsThatHoldNothingAreRefused();
    void scatteredRunsHaveNoRegion();
};

void RefineRegionTest::runsGoToWhatTheRegionDependsOn()
{
    const Folder folder;
    const auto levelsIn = [&](const std::string &name, const std::optional<MeshRegion> &region) {
        auto writer = studyOfHalves(folder / name);
        auto step = forRuns(24);
        step.region = region;
        refine(writer, step, halves());
        return std::pair{writer.grid()->highestLevel(0), writer.grid()->highestLevel(1)};
    };
    const auto all = levelsIn("all", {});
    const auto left = levelsIn("left", leftHalf());
    const auto right = levelsIn("right", MeshRegion{entitiesFrom(points / 2, points / 2), {}});
    const auto text = QString("all %1 %2, left %3 %4, right %5 %6")
                          .arg(all.first)
                          .arg(all.second)
                          .arg(left.first)
                          .arg(left.second)
                          .arg(right.first)
                          .arg(right.second);
    QVERIFY2(all.first > 5 && all.second > 5, qPrintable(text));
    // The other parameter is looked at once more than level 2 does, found to add nothing, and left.
    QVERIFY2(left.first > all.first && left.second <= 2, qPrintable(text));
    QVERIFY2(right.second > all.second && right.first <= 2, qPrintable(text));
}

void RefineRegionTest::theEstimateIsOfTheRegion()
{
    const Folder folder;
    auto writer = studyOfHalves(folder / "s");
    auto step = forRuns(20);
    step.region = leftHalf();
    step.holdOuts = 4; // not made: they measure the error everywhere
    const auto report = refine(writer, step, halves());
    QVERIFY(writer.holdOuts().empty() && !report.measured);
    const auto history = writer.errorHistory(); // whose estimates are of the error everywhere
    QVERIFY(std::ranges::none_of(history, [](const auto &error) {
        return error.kind == HistoryKind::estimate || error.kind == HistoryKind::heldOut;
    }));
    RefinementState there(writer, {0}, {{{}, leftHalf().points}}), everywhere(writer, {0});
    there.update();
    everywhere.update();
    QCOMPARE(*report.estimate, there.worstEstimate());
    // The right half, which has had no runs, is as wrong as it was.
    QVERIFY2(
        report.estimate < 0.05 && everywhere.worstEstimate() > 2 * *report.estimate,
        qPrintable(
            QString("%1, everywhere %2").arg(*report.estimate).arg(everywhere.worstEstimate())));
    QVERIFY(refineText(report, step).find("the error there is") != std::string::npos);
}

void RefineRegionTest::gainsOfARegionAreThoseOfItsValues()
{
    // a on the left, b^2 on the right: the gains are known.
    const Folder folder;
    auto writer = studyOf(folder / "s", formulaPlan("printf \\\"%.9g %.9g\\\", a, b*b", "leja", 4));
    runAll(writer, {}, readHalves);
    compress(writer, {});
    const BlockGains all(writer, 0), left(writer, 0, {{}, leftHalf().points}),
        right(writer, 0, {{}, entitiesFrom(points / 2, points / 2)});
    const auto near = [](double found, double expected) {
        return std::abs(found - expected) <= 0.1 * expected + 1e-6;
    };
    using Levels = std::vector<sparse::Level>;
    QVERIFY(near(*left.of(Levels{1, 0}), 0.5 * std::sqrt(1.0 / 3))); // 0.5 (1 - 2 a)
    QVERIFY(near(*left.of(Levels{0, 1}), 0) && near(*left.of(Levels{0, 2}), 0));
    QVERIFY(near(*right.of(Levels{1, 0}), 0) && *right.of(Levels{0, 1}) > 0.1);
    // Halves of the same size: the squares of the whole are the means of theirs.
    const auto &grid = *writer.grid();
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        const auto levels = grid.levelVector(block);
        const double ofLeft = *left.of(levels), ofRight = *right.of(levels);
        QVERIFY(std::abs(*all.of(levels) - std::sqrt((ofLeft * ofLeft + ofRight * ofRight) / 2))
                <= 1e-9);
    }
}

void RefineRegionTest::manyValuesAreLookedAtInProportion()
{
    // A region of vectors across the border of two parts, beside a field of nothing else; and one
    // of more values than are looked at, nearly all of them in the second part.
    constexpr std::uint32_t border = static_cast<std::uint32_t>(Study::partValues()) / 2;
    constexpr std::uint32_t entities = border + 20'000, few = 1500;
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    const auto whole = writer.addField(smallField("whole", entities, 2));
    const auto part = writer.addField(smallField("part", few, 2));
    const auto rest = writer.addField(smallField("rest", 18'000, 2));
    const auto valueOf = [](std::span<const double> x, std::uint64_t value) {
        return simulate(x, value) * (value < Study::partValues() ? 100.0F : 1.0F);
    };
    const auto begin = border - 500, beginOfRest = border - 1; // where the other two lie in whole
    for (std::uint64_t point = 0; point < writer.grid()->points(); ++point) {
        std::vector<double> x(3);
        writer.grid()->coordinates(point, x);
        const auto put = [&](FieldIndex field, std::uint64_t first, std::uint64_t count) {
            std::vector<float> values(2 * count);
            for (std::uint64_t i = 0; i < values.size(); ++i)
                values[i] = valueOf(x, 2 * first + i);
            writer.putSnapshot(point, field, values);
        };
        put(whole, 0, entities);
        put(part, begin, few);
        put(rest, beginOfRest, 18'000);
    }
    compress(writer, {});
    const auto levels = writer.grid()->levelVector(0);
    const auto gain = [&](FieldIndex field, const ErrorThatCounts &counts = {}) {
        return *BlockGains(writer, field, counts).of(levels);
    };
    const double exact = gain(part);
    QVERIFY(std::abs(gain(whole, {{}, entitiesFrom(begin, few)}) - exact) <= 1e-5 * exact);
    QVERIFY(gain(whole) > 1.2 * exact || gain(whole) < 0.8 * exact);
    // Two of 36,000 values are a hundred times as large; they must not be half of what is seen.
    const double ofRest = gain(rest);
    const double found = gain(whole, {{}, entitiesFrom(beginOfRest, 18'000)});
    QVERIFY2(found < 3 * ofRest && ofRest < 3 * found,
             qPrintable(QString("%1 %2").arg(found).arg(ofRest)));
    GRIDHELM_EXPECT_ERROR(gain(whole, {{}, {3, entities}}));
}

void RefineRegionTest::regionsThatHoldNothingAreRefused()
{
    const Folder folder;
    auto writer = studyOfHalves(folder / "s");
    const auto refused = [&](const MeshRegion &region) {
        auto step = forRuns(4);
        step.region = region;
        return refusalOf([&] { refine(writer, step, halves()); });
    };
    refine(writer, forRuns(4), halves());
    const auto runs = runsIn(writer);
    const auto nothing = refused({});
    QVERIFY2(nothing.find("holds no value of field value") != std::string::npos, nothing.c_str());
    const auto cells = refused({{}, {0, 1}});
    QVERIFY2(cells.find("points") != std::string::npos, cells.c_str());
    const auto another = refused({{points - 1, points}, {}});
    QVERIFY2(another.find("another mesh") != std::string::npos, another.c_str());
    QCOMPARE(runsIn(writer), runs);
}

void RefineRegionTest::scatteredRunsHaveNoRegion()
{
    const Folder folder;
    auto plan = formulaPlan("printf \\\"%.9g %.9g\\\", a, b");
    for (int i = 0; i < 2; ++i)
        plan.erase(plan.find("treatment = \"leja\"\n"), 19);
    plan.replace(plan.find("level = 2"), 9, "design = \"space-filling\"\nruns = 4");
    auto writer = studyOf(folder / "s", plan);
    auto step = forRuns(2);
    step.region = leftHalf();
    const auto error = refusalOf([&] { refine(writer, step, halves()); });
    QVERIFY2(error.find("scattered") != std::string::npos
                 && error.find("region") != std::string::npos,
             error.c_str());
}

GRIDHELM_TEST(RefineRegionTest)
#include "tst_refine_region.moc"
