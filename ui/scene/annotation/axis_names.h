// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameters/parameter_space.h"

#include <array>
#include <cstddef>
#include <string>

namespace gridhelm::ui {

/// What the axes of space are called, and in which unit lengths along them are; empty: not known.
struct AxisNames
{
    std::array<std::string, 3> names{"x", "y", "z"};
    std::array<std::string, 3> units{};
    std::size_t ofStudy = 0; ///< so many are the study's own, the others are as above

    /// "x (m)", or the name alone.
    std::string title(std::size_t axis) const;
    /// That of lengths in any direction; empty if it is not known, or differs.
    std::string unitOfLength() const;

    bool operator==(const AxisNames &) const = default;
};

/// A scalar study has its directions in space among its parameters. Others store a mesh, which says
/// nothing of its axes: x, y and z.
AxisNames axisNamesOf(const ParameterSpace &space);

} // namespace gridhelm::ui
