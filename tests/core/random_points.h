// SPDX-License-Identifier: GPL-3.0-or-later
//
// Points where evaluation may go wrong: anywhere, on grid points and kinks, beside them, on faces
// and in corners.
#pragma once

#include "core/sparse/point_set.h"
#include "core/sparse/sparse_grid.h"
#include "tests/core/random.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::test {

/// A coordinate of [0, 1] in dimension t: uniform, a kink, an end, or the number next to one.
template <typename T>
T randomCoordinate(Random &random, const sparse::SparseGrid &grid, int t)
{
    const auto kink = [&] {
        const int halvings = random.integer(0, std::clamp(grid.highestLevel(t), 0, 24) + 2);
        return static_cast<T>(std::ldexp(random.integer(0, 1 << halvings), -halvings));
    };
    switch (random.integer(0, 9)) {
    case 0:
        return static_cast<T>(random.integer(0, 1));
    case 1:
    case 2:
        return kink();
    case 3: {
        const T x = kink();
        return std::nextafter(x, x > T(0.5) ? T(0) : T(1));
    }
    case 4: {
        const T x = kink();
        return x == T(0) || x == T(1) ? x : std::nextafter(x, x > T(0.5) ? T(1) : T(0));
    }
    default:
        return static_cast<T>(random.real());
    }
}

/// `count` points, row-major. Half of them uniform, the others grid points, corners, and mixtures
/// of special coordinates.
template <typename T>
std::vector<T> randomPoints(Random &random, const sparse::SparseGrid &grid, std::size_t count)
{
    const int d = grid.dimension();
    std::vector<T> points;
    points.reserve(count * static_cast<std::size_t>(d));
    std::vector<double> gridPoint(static_cast<std::size_t>(d));
    for (std::size_t j = 0; j < count; ++j) {
        const int kind = random.integer(0, 7);
        grid.coordinates(random.index(grid.points()), gridPoint);
        for (int t = 0; t < d; ++t) {
            if (kind < 4)
                points.push_back(static_cast<T>(random.real()));
            else if (kind == 4)
                points.push_back(static_cast<T>(gridPoint[static_cast<std::size_t>(t)]));
            else if (kind == 5)
                points.push_back(static_cast<T>(random.integer(0, 1)));
            else
                points.push_back(randomCoordinate<T>(random, grid, t));
        }
    }
    return points;
}

template <typename T>
sparse::PointsView<T> viewOf(const std::vector<T> &coordinates, const sparse::SparseGrid &grid)
{
    return {coordinates, grid.dimension()};
}

} // namespace gridhelm::test
