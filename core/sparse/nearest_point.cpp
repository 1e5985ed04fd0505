// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/nearest_point.h"

#include <cmath>
#include <vector>

namespace gridhelm::sparse {

std::optional<std::uint64_t> pointNear(const SparseGrid &grid, std::span<const double> x,
                                       double tolerance)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    std::vector<Level> levels(d);
    std::vector<std::uint32_t> positions(d);
    for (std::size_t t = 0; t < d; ++t) {
        bool found = false;
        for (int level = lowestLevel(grid.treatment(static_cast<int>(t)));
             level <= grid.highestLevel(static_cast<int>(t)) && !found; ++level) {
            const double scaled = level < 0 ? x[t] : (x[t] * std::ldexp(1.0, level + 1) - 1) / 2;
            const double last = level < 0 ? 1 : std::ldexp(1.0, level) - 1;
            const double position = std::round(scaled);
            if (!(position >= 0 && position <= last))
                continue;
            levels[t] = static_cast<Level>(level);
            positions[t] = static_cast<std::uint32_t>(position);
            found = std::abs(pointCoordinate(levels[t], positions[t]) - x[t]) <= tolerance;
        }
        if (!found)
            return std::nullopt;
    }
    if (!grid.findBlock(levels))
        return std::nullopt;
    return grid.gp2idx(levels, positions);
}

} // namespace gridhelm::sparse
