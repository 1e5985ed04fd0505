// SPDX-License-Identifier: GPL-3.0-or-later
//
// Order statistics of measurements.
#pragma once

#include <vector>

namespace gridhelm {

/// The value that the share 0 .. 1 of all others does not exceed: of sorted values x_0 .. x_(n-1)
/// that with the index nearest to share (n - 1), the higher one of two. NaN without values.
double quantile(std::vector<double> values, double share);

/// (third quartile - first quartile) / median.
double relativeSpread(const std::vector<double> &values);

} // namespace gridhelm
