// SPDX-License-Identifier: GPL-3.0-or-later
//
// The mean that kriging starts from: a constant, or also linear in some parameters, as they are
// (not warped).
#pragma once

#include "core/kriging/correlations.h"

#include <span>
#include <vector>

namespace gridhelm::kriging {

/// Its functions at the places, one in each row: 1, then x_t - 1/2 for each t of `linear`.
Matrix trendAt(const Matrix &places, const std::vector<int> &linear);
Vector trendAt(std::span<const double> x, const std::vector<int> &linear);

/// Whether the runs can tell the trend's functions apart, with at least one run to spare.
bool trendIsDetermined(const Matrix &places, const std::vector<int> &linear);

/// Values, one output in each column, as the trend by least squares and the rest. Kriging of the
/// rest, and the coefficients added to its own, is kriging of the values, with less round-off.
struct Detrended
{
    Matrix coefficients; ///< terms x outputs
    Matrix rest;         ///< runs x outputs; 0 for outputs that the trend expresses to round-off
};
Detrended detrended(const Matrix &values, const Matrix &trend);

} // namespace gridhelm::kriging
