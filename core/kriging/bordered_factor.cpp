// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/bordered_factor.h"

#include "core/kriging/cholesky.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace gridhelm::kriging {

std::optional<BorderedFactor> BorderedFactor::of(Matrix correlations, const Matrix &trend)
{
    BorderedFactor result;
    result.m_lower = std::move(correlations);
    const auto n = static_cast<std::size_t>(result.m_lower.rows());
    // A pivot below this is round-off, whatever its sign.
    const double roundOff = 4 * std::numeric_limits<double>::epsilon() * static_cast<double>(n);
    if (!factor({result.m_lower.data(), n}, n, roundOff))
        return std::nullopt;
    result.m_halfTrend = result.m_lower.triangularView<Eigen::Lower>().solve(trend);
    result.m_trendFactor.compute(result.m_halfTrend.transpose() * result.m_halfTrend);
    if (result.m_trendFactor.info() != Eigen::Success || !std::isfinite(result.logDeterminant()))
        return std::nullopt;
    return result;
}

double BorderedFactor::logDeterminant() const
{
    return 2 * m_lower.diagonal().array().log().sum()
           + 2 * m_trendFactor.matrixLLT().diagonal().array().log().sum();
}

Matrix BorderedFactor::inverse() const
{
    const auto lower = m_lower.triangularView<Eigen::Lower>();
    const auto n = m_lower.rows();
    const auto size = static_cast<std::size_t>(n);
    Matrix work(n, n), result(n, n);
    invertFactored({m_lower.data(), size}, {work.data(), size}, {result.data(), size}, size);
    // B = R^-1 - H H^T with H = R^-1 F T^-T.
    Matrix share = lower.transpose().solve(m_halfTrend);
    m_trendFactor.matrixL().transpose().solveInPlace<Eigen::OnTheRight>(share);
    result.selfadjointView<Eigen::Lower>().rankUpdate(share, -1);
    return result;
}

BorderedFactor::Solution BorderedFactor::solve(const Matrix &values) const
{
    const auto lower = m_lower.triangularView<Eigen::Lower>();
    Solution result;
    Matrix half = lower.solve(values);
    result.trend = m_trendFactor.solve(m_halfTrend.transpose() * half);
    half -= m_halfTrend * result.trend;
    result.weights = lower.transpose().solve(half);
    return result;
}

double BorderedFactor::variance(const Vector &correlations, const Vector &trend) const
{
    const Vector half = m_lower.triangularView<Eigen::Lower>().solve(correlations);
    const Vector rest = trend - m_halfTrend.transpose() * half;
    const double explained = half.squaredNorm();
    return std::max(0.0, 1 - explained + m_trendFactor.matrixL().solve(rest).squaredNorm());
}

} // namespace gridhelm::kriging
