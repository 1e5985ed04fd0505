// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every evaluation path against the literal reference. The checks are Qt Test bodies: they fail the
// running test and return.
#pragma once

#include "core/sparse/backend.h"
#include "core/sparse/reference/literal.h"
#include "tests/core/closeness.h"
#include "tests/core/random_grids.h"
#include "tests/core/random_points.h"

#include <QTest>

#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::test {

/// A grid with random coefficients, loaded.
template <typename T>
struct Loaded
{
    GridPointer grid;
    std::vector<T> coefficients;
    std::unique_ptr<sparse::Evaluator<T>> evaluator;
};

template <typename T>
Loaded<T> loadRandom(const sparse::Backend &backend, GridPointer grid, Random &random)
{
    Loaded<T> loaded{std::move(grid), {}, nullptr};
    loaded.coefficients = randomValues<T>(random, loaded.grid->points());
    loaded.evaluator = backend.load(loaded.grid, loaded.coefficients);
    return loaded;
}

/// Compares evaluate(points, out), called with and without an indicator, with the literal reference
/// at these points.
template <typename T, typename Evaluate>
void checkEvaluation(const Loaded<T> &loaded, const std::vector<T> &points, const char *path,
                     Evaluate evaluate)
{
    const auto &grid = *loaded.grid;
    const auto view = viewOf(points, grid);
    std::vector<T> expected, expectedIndicator;
    for (std::size_t j = 0; j < view.count(); ++j) {
        const auto sum =
            sparse::reference::interpolate<T>(grid, loaded.coefficients, view.point(j));
        expected.push_back(sum.value);
        expectedIndicator.push_back(std::abs(sum.lastGroup));
    }
    const double tolerance =
        interpolationTolerance<T>(grid, interpolationScale(grid, loaded.coefficients, points));
    const auto context = [&] {
        return std::string(path) + ", " + std::to_string(view.count()) + " points, "
               + describe(grid);
    };

    const T unset = std::numeric_limits<T>::quiet_NaN(); // every value must be written
    std::vector<T> values(view.count(), unset), indicator(view.count(), unset);
    evaluate(sparse::EvaluationOutput<T>{values, indicator});
    GRIDHELM_COMPARE_CLOSE(values, expected, tolerance, context());
    GRIDHELM_COMPARE_CLOSE(indicator, expectedIndicator, tolerance, "indicator: " + context());

    std::ranges::fill(values, unset);
    evaluate(sparse::EvaluationOutput<T>{values});
    GRIDHELM_COMPARE_CLOSE(values, expected, tolerance, "no indicator: " + context());
}

inline std::vector<std::size_t> shuffledDirections(Random &random, const sparse::SparseGrid &grid)
{
    std::vector<std::size_t> directions(static_cast<std::size_t>(grid.dimension()));
    std::iota(directions.begin(), directions.end(), std::size_t{0});
    random.shuffle(directions);
    return directions;
}

/// Points with `constantColumns` columns that hold one value each.
template <typename T>
std::vector<T> pointsWithSharedColumns(Random &random, const sparse::SparseGrid &grid,
                                       std::size_t count, int constantColumns)
{
    auto points = randomPoints<T>(random, grid, count);
    auto columns = shuffledDirections(random, grid);
    columns.resize(static_cast<std::size_t>(constantColumns));
    for (const auto column : columns) {
        for (std::size_t j = 1; j < count; ++j)
            points[j * static_cast<std::size_t>(grid.dimension()) + column] = points[column];
    }
    return points;
}

/// Axes of special and random coordinates: `freeDimensions` of 2 .. longest entries, the others
/// of one.
template <typename T>
sparse::CartesianPoints<T> randomAxes(Random &random, const sparse::SparseGrid &grid,
                                      int freeDimensions, int longest)
{
    const auto directions = shuffledDirections(random, grid);
    sparse::CartesianPoints<T> points;
    points.axes.resize(directions.size());
    for (std::size_t i = 0; i < directions.size(); ++i) {
        const bool isFree = i < static_cast<std::size_t>(freeDimensions);
        for (int k = isFree ? random.integer(2, longest) : 1; k > 0; --k)
            points.axes[directions[i]].push_back(
                randomCoordinate<T>(random, grid, static_cast<int>(directions[i])));
    }
    return points;
}

