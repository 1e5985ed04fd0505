// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/treatments/treatment_ends.h"

#include <string_view>

namespace gridhelm::sparse::treatments {

/// No end points: level 0 is constant, outermost functions go on linearly (eq:modified).
struct Modified
{
    static constexpr std::string_view name = "modified";
    static constexpr std::string_view help = "extrapolated";
    static constexpr int highestDegree = 1;
    static constexpr TreatmentEnds ends{.levelZero = {1, 1}, .outermost = {2, 2}};
};

} // namespace gridhelm::sparse::treatments
