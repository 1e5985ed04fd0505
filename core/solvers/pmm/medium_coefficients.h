// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/host_device.h"

#include <array>

namespace gridhelm::solvers {

/// What a node says about the propagation. Isotropic: {h / F, 0}; anisotropic: {g, b} (see
/// metric.h).
template <typename T>
using MediumCoefficients = std::array<T, 2>;

GRIDHELM_HOST_DEVICE inline MediumCoefficients<double> isotropicCoefficients(double h, double speed)
{
    return {h / speed, 0};
}

/// `square`: |a|^2.
GRIDHELM_HOST_DEVICE inline MediumCoefficients<double>
anisotropicCoefficients(double h, double speed, double psi, double square)
{
    const double g = speed * speed - psi * psi * square;
    return {h * h / g, h * psi / g};
}

} // namespace gridhelm::solvers
