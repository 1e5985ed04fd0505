// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/colour_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gridhelm::cli {
namespace {

using Vector = std::array<double, 3>;

/// OKLab to linear sRGB (B. Ottosson, "A perceptual color space for image processing", 2020).
Vector linearFromOklab(double lightness, double a, double b)
{
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

/// The transfer function of sRGB (IEC 61966-2-1).
std::uint8_t encoded(double linear)
{
    const double x = std::clamp(linear, 0.0, 1.0);
    const double y = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1.0 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(255.0 * y));
}

} // namespace

Colour colourOf(double value)
{
    const double x = std::clamp(value, 0.0, 1.0);
    const double lightness = 0.12 + 0.85 * x;
    const double hue = (285.0 + 180.0 * x) * std::numbers::pi / 180.0;
    // Within the colours of sRGB all the way, so that nothing is clipped and no edge appears.
    const double chroma = 0.17 * std::sin(std::numbers::pi * (0.10 + 0.80 * x));
    const Vector linear =
        linearFromOklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
    return {encoded(linear[0]), encoded(linear[1]), encoded(linear[2])};
}

} // namespace gridhelm::cli
