// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/correlations.h"

#include "core/kriging/warping.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::kriging {

namespace {

using Eigen::Index;

/// factors *= those of |others - here| along one dimension, exponents += theirs.
template <typename Kernel>
void multiply(const double *others, double here, double length, Index count, double *factors,
              double *exponents)
{
    const double scale = Kernel::scale / length;
    for (Index i = 0; i < count; ++i) {
        const double s = scale * std::abs(others[i] - here);
        factors[i] *= Kernel::factor(s);
        exponents[i] += Kernel::exponent(s);
    }
}

/// Of one place with `count` others, whose coordinate t begins at others + t * stride.
template <typename Kernel>
void correlate(const double *others, Index stride, Index count, const Vector &place,
               std::span<const double> lengths, double *correlations, double *exponents)
{
    std::fill_n(correlations, count, 1.0);
    std::fill_n(exponents, count, 0.0);
    for (std::size_t t = 0; t < lengths.size(); ++t) {
        const auto index = static_cast<Index>(t);
        multiply<Kernel>(others + index * stride, place[index], lengths[t], count, correlations,
                         exponents);
    }
    Eigen::Map<Eigen::ArrayXd> factors(correlations, count);
    factors *= (-Eigen::Map<Eigen::ArrayXd>(exponents, count)).exp();
}

/// What the places i > j of column j add to the derivatives by log length and place, along one
/// dimension; the derivative by the place j is returned. `shares` are 2 W_ij R_ij.
template <typename Kernel>
double addSlopes(const double *others, double here, double length, Index count,
                 const double *shares, double &byLogLength, double *byPlace)
{
    const double scale = Kernel::scale / length;
    double lengthSum = 0, placeSum = 0;
    for (Index i = 0; i < count; ++i) {
        const double difference = scale * (others[i] - here);
        const double s = std::abs(difference);
        const double share = shares[i] * Kernel::slope(s) * difference;
        lengthSum += share * difference;
        if (byPlace != nullptr) {
            byPlace[i] -= scale * share;
            placeSum += share;
        }
    }
    byLogLength += lengthSum;
    return scale * placeSum;
}

} // namespace

Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
rowMajorMatrix(const std::vector<double> &values, std::size_t rows)
{
    return {values.data(), static_cast<Index>(rows),
            rows == 0 ? 0 : static_cast<Index>(values.size() / rows)};
}

Matrix warpedPlaces(const Matrix &places, const Hyperparameters &hyperparameters)
{
    if (!hyperparameters.isWarped())
        return places;
    Matrix result(places.rows(), places.cols());
    for (Index t = 0; t < places.cols(); ++t) {
        const auto index = static_cast<std::size_t>(t);
        for (Index i = 0; i < places.rows(); ++i)
            result(i, t) =
                warped(places(i, t), hyperparameters.warpA[index], hyperparameters.warpB[index])
                    .value;
    }
    return result;
}

Vector warpedPlace(std::span<const double> x, const Hyperparameters &hyperparameters,
                   std::span<double> slopes)
{
    Vector result(static_cast<Index>(x.size()));
    for (std::size_t t = 0; t < x.size(); ++t) {
        WarpedCoordinate coordinate{.value = x[t]};
        if (hyperparameters.isWarped())
            coordinate = warped(x[t], hyperparameters.warpA[t], hyperparameters.warpB[t]);
        result[static_cast<Index>(t)] = coordinate.value;
        if (!slopes.empty())
            slopes[t] = coordinate.slope;
    }
    return result;
}

void fillCorrelations(const Matrix &warped, const Hyperparameters &hyperparameters,
                      Smoothness smoothness, Matrix &correlations)
{
    const Index n = warped.rows();
    correlations.resize(n, n);
    Vector exponents(n);
    withCorrelation(smoothness, [&]<typename Kernel>(Kernel) {
        for (Index j = 0; j < n; ++j) {
            correlations(j, j) = 1 + hyperparameters.nugget;
            const Index below = n - j - 1;
            if (below > 0)
                correlate<Kernel>(warped.data() + j + 1, n, below, warped.row(j),
                                  hyperparameters.lengths, &correlations(j + 1, j),
                                  exponents.data());
        }
    });
}

Vector correlationsWith(const Matrix &warped, const Vector &place,
                        const Hyperparameters &hyperparameters, Smoothness smoothness)
{
    const Index n = warped.rows();
    Vector result(n), exponents(n);
    withCorrelation(smoothness, [&]<typename Kernel>(Kernel) {
        correlate<Kernel>(warped.data(), n, n, place, hyperparameters.lengths, result.data(),
                          exponents.data());
    });
    return result;
}

Vector correlationSlopes(const Matrix &warped, const Vector &place, Index t,
                         const Vector &correlations, const Hyperparameters &hyperparameters,
                         Smoothness smoothness)
{
    Vector result(warped.rows());
    withCorrelation(smoothness, [&]<typename Kernel>(Kernel) {
        const double scale = Kernel::scale / hyperparameters.lengths[static_cast<std::size_t>(t)];
        for (Index i = 0; i < warped.rows(); ++i) {
            const double difference = scale * (place[t] - warped(i, t));
            result[i] = -correlations[i] * Kernel::slope(std::abs(difference)) * difference * scale;
        }
    });
    return result;
}

CorrelationGradient correlationGradient(const Matrix &warped,
                                        const Hyperparameters &hyperparameters,
                                        Smoothness smoothness, const Matrix &correlations,
                                        const Matrix &weights, bool byPlaceIsWanted)
{
    const Index n = warped.rows(), d = warped.cols();
    CorrelationGradient result{Vector::Zero(d), {}};
    if (byPlaceIsWanted)
        result.byPlace = Matrix::Zero(n, d);
    Vector shares(n);
    withCorrelation(smoothness, [&]<typename Kernel>(Kernel) {
        for (Index j = 0; j + 1 < n; ++j) {
            const Index below = n - j - 1;
            shares.head(below) =
                2 * weights.col(j).tail(below).cwiseProduct(correlations.col(j).tail(below));
            for (Index t = 0; t < d; ++t) {
                double *byPlace = byPlaceIsWanted ? &result.byPlace(j + 1, t) : nullptr;
                const double ofJ =
                    addSlopes<Kernel>(&warped(j + 1, t), warped(j, t),
                                      hyperparameters.lengths[static_cast<std::size_t>(t)], below,
                                      shares.data(), result.byLogLength[t], byPlace);
                if (byPlaceIsWanted)
                    result.byPlace(j, t) += ofJ;
            }
        }
    });
    return result;
}

} // namespace gridhelm::kriging
