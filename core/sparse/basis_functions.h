// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one-dimensional functions of all treatments and degrees, one at a time and word by word
// (docs/theory/sparse-grids.md). The fast paths are tested against these;
// of hats the arithmetic is that of core/sparse/basis.h.
#pragma once

#include "core/sparse/dimension_basis.h"

#include <cstdint>
#include <vector>

namespace gridhelm::sparse {

struct ValueAndSlope
{
    double value = 0;
    double slope = 0; ///< derivative to the right at kinks, to the left at x = 1
};

/// Function `position` of a level at 0 <= x <= 1.
ValueAndSlope basisFunction(DimensionBasis basis, int level, std::uint32_t position, double x);

/// The functions of a level that may be nonzero at x: two where the level isPaired(), else one.
std::vector<std::uint32_t> functionsAt(DimensionBasis basis, int level, double x);

/// Where the function's polynomial vanishes: the ends of its support, and for degree 3 the nearest
/// further ancestor; for `leja` all points below. Empty for hats, and where it is constant.
std::vector<double> rootsOf(DimensionBasis basis, int level, std::uint32_t position);

} // namespace gridhelm::sparse
