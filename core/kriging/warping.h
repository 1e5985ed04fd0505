// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::kriging {

/// A coordinate after warping, and how it changes.
struct WarpedCoordinate
{
    double value = 0;
    double byLogA = 0; ///< derivative by log a
    double byLogB = 0; ///< derivative by log b
    double slope = 1;  ///< derivative by the coordinate
};

/// The cumulative distribution 1 - (1 - v^a)^b of [Kumaraswamy1980] at the coordinate 0 <= u <= 1,
/// as [Snoek2014] warps inputs (surrogates.md, eq:warping): what changes most at an end is spread.
/// v = 2^-10 + (1 - 2^-9) u keeps away from the ends, where slopes may be infinite. a, b > 0.
WarpedCoordinate warped(double u, double a, double b);

} // namespace gridhelm::kriging