/// The points of a Cartesian product one after the other, last dimension fastest.
template <typename T>
std::vector<T> listOf(const sparse::CartesianPoints<T> &points)
{
    const auto d = points.axes.size();
    std::vector<T> list(points.count() * d);
    for (std::size_t j = 0; j < points.count(); ++j) {
        auto remaining = j;
        for (std::size_t t = d; t-- > 0;) {
            list[j * d + t] = points.axes[t][remaining % points.axes[t].size()];
            remaining /= points.axes[t].size();
        }
    }
    return list;
}

template <typename T>
void checkScatteredPoints(const Loaded<T> &loaded, const std::vector<T> &points)
{
    checkEvaluation(loaded, points, "interpolate", [&](sparse::EvaluationOutput<T> out) {
        loaded.evaluator->interpolate(viewOf(points, *loaded.grid), out);
    });
}

template <typename T>
void checkSharedPoints(const Loaded<T> &loaded, const std::vector<T> &points)
{
    checkEvaluation(loaded, points, "interpolateShared", [&](sparse::EvaluationOutput<T> out) {
        loaded.evaluator->interpolateShared(viewOf(points, *loaded.grid), out);
    });
}

template <typename T>
void checkDetectedPoints(const Loaded<T> &loaded, const std::vector<T> &points)
{
    checkEvaluation(loaded, points, "evaluate", [&](sparse::EvaluationOutput<T> out) {
        loaded.evaluator->evaluate(viewOf(points, *loaded.grid), out);
    });
}

template <typename T>
void checkCartesianPoints(const Loaded<T> &loaded, const sparse::CartesianPoints<T> &axes)
{
    checkEvaluation(loaded, listOf(axes), "interpolateCartesian",
                    [&](sparse::EvaluationOutput<T> out) {
                        loaded.evaluator->interpolateCartesian(axes, out);
                    });
}

/// A picture at random places, with too many of them for the reference: `count` are compared, and
/// the first and the last one.
template <typename T>
void checkSomeOfPicture(const Loaded<T> &loaded, Random &random,
                        const std::vector<std::size_t> &lengths, int count)
{
    sparse::CartesianPoints<T> picture;
    picture.axes.resize(lengths.size());
    for (std::size_t t = 0; t < lengths.size(); ++t) {
        for (std::size_t i = 0; i < lengths[t]; ++i)
            picture.axes[t].push_back(
                randomCoordinate<T>(random, *loaded.grid, static_cast<int>(t)));
    }
    const auto list = listOf(picture);
    std::vector<std::size_t> some{0, picture.count() - 1};
    for (int i = 0; i < count; ++i)
        some.push_back(random.index(picture.count()));
    std::vector<T> points;
    for (auto j : some) {
        for (std::size_t t = 0; t < lengths.size(); ++t)
            points.push_back(list[j * lengths.size() + t]);
    }
    checkEvaluation(loaded, points, "picture", [&](sparse::EvaluationOutput<T> out) {
        const T unset = std::numeric_limits<T>::quiet_NaN();
        std::vector<T> values(picture.count(), unset), indicator(picture.count(), unset);
        const bool withIndicator = !out.indicator.empty();
        loaded.evaluator->interpolateCartesian(
            picture, {values, withIndicator ? std::span(indicator) : std::span<T>()});
        for (std::size_t k = 0; k < some.size(); ++k) {
            out.values[k] = values[some[k]];
            if (withIndicator)
                out.indicator[k] = indicator[some[k]];
        }
    });
}

} // namespace gridhelm::test
