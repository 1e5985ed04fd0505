// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sobol' indices of every value of a field (analysis.md, eq:anova): with rows A and the
// covariance C_u of their weights, as far as it comes from parameters u, the variance at a node is
// diag(A^T C_u A).
#pragma once

#include "core/answers/input_distribution.h"
#include "core/answers/square_sums.h"
#include "core/execution/device.h"
#include "core/linalg/combination.h"
#include "core/surrogate/surrogate.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::answers {

/// Of the weights of a surrogate's rows: rows x rows, symmetric and positive semi-definite.
struct WeightCovariances
{
    std::size_t rows = 0;
    std::vector<double> mean;               ///< of each weight
    std::vector<double> all;                ///< by all parameters together
    std::vector<std::vector<double>> first; ///< by one of them alone
    std::vector<std::vector<double>> total; ///< by one of them in any company
    bool isExact = false;                   ///< else from samples
};

/// More rows than this have matrices too large to go through: modes of them have not.
inline constexpr std::uint64_t mostMapRows = 1000;

/// Exact for sparse grids, also over modes; else by (dimension + 2) x `samples` places, a few at a
/// time. Throws gridhelm::Error for more than mostMapRows rows, correlated inputs, where it is by
/// samples for fewer than 256, and where memory does not suffice.
WeightCovariances weightCovariances(const Surrogate &surrogate, const Inputs &inputs,
                                    std::size_t samples, std::uint64_t seed, const CpuDevice &cpu);

struct SobolMaps
{
    std::vector<float> mean;
    std::vector<float> variance;
    /// Of each parameter: shares of the variance at each value; 0 where there is none.
    std::vector<std::vector<float>> first, total;
    ComputedOn computedOn{};
};

/// Of all columns of the rows: rows^2 operations for each column and map at most, less where
/// covariances are of low rank (what is below 1e-9 of the largest eigenvalue is left out).
SobolMaps sobolMaps(const WeightCovariances &covariances, linalg::MatrixView<const float> rows,
                    const CpuDevice &cpu);
/// The same where squares are summed elsewhere; what the summer throws.
SobolMaps sobolMaps(const WeightCovariances &covariances, linalg::MatrixView<const float> rows,
                    const SquareSummer &summer);

} // namespace gridhelm::answers
