// SPDX-License-Identifier: GPL-3.0-or-later
//
// The boundary treatments that there are. A treatment is a type with
//
//     static constexpr std::string_view name;  // as people and study files write it
//     static constexpr std::string_view help;  // what it does at 0 and 1, to stand behind the name
//     static constexpr int highestDegree;      // of its functions; 1 is the only one for many
//
// and everything follows from the lists below: grid shapes, plans, options, forms, tests. If its
// points are the middles of cells, and its functions of degree 1 differ at the ends only, it has
//
//     static constexpr TreatmentEnds ends;     // treatment_ends.h
//
// is in the first list, and the kernels follow, too. One with other points has
//
//     static constexpr int highestLevel;
//     GRIDHELM_HOST_DEVICE static constexpr int bits(int level); // log2 of the number of points
//     static constexpr double coordinate(int level, std::uint32_t position);
//
// and is in the second; its functions are in core/sparse/basis_functions.cpp and
// core/sparse/unfolded/state_polynomials.h.
#pragma once

#include "core/sparse/treatments/boundary.h"
#include "core/sparse/treatments/clenshaw_curtis.h"
#include "core/sparse/treatments/leja.h"
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

/// Those with other points; their numbers follow.
using OtherTreatments = TreatmentList<treatments::ClenshawCurtis, treatments::Leja>;

} // namespace gridhelm::sparse
