// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm {

using Colour = std::array<std::uint8_t, 3>; ///< sRGB

/// From numbers to colours.
enum class ColourMap : std::uint8_t {
    viridis,  ///< perceptually uniform, from dark violet over green to yellow
    glow,     ///< perceptually uniform, from near black over violet and red to near white
    coolWarm, ///< from blue over light grey, exactly in the middle, to red: for values with a sign
    grey,     ///< lightness alone, from near black to near white
};

/// "viridis", "glow", "coolwarm", "grey".
std::string_view toString(ColourMap map);
/// Throws gridhelm::Error, with the names there are.
ColourMap parseColourMap(std::string_view name);
std::vector<std::string> colourMapNames();

/// `value` in [0, 1], clamped. viridis: S. van der Walt and N. Smith, 2015, as the polynomials of
/// degree 6 that M. Zucker fitted to it; the others are curves in the colour space OKLab.
Colour colourOf(ColourMap map, double value);

} // namespace gridhelm
