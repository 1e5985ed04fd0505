// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameters/parameter_space.h"
#include "ui/controls/value_slider.h"

namespace gridhelm::ui {

inline SliderRange rangeOf(const Parameter &parameter)
{
    return {parameter.low, parameter.high, parameter.scale == ParameterScale::logarithmic};
}

} // namespace gridhelm::ui
