// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/warping.h"

#include <cmath>

namespace gridhelm::kriging {

WarpedCoordinate warped(double u, double a, double b)
{
    constexpr double inset = 0x1p-10;
    const double v = inset + (1 - 2 * inset) * u;
    const double logV = std::log(v);
    const double power = std::exp(a * logV);                // v^a
    const double logRest = std::log(-std::expm1(a * logV)); // log(1 - v^a)
    const double rest = std::exp(b * logRest);              // (1 - v^a)^b
    const double byPower = b * rest / std::exp(logRest);    // derivative by v^a
    WarpedCoordinate result;
    result.value = 1 - rest;
    result.byLogA = byPower * power * logV * a;
    result.byLogB = -rest * logRest * b;
    result.slope = (1 - 2 * inset) * byPower * a * power / v;
    return result;
}

} // namespace gridhelm::kriging
