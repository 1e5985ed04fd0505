// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/trend.h"

#include <Eigen/QR>

namespace gridhelm::kriging {

Matrix trendAt(const Matrix &places, const std::vector<int> &linear)
{
    Matrix result(places.rows(), 1 + static_cast<Eigen::Index>(linear.size()));
    result.col(0).setOnes();
    for (std::size_t k = 0; k < linear.size(); ++k)
        result.col(static_cast<Eigen::Index>(k) + 1) = places.col(linear[k]).array() - 0.5;
    return result;
}

Vector trendAt(std::span<const double> x, const std::vector<int> &linear)
{
    Vector result(1 + static_cast<Eigen::Index>(linear.size()));
    result[0] = 1;
    for (std::size_t k = 0; k < linear.size(); ++k)
        result[static_cast<Eigen::Index>(k) + 1] = x[static_cast<std::size_t>(linear[k])] - 0.5;
    return result;
}

bool trendIsDetermined(const Matrix &places, const std::vector<int> &linear)
{
    const Matrix trend = trendAt(places, linear);
    if (trend.rows() <= trend.cols())
        return false;
    Eigen::ColPivHouseholderQR<Matrix> decomposition(trend);
    decomposition.setThreshold(1e-8); // less is a direction that no run shows
    return decomposition.rank() == trend.cols();
}

Detrended detrended(const Matrix &values, const Matrix &trend)
{
    constexpr double roundOff = 1e-13;
    Detrended result;
    result.coefficients = trend.colPivHouseholderQr().solve(values);
    result.rest = values - trend * result.coefficients;
    for (Eigen::Index m = 0; m < values.cols(); ++m) {
        if (result.rest.col(m).norm() <= roundOff * values.col(m).norm())
            result.rest.col(m).setZero();
    }
    return result;
}

} // namespace gridhelm::kriging
