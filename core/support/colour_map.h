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
enum class ColourMap : std::uint8_t {
    viridis,
    batlow,
    cividis,
    glow,
    inferno,
    magma,
    plasma,
    lajolla,
    lapaz,
    davos,
    oslo,
    hawaii,
    grey,
    turbo,
    coolWarm,
    vik,
    broc,
    roma,
    bam,
    berlin,
    twilight,
    vikCyclic,
    romaCyclic,
    bamCyclic,
    okabeIto,
};

enum class ColourMapGroup : std::uint8_t {
    sequential,  ///< from low to high
    rainbow,     ///< many hues, which exaggerate some differences
    diverging,   ///< around a middle
    cyclic,      ///< the ends are the same: angles, phases
    categorical, ///< a few colours to tell apart, without an order
};

/// "sequential" ...
std::string_view toString(ColourMapGroup group);

struct ColourMapInfo
{
    ColourMap map;
    std::string_view name; ///< as in files, on the command line and on the screen
    ColourMapGroup group;
    bool isColourBlindSafe; ///< order, or sides, are seen without red or green cones, too
};

/// All of them, in the order in which they are offered.
std::span<const ColourMapInfo> colourMaps();
std::string_view toString(ColourMap map);
/// Throws gridhelm::Error, with the names there are.
ColourMap parseColourMap(std::string_view name);
std::vector<std::string> colourMapNames();

/// `value` in [0, 1], clamped. viridis: S. van der Walt and N. Smith, 2015, as the polynomials of
/// degree 6 that M. Zucker fitted to it. glow, coolwarm, grey: curves in the colour space OKLab.
/// okabe-ito: M. Okabe and K. Ito, "Color universal design", 2008. The others are tables, see
/// colour_tables/.
Colour colourOf(ColourMap map, double value);

} // namespace gridhelm
