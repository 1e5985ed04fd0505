// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameters/unit_slope.h"

#include <cmath>

namespace gridhelm {

double valueAtUnit(const Parameter &parameter, double x)
{
    return parameter.scale == ParameterScale::logarithmic
               ? parameter.low * std::pow(parameter.high / parameter.low, x)
               : parameter.low + x * (parameter.high - parameter.low);
}

double unitSlope(const Parameter &parameter, double value)
{
    return parameter.scale == ParameterScale::logarithmic
               ? value * std::log(parameter.high / parameter.low)
               : parameter.high - parameter.low;
}

} // namespace gridhelm
