// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/colour_map.h"
#include "core/support/custom_colour_map.h"

#include <algorithm>

namespace gridhelm {

/// A colour map as it is used: from either end, and without steps or in bands of one colour each.
struct ColourScheme
{
    static constexpr int maxBands = 64;

    ColourScheme() = default;
    ColourScheme(ColourMap of) // it is one without more
        : map(of)
    {
    }
    ColourScheme(SharedColourMap of)
        : custom(std::move(of))
    {
    }

    ColourMap map = ColourMap::viridis;
    SharedColourMap custom; ///< null: `map` counts
    bool isInverted = false;
    int bands = 0; ///< 2 to maxBands; 0: without steps

    bool operator==(const ColourScheme &other) const
    {
        return map == other.map && isInverted == other.isInverted && bands == other.bands
               && (custom == other.custom || (custom && other.custom && *custom == *other.custom));
    }
};

/// `value` in [0, 1], clamped. The outermost bands have the colours of the ends.
inline Colour colourOf(const ColourScheme &scheme, double value)
{
    double x = std::clamp(value, 0.0, 1.0);
    if (scheme.bands > 1) {
        const int band = std::min(static_cast<int>(x * scheme.bands), scheme.bands - 1);
        x = static_cast<double>(band) / (scheme.bands - 1);
    }
    x = scheme.isInverted ? 1.0 - x : x;
    return scheme.custom ? colourOf(*scheme.custom, x) : colourOf(scheme.map, x);
}

} // namespace gridhelm
