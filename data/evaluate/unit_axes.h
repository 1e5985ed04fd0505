// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameters/parameter_space.h"
#include "core/sparse/point_set.h"
#include "core/support/error.h"

#include <algorithm>
#include <string>
#include <vector>

namespace gridhelm::data {

/// Lists of parameter values, one for each parameter, as lists of coordinates in the unit cube.
/// Throws gridhelm::Error for values out of range.
template <typename T>
sparse::CartesianPoints<T> unitAxes(const ParameterSpace &space,
                                    const std::vector<std::vector<double>> &axes)
{
    const auto d = space.parameters().size();
    if (axes.size() != d)
        throw Error(std::to_string(axes.size()) + " axes for " + std::to_string(d)
                    + " parameters: give a list of values for each");
    sparse::CartesianPoints<T> points;
    std::vector<double> values(d);
    for (std::size_t t = 0; t < d; ++t)
        values[t] = space[t].low;
    for (std::size_t t = 0; t < d; ++t) {
        points.axes.emplace_back();
        for (double value : axes[t]) {
            values[t] = value;
            space.requireInside(values);
            points.axes.back().push_back(
                static_cast<T>(std::clamp(space.toUnit(values)[t], 0.0, 1.0)));
        }
        values[t] = space[t].low;
    }
    return points;
}

} // namespace gridhelm::data
