// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kriging/correlations.h"

#include <Eigen/Cholesky>

#include <optional>

namespace gridhelm::kriging {

/// The bordered matrix [R F; F^T 0] of correlations R and trend F, factored
/// (docs/theory/surrogates.md, eq:bordered-matrix): R = L L^T, and F^T R^-1 F = T T^T.
class BorderedFactor
{
public:
    /// From the lower triangle of R. None if R is not positive definite to round-off, or F has not
    /// full rank.
    static std::optional<BorderedFactor> of(Matrix correlations, const Matrix &trend);

    /// log det R + log det F^T R^-1 F.
    double logDeterminant() const;

    /// The lower triangle of B, the runs' block of the inverse, symmetric; what is above has no
    /// meaning. B y are the weights of the correlations; B is 0 for what the trend can express.
    Matrix inverse() const;

    /// Of values, one output in each column.
    struct Solution
    {
        Matrix weights; ///< B y, runs x outputs
        Matrix trend;   ///< the coefficients of the trend's functions, terms x outputs
    };
    Solution solve(const Matrix &values) const;

    /// The prediction's variance (eq:kriging-deviation), relative to the process's and without the
    /// nugget, where `correlations` are those with the runs, and `trend` the trend's functions.
    double variance(const Vector &correlations, const Vector &trend) const;

private:
    BorderedFactor() = default;

    Matrix m_lower;                   ///< L, in the lower triangle
    Matrix m_halfTrend;               ///< L^-1 F
    Eigen::LLT<Matrix> m_trendFactor; ///< T
};

} // namespace gridhelm::kriging
