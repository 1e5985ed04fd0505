// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/colour_map.h"

#include "core/support/colour_tables/batlow.h"
#include "core/support/colour_tables/cividis.h"
#include "core/support/colour_tables/turbo.h"
#include "core/support/colour_tables/vik.h"
#include "core/support/enumeration.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace gridhelm {
namespace {

using Vector = std::array<double, 3>;

constexpr std::array<ColourMapInfo, 8> maps{{
    {ColourMap::viridis, "viridis", "evenly perceived, from dark violet to yellow"},
    {ColourMap::batlow, "batlow", "evenly perceived, for the colour-blind too"},
    {ColourMap::cividis, "cividis", "evenly perceived, nearly the same to the colour-blind"},
    {ColourMap::glow, "glow", "evenly perceived, from black over red to white"},
    {ColourMap::turbo, "turbo", "a rainbow: many steps to tell apart, unevenly perceived"},
    {ColourMap::coolWarm, "coolwarm", "around a middle, from blue over grey to red"},
    {ColourMap::vik, "vik", "around a middle, for the colour-blind too"},
    {ColourMap::grey, "grey", "lightness alone, for print"},
}};

std::uint8_t byteOf(double part)
{
    return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(part, 0.0, 1.0)));
}

/// The transfer function of sRGB (IEC 61966-2-1).
std::uint8_t encoded(double linear)
{
    const double x = std::clamp(linear, 0.0, 1.0);
    return byteOf(x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1.0 / 2.4) - 0.055);
}

/// OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), hue in degrees.
Colour fromOklab(double lightness, double chroma, double hue)
{
    const double a = chroma * std::cos(hue * std::numbers::pi / 180.0);
    const double b = chroma * std::sin(hue * std::numbers::pi / 180.0);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return {encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

Colour viridis(double x)
{
    constexpr std::array<Vector, 7> c{{{0.2777273272, 0.0054073445, 0.3340998053},
                                       {0.1050930431, 1.4046135299, 1.3845901626},
                                       {-0.3308618287, 0.2148475595, 0.0950951630},
                                       {-4.6342304990, -5.7991009734, -19.3324409563},
                                       {6.2282699363, 14.1799333668, 56.6905526007},
                                       {4.7763849977, -13.7451453777, -65.3530326334},
                                       {-5.4354558559, 4.6458526122, 26.3124352496}}};
    Colour colour;
    for (std::size_t part = 0; part < 3; ++part) {
        double y = 0;
        for (std::size_t power = c.size(); power-- > 0;)
            y = y * x + c[power][part];
        colour[part] = byteOf(y);
    }
    return colour;
}

Colour glow(double x)
{
    // Within the colours of sRGB all the way, so that nothing is clipped and no edge appears.
    return fromOklab(0.12 + 0.85 * x, 0.17 * std::sin(std::numbers::pi * (0.10 + 0.80 * x)),
                     285.0 + 180.0 * x);
}

Colour coolWarm(double x)
{
    const double fromMiddle = std::abs(2.0 * x - 1.0);
    // Flat in the middle: a kink in lightness would be seen as a line where there is none.
    const double lightness = 0.93 - 0.47 * std::pow(fromMiddle, 1.4);
    const double chroma = 0.165 * std::sin(0.5 * std::numbers::pi * fromMiddle);
    return fromOklab(lightness, chroma, x < 0.5 ? 262.0 : 27.0);
}

} // namespace

std::span<const ColourMapInfo> colourMaps()
{
    return maps;
}

std::string_view toString(ColourMap map)
{
    return std::ranges::find(maps, map, &ColourMapInfo::map)->name;
}

std::vector<std::string> colourMapNames()
{
    std::vector<std::string> names;
    for (const auto &info : maps)
        names.emplace_back(info.name);
    return names;
}

ColourMap parseColourMap(std::string_view name)
{
    const auto found = std::ranges::find(maps, name, &ColourMapInfo::name);
    if (found == maps.end())
        throw Error("there are no colours called '" + std::string(name) + "'; choose from "
                    + enumeration(colourMapNames(), "or"));
    return found->map;
}

Colour colourOf(ColourMap map, double value)
{
    const double x = std::clamp(value, 0.0, 1.0);
    switch (map) {
    case ColourMap::viridis:
        return viridis(x);
    case ColourMap::batlow:
        return colour_tables::batlow.at(x);
    case ColourMap::cividis:
        return colour_tables::cividis.at(x);
    case ColourMap::glow:
        return glow(x);
    case ColourMap::turbo:
        return colour_tables::turbo.at(x);
    case ColourMap::coolWarm:
        return coolWarm(x);
    case ColourMap::vik:
        return colour_tables::vik.at(x);
    case ColourMap::grey:
        return fromOklab(0.12 + 0.85 * x, 0.0, 0.0);
    }
    return {};
}

} // namespace gridhelm
