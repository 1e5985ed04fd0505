// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/slice_frame.h"

#include "core/solvers/field_layers.h"

#include <limits>

namespace gridhelm::ui {

std::shared_ptr<const SliceFrame> frameOf(const solvers::FieldView &field,
                                          const solvers::SliceChoice &choice,
                                          std::uint64_t iterations, bool isFolded)
{
    auto frame = std::make_shared<SliceFrame>();
    frame->slice = sliceOf(field, choice);
    frame->points = field.points;
    frame->iterations = iterations;
    if (isFolded)
        frame->wholeHighest = solvers::highestOf(field);
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    constexpr double largest = std::numeric_limits<double>::max(); // the others are not finite
    for (const double value : frame->slice.values) {
        lowest = value < lowest && value >= -largest ? value : lowest;
        highest = value > highest && value <= largest ? value : highest;
    }
    if (lowest <= highest) {
        frame->lowest = lowest;
        frame->highest = highest;
    }
    return frame;
}

} // namespace gridhelm::ui
