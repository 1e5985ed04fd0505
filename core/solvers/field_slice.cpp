// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/field_slice.h"

#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <cmath>

namespace gridhelm::solvers {

SliceChoice parseSlice(const std::string &text, std::string_view what)
{
    const auto axis = std::string_view("xyz").find(text.substr(0, 1));
    if (text.size() < 3 || axis == std::string_view::npos || text[1] != '=')
        throw Error(fmt::format("{}: \"{}\" is not a plane: write e.g. z=0.5 for the middle one",
                                what, text));
    const double position = parseReal(std::string_view(text).substr(2), what);
    if (!(position >= 0 && position <= 1))
        throw Error(fmt::format("{}: {} is outside the box: choose from 0 to 1", what, position));
    return {axis, position};
}

Slice sliceOf(const FieldView &field, const SliceChoice &choice)
{
    Slice slice;
    slice.axes = {choice.axis == 0 ? 1U : 0U, choice.axis == 2 ? 1U : 2U};
    const auto first = slice.axes[0], second = slice.axes[1];
    const std::array<std::size_t, 3> strides{1, field.points[0], field.points[0] * field.points[1]};
    const auto plane = static_cast<std::size_t>(
        std::lround(choice.position * static_cast<double>(field.points[choice.axis] - 1)));
    slice.width = field.points[first];
    slice.height = field.points[second];
    slice.origin = {field.origin[first], field.origin[second]};
    slice.spacing = field.spacing;
    slice.normal = choice.axis;
    slice.place = field.origin[choice.axis] + field.spacing * static_cast<double>(plane);
    slice.values.resize(slice.width * slice.height);
    std::visit(
        [&](auto values) {
            auto to = slice.values.begin();
            for (std::size_t j = 0; j < slice.height; ++j) {
                auto at = plane * strides[choice.axis] + j * strides[second];
                for (std::size_t i = 0; i < slice.width; ++i, at += strides[first])
                    *to++ = static_cast<double>(values[at]);
            }
        },
        field.values);
    return slice;
}

} // namespace gridhelm::solvers
