// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameters/parameter_space.h"

namespace gridhelm {

/// The value of a parameter at the coordinate x of the unit cube.
double valueAtUnit(const Parameter &parameter, double x);

/// How fast the value changes by that coordinate, where it is `value`: derivatives by the
/// coordinate, divided by this, are by the parameter in its unit.
double unitSlope(const Parameter &parameter, double value);

} // namespace gridhelm
