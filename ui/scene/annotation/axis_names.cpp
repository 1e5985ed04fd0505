// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/annotation/axis_names.h"

#include "core/support/clean_text.h"

#include <algorithm>

namespace gridhelm::ui {
namespace {

/// Nobody's unit of length is longer, but a file may say anything, and every picture fits it.
std::string shortUnit(const std::string &unit)
{
    constexpr std::size_t most = 32;
    auto clean = cleanLine(unit);
    if (clean.size() <= most)
        return clean;
    const auto isInsideOfCharacter = [](char c) { return (c & 0xC0) == 0x80; }; // UTF-8
    auto end = most;
    while (isInsideOfCharacter(clean[end]))
        --end;
    return clean.substr(0, end) + "...";
}

} // namespace

std::string AxisNames::title(std::size_t axis) const
{
    return units[axis].empty() ? names[axis] : names[axis] + " (" + units[axis] + ")";
}

std::string AxisNames::unitOfLength() const
{
    for (std::size_t axis = 1; axis < ofStudy; ++axis)
        if (units[axis] != units[0])
            return {};
    return units[0];
}

AxisNames axisNamesOf(const ParameterSpace &space)
{
    AxisNames axes;
    const auto directions = space.spatial();
    axes.ofStudy = std::min(directions.size(), axes.names.size());
    for (std::size_t axis = 0; axis < axes.ofStudy; ++axis) {
        const auto &direction = space[directions[axis]];
        axes.names[axis] = cleanLine(direction.name);
        axes.units[axis] = shortUnit(direction.unit);
    }
    return axes;
}

} // namespace gridhelm::ui
