// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <variant>

namespace gridhelm::solvers {

/// Values on a regular grid of points, x fastest (the order of VTK image data); 2D fields have one
/// point in z.
struct FieldView
{
    std::array<std::size_t, 3> points{1, 1, 1};
    std::array<double, 3> origin{0, 0, 0}; ///< position of the first point
    double spacing = 1;                    ///< the same in every direction
    std::variant<std::span<const float>, std::span<const double>> values;
};

} // namespace gridhelm::solvers
