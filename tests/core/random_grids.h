// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random grids of all kinds, small enough for the literal reference.
#pragma once

#include "core/sparse/sparse_grid.h"
#include "tests/core/random.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gridhelm::test {

using GridPointer = std::shared_ptr<const sparse::SparseGrid>;

/// Grids with hats alone, or with all treatments and degrees there are.
enum class Kinds { hats, all };

inline std::vector<sparse::BoundaryTreatment> treatmentsWithCells()
{
    auto treatments = sparse::boundaryTreatments();
    std::erase_if(treatments, [](auto treatment) { return !sparse::hasCells(treatment); });
    return treatments;
}

/// One treatment for all dimensions, or (half of the time) one for each.
inline std::vector<sparse::BoundaryTreatment> randomTreatments(Random &random, int dimension,
                                                               Kinds kinds = Kinds::hats)
{
    const auto all = kinds == Kinds::hats ? treatmentsWithCells() : sparse::boundaryTreatments();
    const bool isMixed = random.chance(0.5);
    const auto forAll = all[random.index(all.size())];
    std::vector<sparse::BoundaryTreatment> treatments;
    for (int t = 0; t < dimension; ++t)
        treatments.push_back(isMixed ? all[random.index(all.size())] : forAll);
    return treatments;
}

/// Half of the time none; otherwise some, one the most often.
inline sparse::DimensionSet randomDense(Random &random, int dimension)
{
    sparse::DimensionSet dense = 0;
    for (bool isMore = random.chance(0.5); isMore; isMore = random.chance(0.3))
        dense |= sparse::DimensionSet{1} << random.integer(0, dimension - 1);
    return dense;
}

/// Any degree that each treatment has.
inline std::vector<int>
randomDegrees(Random &random, const std::vector<sparse::BoundaryTreatment> &treatments, Kinds kinds)
{
    std::vector<int> degrees;
    for (const auto treatment : treatments)
        degrees.push_back(
            kinds == Kinds::hats ? 1 : random.integer(1, sparse::highestDegreeOf(treatment)));
    return degrees;
}

/// Regular or with random caps, some of them above the level.
inline sparse::GridShape randomShape(Random &random, int highestDimension,
                                     std::uint64_t highestPoints, Kinds kinds = Kinds::hats)
{
    while (true) {
        const int dimension = random.integer(1, highestDimension);
        const int level = random.integer(1, dimension == 1 ? 10 : dimension <= 3 ? 7 : 5);
        std::vector<int> caps;
        if (random.chance(0.7)) {
            for (int t = 0; t < dimension; ++t)
                caps.push_back(random.integer(1, level + 1));
        }
        const auto treatments = randomTreatments(random, dimension, kinds);
        sparse::GridShape shape(dimension, level, caps, treatments, randomDense(random, dimension),
                                randomDegrees(random, treatments, kinds));
        if (sparse::countGrid(shape).points <= highestPoints)
            return shape;
    }
}

/// A downward-closed set of level vectors that is no truncated grid in general, grown at random, in
/// random order, one vector after the other.
inline std::vector<sparse::Level>
randomClosedSet(Random &random, const std::vector<sparse::BoundaryTreatment> &treatments,
                std::uint64_t highestPoints)
{
    using LevelVector = std::vector<sparse::Level>;
    const auto d = treatments.size();
    LevelVector lowest;
    for (auto treatment : treatments)
        lowest.push_back(static_cast<sparse::Level>(sparse::lowestLevel(treatment)));

    std::vector<LevelVector> list{lowest};
    std::set<LevelVector> set{lowest};
    const auto hasAllLowerNeighbours = [&](LevelVector vector) {
        for (std::size_t t = 0; t < d; ++t) {
            if (vector[t] == lowest[t])
                continue;
            --vector[t];
            if (!set.contains(vector))
                return false;
            ++vector[t];
        }
        return true;
    };
    const auto pointsOf = [&](const LevelVector &vector) {
        std::uint64_t points = 1;
        for (std::size_t t = 0; t < d; ++t)
            points *= sparse::pointsOfLevel(treatments[t], vector[t]);
        return points;
    };

    std::uint64_t points = pointsOf(lowest);
    const int attempts = random.integer(0, 400);
    for (int attempt = 0; attempt < attempts; ++attempt) {
        // Young members more often, so that the set grows spikes as well as a bulk.
        const auto first = random.chance(0.5) ? list.size() / 2 : 0;
        LevelVector candidate = list[first + random.index(list.size() - first)];
        const auto t = random.index(d);
        if (++candidate[t] > sparse::highestLevelOf(treatments[t]))
            continue;
        if (points + pointsOf(candidate) > highestPoints || set.contains(candidate)
            || !hasAllLowerNeighbours(candidate))
            continue;
        points += pointsOf(candidate);
        set.insert(candidate);
        list.push_back(candidate);
    }

    random.shuffle(list);
    std::vector<sparse::Level> levels;
    for (const auto &vector : list)
        levels.insert(levels.end(), vector.begin(), vector.end());
    return levels;
}

/// Two truncated grids for every arbitrary set, of at most `highestPoints` points, small ones and
/// large ones equally often.
inline GridPointer randomGrid(Random &random, int highestDimension, std::uint64_t highestPoints,
                              Kinds kinds = Kinds::hats)
{
    auto limit = highestPoints;
    for (int halvings = random.integer(0, 6); halvings > 0 && limit > 32; --halvings)
        limit /= 2;
    if (random.chance(2.0 / 3))
        return std::make_shared<sparse::SparseGrid>(
            randomShape(random, highestDimension, limit, kinds));
    const int dimension = random.integer(1, highestDimension);
    const auto treatments = randomTreatments(random, dimension, kinds);
    return std::make_shared<sparse::SparseGrid>(
        treatments, randomClosedSet(random, treatments, limit), randomDense(random, dimension),
        randomDegrees(random, treatments, kinds),
        random.chance(0.5) ? sparse::Grouping::leavesLast : sparse::Grouping::levelSums);
}

inline GridPointer makeGrid(const sparse::GridShape &shape)
{
    return std::make_shared<sparse::SparseGrid>(shape);
}

/// What a failure message needs to rebuild the grid: treatments (dense dimensions in capitals), and
/// the level vectors of a small grid, the highest levels of a large one.
inline std::string describe(const sparse::SparseGrid &grid)
{
    std::string text = "d=" + std::to_string(grid.dimension()) + " ";
    for (int t = 0; t < grid.dimension(); ++t) {
        const auto letter = sparse::toString(grid.treatment(t)).front();
        text += grid.isDense(t) ? static_cast<char>(letter - 'a' + 'A') : letter;
    }
    text += " of degree " + sparse::degreesText(grid.degrees());
    text += ", " + std::to_string(grid.blocks()) + " blocks, " + std::to_string(grid.points())
            + " points, ";
    if (grid.blocks() <= 12) {
        text += "level vectors";
        for (std::size_t block = 0; block < grid.blocks(); ++block) {
            text += " (";
            for (auto level : grid.levelVector(block))
                text += std::to_string(level) + " ";
            text.back() = ')';
        }
    } else {
        text += std::to_string(grid.groups()) + " groups, highest levels";
        for (int t = 0; t < grid.dimension(); ++t)
            text += " " + std::to_string(grid.highestLevel(t));
    }
    return text;
}

} // namespace gridhelm::test
