// SPDX-License-Identifier: GPL-3.0-or-later
//
// A grid that grows where the error is.
#include "core/sparse/adaptive_blocks.h"

#include "core/sparse/sparse_grid.h"
#include "tests/core/adaptive_function.h"
#include "tests/core/expect_error.h"
#include "tests/core/random_grids.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

using enum BoundaryTreatment;
using Place = std::vector<double>;

/// Literally: every level vector that is not there, has all lower neighbours, and those have gains.
std::vector<LevelVector> allCandidates(const std::vector<BoundaryTreatment> &treatments,
                                       const std::vector<KnownBlock> &blocks,
                                       const std::vector<int> &highest)
{
    const auto known = [&](const LevelVector &levels) {
        return std::ranges::find(blocks, levels, &KnownBlock::levels);
    };
    std::vector<LevelVector> all{{}};
    for (std::size_t t = 0; t < treatments.size(); ++t) {
        std::vector<LevelVector> longer;
        for (const auto &shorter : all) {
            for (int level = lowestLevel(treatments[t]); level <= highest[t]; ++level) {
                longer.push_back(shorter);
                longer.back().push_back(static_cast<Level>(level));
            }
        }
        all = std::move(longer);
    }
    std::vector<LevelVector> candidates;
    for (auto &levels : all) {
        bool isCandidate = known(levels) == blocks.end();
        for (std::size_t t = 0; t < levels.size(); ++t) {
            if (levels[t] == lowestLevel(treatments[t]))
                continue;
            auto below = levels;
            --below[t];
            isCandidate = isCandidate && known(below) != blocks.end() && known(below)->gain;
        }
        if (isCandidate)
            candidates.push_back(levels);
    }
    return candidates;
}

RefinementRules rulesFor(std::size_t dimension, int highest = 12)
{
    return {.exploration = 0.1, .highestLevels = std::vector<int>(dimension, highest)};
}

void refine(AdaptiveFunction &function, std::uint64_t runs, std::uint64_t atATime = 4)
{
    const auto rules = rulesFor(function.treatments().size());
    RefinementTally tally;
    while (function.runs() < runs) {
        const auto choices = chooseBlocks(function.treatments(), function.blocks(), rules, tally,
                                          atATime, runs - function.runs());
        if (choices.empty())
            break;
        for (const auto &choice : choices) {
            tally.add(choice);
            function.add(choice.levels);
        }
    }
}

} // namespace

class AdaptiveBlocksTest : public QObject
{
    Q_OBJECT

private slots:
    void candidatesAreThoseWithEverythingBelow();
    void theLargestGainPerRunComesFirst();
    void blocksWithoutRunsHaveNothingAboveThem();
    void aShareIsExploredOldestFirst();
    void theBudgetIsNeverExceeded();
    void whatIsChosenIsAGrid();
    void runsGoWhereTheFunctionChanges();
    void aFunctionThatBeginsWithZerosIsFound();
    void badInputIsRefused();
};

void AdaptiveBlocksTest::candidatesAreThoseWithEverythingBelow()
{
    Random random(3);
    for (int i = 0; i < 60; ++i) {
        const auto d = static_cast<std::size_t>(random.integer(1, 3));
        const auto treatments = randomTreatments(random, static_cast<int>(d), Kinds::all);
        const auto levels = randomClosedSet(random, treatments, 300);
        std::vector<KnownBlock> blocks;
        for (std::size_t first = 0; first < levels.size(); first += d) {
            blocks.push_back({{levels.begin() + static_cast<std::ptrdiff_t>(first),
                               levels.begin() + static_cast<std::ptrdiff_t>(first + d)},
                              {}});
            if (random.chance(0.9))
                blocks.back().gain = random.real();
        }
        const auto rules = rulesFor(d, random.integer(2, 6));
        std::vector<LevelVector> found;
        for (const auto &candidate : blockCandidates(treatments, blocks, rules.highestLevels)) {
            found.push_back(candidate.levels);
            double smallest = 2, largest = 0;
            std::uint64_t points = 1;
            for (std::size_t t = 0; t < d; ++t) {
                points *= pointsOfLevel(treatments[t], candidate.levels[t]);
                auto below = candidate.levels;
                --below[t];
                const auto known = std::ranges::find(blocks, below, &KnownBlock::levels);
                if (known == blocks.end())
                    continue;
                smallest = std::min(smallest, *known->gain);
                largest = std::max(largest, *known->gain);
            }
            QCOMPARE(candidate.predictedGain, std::max(smallest, 0.001 * largest));
            QCOMPARE(candidate.runs, points);
        }
        auto expected = allCandidates(treatments, blocks, rules.highestLevels);
        std::ranges::sort(expected);
        QCOMPARE(found, expected);
    }
}

void AdaptiveBlocksTest::theLargestGainPerRunComesFirst()
{
    // (2, 0) costs two runs, (0, 1) one: half of its gain is as good.
    const std::vector<BoundaryTreatment> treatments{clenshawCurtis, leja};
    const auto chosen = [&](double gainOf1, double gainOf0) {
        const std::vector<KnownBlock> blocks{{{0, 0}, gainOf0}, {{1, 0}, gainOf1}};
        auto rules = rulesFor(2);
        rules.exploration = 0;
        const auto choices = chooseBlocks(treatments, blocks, rules, {}, 1, 100);
        return choices.size() == 1 && !choices[0].isExploration ? choices[0].levels : LevelVector();
    };
    QCOMPARE(chosen(0.9, 0.4), (LevelVector{2, 0}));
    QCOMPARE(chosen(0.7, 0.4), (LevelVector{0, 1}));
}

