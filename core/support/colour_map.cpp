// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/colour_map.h"

#include "core/support/colour_tables/matplotlib_maps.h"
#include "core/support/colour_tables/scientific_colour_maps.h"
#include "core/support/colour_tables/turbo.h"
#include "core/support/enumeration.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace gridhelm {
namespace {

using Vector = std::array<double, 3>;

using enum ColourMapGroup;

constexpr std::array<ColourMapInfo, 25> maps{{
    {ColourMap::viridis, "viridis", sequential, true},
    {ColourMap::batlow, "batlow", sequential, true},
    {ColourMap::cividis, "cividis", sequential, true},
    {ColourMap::glow, "glow", sequential, true},
    {ColourMap::inferno, "inferno", sequential, true},
    {ColourMap::magma, "magma", sequential, true},
    {ColourMap::plasma, "plasma", sequential, true},
    {ColourMap::lajolla, "lajolla", sequential, true},
    {ColourMap::lapaz, "lapaz", sequential, true},
    {ColourMap::davos, "davos", sequential, true},
    {ColourMap::oslo, "oslo", sequential, true},
    {ColourMap::hawaii, "hawaii", sequential, true},
    {ColourMap::grey, "grey", sequential, true},
    {ColourMap::turbo, "turbo", rainbow, false},
    {ColourMap::coolWarm, "coolwarm", diverging, true},
    {ColourMap::vik, "vik", diverging, true},
    {ColourMap::broc, "broc", diverging, true},
    {ColourMap::roma, "roma", diverging, true},
    {ColourMap::bam, "bam", diverging, true},
    {ColourMap::berlin, "berlin", diverging, true},
    {ColourMap::twilight, "twilight", cyclic, true},
    {ColourMap::vikCyclic, "vik-cyclic", cyclic, true},
    {ColourMap::romaCyclic, "roma-cyclic", cyclic, true},
    {ColourMap::bamCyclic, "bam-cyclic", cyclic, true},
    {ColourMap::okabeIto, "okabe-ito", categorical, true},
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

/// Bands of equal width.
Colour okabeIto(double x)
{
    constexpr std::array<Colour, 8> colours{{{0, 0, 0},
                                             {230, 159, 0},
                                             {86, 180, 233},
                                             {0, 158, 115},
                                             {240, 228, 66},
                                             {0, 114, 178},
                                             {213, 94, 0},
                                             {204, 121, 167}}};
    return colours[std::min(static_cast<std::size_t>(x * colours.size()), colours.size() - 1)];
}

/// Null: it is computed.
const colour_tables::ColourTable *tableOf(ColourMap map)
{
    namespace tables = colour_tables;
    switch (map) {
    case ColourMap::batlow:
        return &tables::batlow;
    case ColourMap::cividis:
        return &tables::cividis;
    case ColourMap::inferno:
        return &tables::inferno;
    case ColourMap::magma:
        return &tables::magma;
    case ColourMap::plasma:
        return &tables::plasma;
    case ColourMap::lajolla:
        return &tables::lajolla;
    case ColourMap::lapaz:
        return &tables::lapaz;
    case ColourMap::davos:
        return &tables::davos;
    case ColourMap::oslo:
        return &tables::oslo;
    case ColourMap::hawaii:
        return &tables::hawaii;
    case ColourMap::turbo:
        return &tables::turbo;
    case ColourMap::vik:
        return &tables::vik;
    case ColourMap::broc:
        return &tables::broc;
    case ColourMap::roma:
        return &tables::roma;
    case ColourMap::bam:
        return &tables::bam;
    case ColourMap::berlin:
        return &tables::berlin;
    case ColourMap::twilight:
        return &tables::twilight;
    case ColourMap::vikCyclic:
        return &tables::vikCyclic;
    case ColourMap::romaCyclic:
        return &tables::romaCyclic;
    case ColourMap::bamCyclic:
        return &tables::bamCyclic;
    default:
        return nullptr;
    }
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

std::string_view toString(ColourMapGroup group)
{
    constexpr std::array<std::string_view, 5> names{"sequential", "rainbow", "diverging", "cyclic",
                                                    "categorical"};
    return names.at(static_cast<std::size_t>(group));
}

Colour colourOf(ColourMap map, double value)
{
    const double x = std::clamp(value, 0.0, 1.0);
    if (const auto *table = tableOf(map))
        return table->at(x);
    switch (map) {
    case ColourMap::viridis:
        return viridis(x);
    case ColourMap::glow:
        return glow(x);
    case ColourMap::coolWarm:
        return coolWarm(x);
    case ColourMap::okabeIto:
        return okabeIto(x);
    default:
        return fromOklab(0.12 + 0.85 * x, 0.0, 0.0); // grey
    }
}

} // namespace gridhelm
