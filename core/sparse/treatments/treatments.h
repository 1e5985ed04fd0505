// SPDX-License-Identifier: GPL-3.0-or-later
//
// The boundary treatments that there are. A treatment is a type with
//
//     static constexpr std::string_view name;  // as people and study files write it
//     static constexpr std::string_view help;  // what it does at 0 and 1, to stand behind the name
//     static constexpr TreatmentEnds ends;     // treatment_ends.h
//
// and everything follows from the list below: grid shapes, kernels, plans, options, forms, tests.
#pragma once

#include "core/sparse/treatments/boundary.h"
#include "core/sparse/treatments/modified.h"
#include "core/sparse/treatments/zero.h"

namespace gridhelm::sparse {

template <typename... All>
struct TreatmentList
{
    static constexpr int size = sizeof...(All);
};

/// In the order of their numbers (BoundaryTreatment); further ones come last.
using Treatments = TreatmentList<treatments::Zero, treatments::Boundary, treatments::Modified>;

} // namespace gridhelm::sparse
