// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/share.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::sparse {

/// m points of [0, 1]^d, row-major: x_t of point j is at coordinates[j * dimension + t].
template <typename T>
struct PointsView
{
    std::span<const T> coordinates;
    int dimension = 0;

    std::size_t count() const { return coordinates.size() / static_cast<std::size_t>(dimension); }
    std::span<const T> point(std::size_t j) const
    {
        const auto d = static_cast<std::size_t>(dimension);
        return coordinates.subspan(j * d, d);
    }
};

template <typename T>
PointsView<T> pointsOf(PointsView<T> points, Share share)
{
    const auto d = static_cast<std::size_t>(points.dimension);
    return {partOf(points.coordinates, times(share, d)), points.dimension};
}

/// Throws gridhelm::Error naming the first point outside [0, 1]^d (NaN included).
template <typename T>
void requireInsideUnitCube(PointsView<T> points);

/// A Cartesian product of coordinates: one list per dimension; a list of length 1 fixes its
/// dimension. The output is row-major over the lists, last dimension fastest.
template <typename T>
struct CartesianPoints
{
    std::vector<std::vector<T>> axes;

    std::size_t count() const
    {
        std::size_t product = 1;
        for (const auto &axis : axes)
            product *= axis.size();
        return product;
    }

    /// The first one that is not fixed; the last one if all are.
    std::size_t firstFreeAxis() const
    {
        std::size_t t = 0;
        while (t + 1 < axes.size() && axes[t].size() == 1)
            ++t;
        return t;
    }
};

/// Coordinates [begin, end) of the first free axis of a Cartesian product, and all of the others: a
/// contiguous part of the output.
struct CartesianPart
{
    std::size_t begin = 0, end = 0;
};

template <typename T>
CartesianPart wholeOf(const CartesianPoints<T> &points)
{
    return {0, points.axes[points.firstFreeAxis()].size()};
}

/// Points of the part.
template <typename T>
std::size_t countOf(const CartesianPoints<T> &points, CartesianPart part)
{
    const auto length = points.axes[points.firstFreeAxis()].size();
    return length == 0 ? 0 : points.count() / length * (part.end - part.begin);
}

} // namespace gridhelm::sparse
