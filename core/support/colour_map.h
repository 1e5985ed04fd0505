// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm {

using Colour = std::array<std::uint8_t, 3>; ///< sRGB

/// From numbers to colours.
enum class ColourMap : std::uint8_t { viridis, batlow, cividis, glow, turbo, coolWarm, vik, grey };

struct ColourMapInfo
{
    ColourMap map;
    std::string_view name; ///< as in files, on the command line and on the screen
    std::string_view help; ///< what it is good for, in a few words
};

/// All of them, in the order in which they are offered.
std::span<const ColourMapInfo> colourMaps();
std::string_view toString(ColourMap map);
/// Throws gridhelm::Error, with the names there are.
ColourMap parseColourMap(std::string_view name);
std::vector<std::string> colourMapNames();

/// `value` in [0, 1], clamped. viridis: S. van der Walt and N. Smith, 2015, as the polynomials of
/// degree 6 that M. Zucker fitted to it. glow, coolwarm, grey: curves in the colour space OKLab.
/// The others are tables, see colour_tables/.
Colour colourOf(ColourMap map, double value);

} // namespace gridhelm
