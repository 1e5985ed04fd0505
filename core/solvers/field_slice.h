// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/field_view.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::solvers {

/// A plane of a field; the second axis points upwards in a picture.
struct Slice
{
    std::size_t width = 1;
    std::size_t height = 1;
    std::vector<double> values; ///< row by row from the bottom
    std::array<std::size_t, 2> axes{0, 1};
    std::array<double, 2> origin{0, 0}; ///< position of the first value
    double spacing = 1;
    std::size_t normal = 2;
    double place = 0; ///< position along the normal
};

/// Which plane of a 3D field.
struct SliceChoice
{
    std::size_t axis = 2;
    double position = 0.5; ///< 0 .. 1
};

/// "y=0.5". Throws Error; `what` names the option.
SliceChoice parseSlice(const std::string &text, std::string_view what);

Slice sliceOf(const FieldView &field, const SliceChoice &choice);

} // namespace gridhelm::solvers
