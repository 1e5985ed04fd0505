// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/colour_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gridhelm {

/// Between which coordinates of two colours lines are drawn; the names are ParaView's. Steps: none,
/// a colour goes on to the next place.
enum class ColourSpace : std::uint8_t { rgb, hsv, lab, ciede2000, diverging, step };

/// A colour map that a user has made, or that came with a file.
struct CustomColourMap
{
    struct Node
    {
        double place = 0; ///< in [0, 1]
        Colour colour{};

        bool operator==(const Node &) const = default;
    };
    static constexpr std::size_t maxNodes = 4096;

    std::string name; ///< a line of text, not empty
    ColourSpace space = ColourSpace::rgb;
    std::vector<Node> nodes;   ///< two or more, ascending; the first at 0, the last at 1
    std::vector<Colour> table; ///< at even places from 0 to 1, as the nodes say

    bool operator==(const CustomColourMap &) const = default;
};

using SharedColourMap = std::shared_ptr<const CustomColourMap>;

/// `value` in [0, 1].
inline Colour colourOf(const CustomColourMap &map, double value)
{
    return map.table[static_cast<std::size_t>(
        std::lround(value * static_cast<double>(map.table.size() - 1)))];
}

} // namespace gridhelm
