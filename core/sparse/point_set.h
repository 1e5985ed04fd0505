// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
};

} // namespace gridhelm::sparse
