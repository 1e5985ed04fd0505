// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/sparse_grid.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace gridhelm::sparse {

struct ErrorNorms
{
    double relativeL2 = 0;      ///< eq:relative-error: ||approximation - exact||_2 / ||exact||_2
    double maximum = 0;         ///< max |approximation - exact|
    double relativeMaximum = 0; ///< maximum / max |exact|
    std::size_t worst = 0;      ///< index of the largest error
};

/// Both spans have the same length >= 1. A zero reference gives the absolute error.
template <typename T>
ErrorNorms errorNorms(std::span<const T> approximation, std::span<const T> exact);

/// Moves a point a little, to where it is easy to name.
using PointRounding = std::function<void(std::span<double> x)>;

/// Points a grid has not seen: the centres of two faces and two corners (at most an eighth of
/// `count` each), then uniformly random ones inside, which bands are calibrated at, rounded, and
/// further than an eighth of the finest points' distance from every grid point in some direction;
/// row-major. Reproducible by `seed`. Where rounding leaves too few points, the others are not
/// rounded.
std::vector<double> holdOutPoints(const SparseGrid &grid, std::size_t count, std::uint64_t seed,
                                  const PointRounding &rounding = {});

} // namespace gridhelm::sparse
