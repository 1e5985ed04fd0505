// SPDX-License-Identifier: GPL-3.0-or-later
//
// What evaluations with fixed dimensions, the sliders, have in common on all back ends.
#pragma once

#include "core/sparse/backend.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::sparse {

/// Columns of `points`, at least one point, that hold one value. Something stays free: the last
/// column if all do.
template <typename T>
std::vector<bool> sharedColumns(PointsView<T> points)
{
    const auto d = static_cast<std::size_t>(points.dimension);
    std::vector<bool> isShared(d, true);
    for (std::size_t i = d; i < points.coordinates.size(); ++i) {
        if (points.coordinates[i] != points.coordinates[i % d])
            isShared[i % d] = false;
    }
    if (std::ranges::find(isShared, false) == isShared.end())
        isShared.back() = false;
    return isShared;
}

/// The coordinates of the free dimensions.
template <typename T>
std::vector<T> freeCoordinates(PointsView<T> points, const std::vector<bool> &isFixed)
{
    std::vector<T> result;
    for (std::size_t i = 0; i < points.coordinates.size(); ++i) {
        if (!isFixed[i % isFixed.size()])
            result.push_back(points.coordinates[i]);
    }
    return result;
}

/// All combinations of the axes as a list of points.
template <typename T>
std::vector<T> allCombinations(const std::vector<std::vector<T>> &axes)
{
    std::size_t count = 1;
    for (const auto &axis : axes)
        count *= axis.size();
    std::vector<T> points(count * axes.size());
    for (std::size_t j = 0; j < count; ++j) {
        auto remaining = j;
        for (std::size_t t = axes.size(); t-- > 0;) {
            points[j * axes.size() + t] = axes[t][remaining % axes[t].size()];
            remaining /= axes[t].size();
        }
    }
    return points;
}

/// A Cartesian product, none of whose axes is empty, as free axes at a point x of the fixed
/// dimensions. Something stays free: the last axis if all have length 1.
template <typename T>
struct Slice
{
    explicit Slice(const CartesianPoints<T> &points)
    {
        for (std::size_t t = 0; t < points.axes.size(); ++t) {
            isFixed.push_back(points.axes[t].size() == 1);
            x.push_back(points.axes[t].front());
            if (!isFixed.back())
                freeDimensions.push_back(t);
        }
        if (freeDimensions.empty()) {
            isFixed.back() = false;
            freeDimensions.push_back(isFixed.size() - 1);
        }
        for (auto t : freeDimensions)
            freeAxes.push_back(points.axes[t]);
    }

    /// The free axes of a part.
    std::vector<std::vector<T>> axesOf(CartesianPart part) const
    {
        auto axes = freeAxes;
        const auto begin = freeAxes.front().begin();
        axes.front().assign(begin + static_cast<std::ptrdiff_t>(part.begin),
                            begin + static_cast<std::ptrdiff_t>(part.end));
        return axes;
    }

    std::vector<bool> isFixed;
    std::vector<T> x; ///< all d coordinates
    std::vector<std::size_t> freeDimensions;
    std::vector<std::vector<T>> freeAxes;
};

/// More free dimensions than an evaluation takes: one slice for every coordinate of the shortest
/// axis, by evaluate(product, its part, output).
template <typename T, typename Evaluate>
void evaluateSliceBySlice(const CartesianPoints<T> &points,
                          const std::vector<std::size_t> &freeDimensions, CartesianPart part,
                          EvaluationOutput<T> out, Evaluate evaluate)
{
    const auto dimension = *std::ranges::min_element(
        freeDimensions, {}, [&](std::size_t t) { return points.axes[t].size(); });
    const bool areParted = dimension == freeDimensions.front(); // the slices themselves
    const auto first = areParted ? part.begin : 0;
    const auto slices = areParted ? part.end - part.begin : points.axes[dimension].size();
    std::size_t behind = 1; // values of the dimensions behind the sliced one
    for (auto t = dimension + 1; t < points.axes.size(); ++t)
        behind *= points.axes[t].size();

    auto slice = points;
    const auto sliceSize = countOf(points, part) / slices;
    std::vector<T> values(sliceSize), indicator(out.indicator.empty() ? 0 : sliceSize);
    for (std::size_t i = 0; i < slices; ++i) {
        slice.axes[dimension] = {points.axes[dimension][first + i]};
        evaluate(slice, areParted ? wholeOf(slice) : part, EvaluationOutput<T>{values, indicator});
        const auto scatter = [&](const std::vector<T> &from, std::span<T> to) {
            for (std::size_t j = 0; j < from.size(); ++j)
                to[(j / behind * slices + i) * behind + j % behind] = from[j];
        };
        scatter(values, out.values);
        scatter(indicator, out.indicator);
    }
}

} // namespace gridhelm::sparse
