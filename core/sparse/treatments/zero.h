// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/treatments/treatment_ends.h"

#include <string_view>

namespace gridhelm::sparse::treatments {

/// Hat functions alone (sparse-grids.md, eq:hat): the function vanishes at both ends.
struct Zero
{
    static constexpr std::string_view name = "zero";
    static constexpr std::string_view help = "the function vanishes";
    static constexpr int highestDegree = 3;
    static constexpr TreatmentEnds ends{};
};

} // namespace gridhelm::sparse::treatments
