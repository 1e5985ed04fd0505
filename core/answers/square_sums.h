// SPDX-License-Identifier: GPL-3.0-or-later
//
// Maps of variance are sums of squares of combinations of a field's rows, at every value: the whole
// of the work of Sobol' maps, and what a GPU does of it.
#pragma once

#include "core/execution/computed_on.h"
#include "core/execution/device.h"
#include "core/linalg/combination.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace gridhelm::answers {

/// Combination i of rows A is w_i^T A. Combination 0 is wanted as it is; the others belong to sums
/// of squares, one sum's after the other's.
struct SquareSums
{
    std::size_t rows = 0;
    std::vector<float> weights;        ///< combinations() x rows
    std::vector<std::size_t> begins;   ///< sums() + 1: of each one's combinations; 1 is the first
    std::vector<std::size_t> negative; ///< sums(): so many of the first ones are taken away

    std::size_t combinations() const { return begins.back(); }
    std::size_t sums() const { return negative.size(); }
};

/// As many values as the matrix has columns, each.
struct SquareSumsOutput
{
    std::span<float> first; ///< combination 0
    std::vector<std::span<float>> sums;
};

/// Throws gridhelm::Error if these do not belong together.
void requireFitting(const SquareSums &sums, linalg::MatrixView<const float> matrix,
                    const SquareSumsOutput &out);

/// In single precision, by rows x combinations operations a column. Throws as requireFitting().
void sumSquares(const SquareSums &sums, linalg::MatrixView<const float> matrix,
                const SquareSumsOutput &out, const CpuDevice &cpu);

/// sumSquares() of another device, whose values agree to round-off; it says where they were made.
using SquareSummer = std::function<ComputedOn(
    const SquareSums &sums, linalg::MatrixView<const float> matrix, const SquareSumsOutput &out)>;

} // namespace gridhelm::answers
