// SPDX-License-Identifier: GPL-3.0-or-later
//
// A sparse grid's interpolant by functions that are orthonormal for given input distributions. Of
// these, means and variances are sums of squares: nothing cancels, and no pairs of rows are needed.
#pragma once

#include "core/answers/input_distribution.h"
#include "core/answers/response_model.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::answers {

/// sum_i coefficients[i] prod_t e_(t, functions[i, t])(x_t), where e_(t, 0) = 1 and, of each
/// dimension, the mean of e_j e_k is 1 for j = k and 0 otherwise (analysis.md, eq:anova).
struct OrthogonalExpansion
{
    std::size_t dimension = 0;
    std::size_t columns = 0;
    std::vector<std::uint32_t> functions; ///< terms x dimension
    std::vector<double> coefficients;     ///< terms x columns

    std::size_t terms() const { return functions.size() / dimension; }
    std::span<const std::uint32_t> functionsOf(std::size_t term) const
    {
        return std::span(functions).subspan(term * dimension, dimension);
    }
    std::span<const double> coefficientsOf(std::size_t term) const
    {
        return std::span(coefficients).subspan(term * columns, columns);
    }
};

/// Most functions that a dimension may have: what a triangular matrix of them costs.
inline constexpr std::size_t mostFunctionsOfDimension = 2100;

/// Whether there are not more.
bool canExpand(const sparse::SparseGrid &grid);

/// Dimension by dimension: along each pole the functions of a level are sums of the orthonormal
/// ones of the same and coarser levels (Cholesky's factor of their Gram matrix), which a
/// downward-closed grid has. Exact to round-off. Throws gridhelm::Error for inputs that are not
/// independent, or not one for each dimension, and where !canExpand().
OrthogonalExpansion expand(const GridCoefficients &interpolant, const Inputs &inputs);

} // namespace gridhelm::answers
