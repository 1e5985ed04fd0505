// SPDX-License-Identifier: GPL-3.0-or-later
//
// Correlations of runs with each other and with other places, and their derivatives
// (docs/theory/surrogates.md, eq:correlation).
#pragma once

#include "core/kriging/hyperparameters.h"
#include "core/kriging/smoothness.h"

#include <Eigen/Core>

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::kriging {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Values that are stored row by row, as a matrix of so many rows.
Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
rowMajorMatrix(const std::vector<double> &values, std::size_t rows);

/// The places, one in each row, warped or as they are.
Matrix warpedPlaces(const Matrix &places, const Hyperparameters &hyperparameters);
/// One place; and, unless empty, the slopes of its coordinates.
Vector warpedPlace(std::span<const double> x, const Hyperparameters &hyperparameters,
                   std::span<double> slopes = {});

/// The lower triangle of the correlations of warped places with each other; 1 + nugget on the
/// diagonal. What is above the diagonal is left as it is.
void fillCorrelations(const Matrix &warped, const Hyperparameters &hyperparameters,
                      Smoothness smoothness, Matrix &correlations);

/// Of warped places with one more, without the nugget.
Vector correlationsWith(const Matrix &warped, const Vector &place,
                        const Hyperparameters &hyperparameters, Smoothness smoothness);
/// Their derivatives by the place's coordinate t (the warped one), given the correlations.
Vector correlationSlopes(const Matrix &warped, const Vector &place, Eigen::Index t,
                         const Vector &correlations, const Hyperparameters &hyperparameters,
                         Smoothness smoothness);

/// The derivatives of sum_ij W_ij R_ij for a symmetric W.
struct CorrelationGradient
{
    Vector byLogLength; ///< dimension
    Matrix byPlace;     ///< as `warped`; empty unless wanted
};
/// From the lower triangles of W and of the correlations R.
CorrelationGradient correlationGradient(const Matrix &warped,
                                        const Hyperparameters &hyperparameters,
                                        Smoothness smoothness, const Matrix &correlations,
                                        const Matrix &weights, bool byPlaceIsWanted);

} // namespace gridhelm::kriging
