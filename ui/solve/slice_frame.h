// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/field_slice.h"
#include "core/solvers/field_view.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace gridhelm::ui {

/// A plane of the field, with what a view needs to know of it.
struct SliceFrame
{
    solvers::Slice slice;
    double lowest = 0, highest = 0; ///< finite values; 0 if there are none
    double wholeHighest = 0;        ///< of the whole field, if it is folded into layers
    std::uint64_t iterations = 0;
    std::array<std::size_t, 3> points{1, 1, 1}; ///< of the whole field
};

/// `isFolded`: the whole field's highest value is needed, too.
std::shared_ptr<const SliceFrame> frameOf(const solvers::FieldView &field,
                                          const solvers::SliceChoice &choice,
                                          std::uint64_t iterations, bool isFolded);

} // namespace gridhelm::ui
