// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/laser_plate.h"

#include <cmath>
#include <numbers>

namespace gridhelm::cli {
namespace {

/// g(z, z0) of the header. w is at most 0.56 L^2 and the images left out are more than 4 L away, so
/// they would add less than 1e-12 of the value.
double spread(double z, double z0, double w)
{
    double sum = 0.0;
    for (int k = -2; k <= 2; ++k) {
        const double shift = 2.0 * k * LaserPlate::side;
        const double a = z - (shift + z0), b = z - (shift - z0);
        sum += std::exp(-a * a / w) + std::exp(-b * b / w);
    }
    return sum / std::sqrt(std::numbers::pi * w);
}

} // namespace

double LaserPlate::temperatureRise(std::span<const double, 6> u)
{
    std::array<double, 6> p;
    for (std::size_t t = 0; t < p.size(); ++t)
        p[t] = parameters[t].lowest + u[t] * (parameters[t].highest - parameters[t].lowest);
    const auto [x, y, time, diffusivity, sourceX, radius] = p;
    const double w = radius * radius + 4.0 * diffusivity * time;
    return strength * spread(x, sourceX, w) * spread(y, sourceY, w);
}

} // namespace gridhelm::cli
