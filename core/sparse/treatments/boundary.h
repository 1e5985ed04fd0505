// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/treatments/treatment_ends.h"

#include <string_view>

namespace gridhelm::sparse::treatments {

/// Hat functions, and level -1 with the end points (sparse-grids.md, eq:boundary).
struct Boundary
{
    static constexpr std::string_view name = "boundary";
    static constexpr std::string_view help = "the ends are sampled";
    static constexpr int highestDegree = 3;
    static constexpr TreatmentEnds ends{.arePoints = true};
};

} // namespace gridhelm::sparse::treatments
