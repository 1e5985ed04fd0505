// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>

namespace gridhelm::cli {

/// Temperature rise of an insulated square plate after a laser pulse: the heat equation's solution
/// for a Gaussian spot of radius r, centred at (x0, y0), that delivers its energy at time 0,
///     T(x, y, t) = A g(x, x0) g(y, y0),  g(z, z0) = sum_k e^(-(z - z_k)^2 / w) / sqrt(pi w),
///     w = r^2 + 4 D t,
/// with the mirror images z_k = 2 k L +- z0 that let no heat leave through the edges.
/// Six parameters, given in [0, 1]^6 and scaled to these ranges:
struct LaserPlate
{
    struct Parameter
    {
        const char *name;
        const char *unit;
        double lowest;
        double highest;
    };
    static constexpr double side = 100.0;   ///< L in mm
    static constexpr double sourceY = 50.0; ///< y0 in mm
    static constexpr double strength =
        200000.0; ///< A in K mm^2: energy over heat capacity and depth
    static constexpr std::array<Parameter, 6> parameters = {{
        {"x", "mm", 0.0, side},
        {"y", "mm", 0.0, side},
        {"time", "s", 0.0, 10.0},
        {"diffusivity", "mm2/s", 10.0, 100.0}, // steel .. aluminium
        {"source x", "mm", 30.0, 70.0},
        {"spot radius", "mm", 20.0, 40.0},
    }};

    /// In kelvin, for unit coordinates u.
    static double temperatureRise(std::span<const double, 6> u);
};

} // namespace gridhelm::cli
