// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/input_distribution.h"
#include "core/answers/response_model.h"
#include "core/sparse/sparse_grid.h"

#include <optional>
#include <vector>

namespace gridhelm::answers {

/// A sparse grid's interpolant as a function of some of its dimensions, once the others are taken
/// at a place or averaged: sum_i weights[i] u(..., nodes[i], ...) in each dimension that has a
/// measure. Since its functions are products, that is an interpolant on the grid of what is left of
/// the level vectors, exactly. Throws gridhelm::Error unless there is a measure or none for each
/// dimension, and one dimension is left at least.
GridCoefficients withTaken(const GridCoefficients &whole,
                           const std::vector<std::optional<Measure>> &measures);

/// The mean over low .. high, inside of [0, 1], exact for the functions of this dimension; the
/// value there where both are the same.
Measure meanOver(const sparse::SparseGrid &grid, int t, double low, double high);

} // namespace gridhelm::answers
