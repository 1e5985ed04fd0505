// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/dimension_basis.h"
#include "core/sparse/level_vector.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::sparse {

/// The functions of one block that may be nonzero at a place.
struct BlockFunctions
{
    std::vector<std::uint64_t> positions; ///< in the block, row-major
    std::vector<double> values;
};

/// At x in [0, 1]^d; `bases` and `levels` have d components.
BlockFunctions blockFunctionsAt(std::span<const DimensionBasis> bases, LevelVectorView levels,
                                std::span<const double> x);

} // namespace gridhelm::sparse
