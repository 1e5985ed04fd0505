// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/level_vector.h"
#include "core/support/host_device.h"

#include <cstdint>
#include <string_view>

namespace gridhelm::sparse::treatments {

/// Level 0 is x = 1/2, level 1 is x = 0 and x = 1, level l >= 2 the odd multiples of 2^-l: the
/// equidistant points that [Klimke2005] calls Clenshaw-Curtis (docs/theory/sparse-grids.md).
struct ClenshawCurtis
{
    static constexpr std::string_view name = "clenshaw-curtis";
    static constexpr std::string_view help = "the ends are sampled from level 1 on";
    static constexpr int highestDegree = 3;
    static constexpr int highestLevel = maximumLevel - 1;

    GRIDHELM_HOST_DEVICE static constexpr int bits(int level)
    {
        return level < 2 ? level : level - 1;
    }
    static constexpr double coordinate(int level, std::uint32_t position)
    {
        if (level == 0)
            return 0.5;
        if (level == 1)
            return position == 0 ? 0.0 : 1.0;
        return (2.0 * position + 1.0) / static_cast<double>(std::uint64_t{1} << level);
    }
};

} // namespace gridhelm::sparse::treatments