void AdaptiveBlocksTest::blocksWithoutRunsHaveNothingAboveThem()
{
    const std::vector<KnownBlock> blocks{{{0, 0}, 1.0}, {{1, 0}, {}}, {{0, 1}, 0.1}};
    const auto candidates = blockCandidates({leja, leja}, blocks, std::vector{9, 9});
    QCOMPARE(candidates.size(), std::size_t{1});
    QCOMPARE(candidates[0].levels, (LevelVector{0, 2}));
}

void AdaptiveBlocksTest::aShareIsExploredOldestFirst()
{
    // Dimension 0 promises everything for ever, dimension 1 nothing.
    std::vector<KnownBlock> blocks{{{0, 0}, 1.0}, {{1, 0}, 1.0}, {{0, 1}, 1e-9}};
    RefinementTally tally;
    std::vector<LevelVector> explored;
    for (int i = 0; i < 40; ++i) {
        const auto choices = chooseBlocks({leja, leja}, blocks, {0.2, {63, 63}}, tally, 1, 100);
        QCOMPARE(choices.size(), std::size_t{1});
        tally.add(choices[0]);
        if (choices[0].isExploration)
            explored.push_back(choices[0].levels);
        blocks.push_back({choices[0].levels, choices[0].levels[1] > 0 ? 1e-9 : 1.0});
        QVERIFY(
            std::abs(static_cast<double>(tally.explored) - 0.2 * static_cast<double>(tally.runs))
            <= 1);
    }
    QCOMPARE(explored.size(), std::size_t{8});
    QCOMPARE(explored[0], (LevelVector{0, 2})); // level sum 2, of those that came first
    QCOMPARE(explored[1], (LevelVector{1, 1}));
    QCOMPARE(levelSum(explored[2]), 3);
}

void AdaptiveBlocksTest::theBudgetIsNeverExceeded()
{
    const std::vector<KnownBlock> blocks{
        {{0, 0}, 1.0}, {{1, 0}, 1.0}, {{0, 1}, 0.5}, {{2, 0}, 2.0}};
    const std::vector treatments{clenshawCurtis, clenshawCurtis};
    for (std::uint64_t most = 0; most <= 12; ++most) {
        std::uint64_t runs = 0;
        for (const auto &choice : chooseBlocks(treatments, blocks, rulesFor(2), {}, 100, most))
            runs += choice.runs;
        QVERIFY(runs <= most);
    }
    // (3, 0), (1, 1) and (0, 2), of 4, 4 and 2 points; none above a block that has no runs yet.
    QCOMPARE(chooseBlocks(treatments, blocks, rulesFor(2), {}, 100, 100).size(), std::size_t{3});
    QVERIFY(chooseBlocks(treatments, blocks, {0.1, {2, 1}}, {}, 100, 2).empty());
}

void AdaptiveBlocksTest::whatIsChosenIsAGrid()
{
    for (const auto treatment : boundaryTreatments()) {
        AdaptiveFunction function(
            [](const Place &x) { return 1 / (0.2 + x[0] * x[1]) + std::sin(5 * x[2]); },
            std::vector<DimensionBasis>(3, treatment));
        refine(function, 150, 7);
        QVERIFY(function.runs() > 130 && function.runs() <= 150);
        std::vector<Level> levels;
        for (const auto &block : function.blocks())
            levels.insert(levels.end(), block.levels.begin(), block.levels.end());
        const SparseGrid grid(function.treatments(), levels, 0, {}, Grouping::leavesLast);
        QCOMPARE(grid.points(), function.runs());
    }
}

void AdaptiveBlocksTest::runsGoWhereTheFunctionChanges()
{
    // Five parameters, of which two matter much, as in shared/next: at most a third of the regular
    // grid's error.
    const AdaptiveFunction::Function f = [](const Place &x) {
        return std::exp(-20 * (std::pow(0.4 - x[0], 2) + std::pow(0.6 - x[1], 2))) * (1 + x[2])
               + 0.1 * (x[3] + x[4]);
    };
    const std::vector<DimensionBasis> bases(5, DimensionBasis(clenshawCurtis, 3));
    AdaptiveFunction regular(f, bases);
    const SparseGrid grid(GridShape(5, 4, {}, std::vector(5, clenshawCurtis), 0, {3}));
    for (std::size_t block = 1; block < grid.blocks(); ++block) {
        const auto levels = grid.levelVector(block);
        regular.add({levels.begin(), levels.end()});
    }
    AdaptiveFunction adaptive(f, bases);
    refine(adaptive, regular.runs());
    QVERIFY(adaptive.runs() <= regular.runs());
    QVERIFY2(adaptive.error() < regular.error() / 3,
             qPrintable(QString("%1 beside %2").arg(adaptive.error()).arg(regular.error())));
}

void AdaptiveBlocksTest::aFunctionThatBeginsWithZerosIsFound()
{
    // Its gains are 0 at the first levels of x0, and without x0 it does not depend on x1.
    for (const auto basis : {DimensionBasis(clenshawCurtis, 3), DimensionBasis(leja)}) {
        AdaptiveFunction function(
            [](const Place &x) { return 1 + std::sin(2 * std::numbers::pi * x[0]) * (1 + x[1]); },
            {basis, basis});
        refine(function, 145);
        QVERIFY2(function.error() < 1e-4, qPrintable(QString::number(function.error())));
    }
}

void AdaptiveBlocksTest::badInputIsRefused()
{
    const std::vector<KnownBlock> blocks{{{0, 0}, 1.0}};
    GRIDHELM_EXPECT_ERROR(blockCandidates({leja}, blocks, std::vector{3}));
    GRIDHELM_EXPECT_ERROR(blockCandidates({leja, leja}, blocks, std::vector{3}));
}

GRIDHELM_TEST(AdaptiveBlocksTest)
#include "tst_adaptive_blocks.moc"
