// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/block_functions.h"

#include "core/sparse/basis_functions.h"

namespace gridhelm::sparse {

BlockFunctions blockFunctionsAt(std::span<const DimensionBasis> bases, LevelVectorView levels,
                                std::span<const double> x)
{
    BlockFunctions all{{0}, {1}};
    for (std::size_t t = 0; t < bases.size(); ++t) {
        const auto extent = pointsOfLevel(bases[t].treatment, levels[t]);
        BlockFunctions next;
        for (std::size_t i = 0; i < all.positions.size(); ++i) {
            for (const auto position : functionsAt(bases[t], levels[t], x[t])) {
                next.positions.push_back(all.positions[i] * extent + position);
                next.values.push_back(all.values[i]
                                      * basisFunction(bases[t], levels[t], position, x[t]).value);
            }
        }
        all = std::move(next);
    }
    return all;
}

} // namespace gridhelm::sparse
