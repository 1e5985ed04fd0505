// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all surrogates require of those who ask them.
#pragma once

#include <span>

namespace gridhelm {

/// Throws gridhelm::Error unless 0 <= t < dimension.
void requireParameter(int t, int dimension);

/// Throws gridhelm::Error unless there are `dimension` coordinates, and all are finite.
void requireCoordinates(std::span<const double> x, int dimension);

} // namespace gridhelm
