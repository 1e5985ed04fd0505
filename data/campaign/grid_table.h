// SPDX-License-Identifier: GPL-3.0-or-later
//
// The [grid] of a plan: where its runs are.
#pragma once

#include "data/campaign/plan_table.h"
#include "data/study/study_types.h"

#include <cstddef>
#include <string_view>

namespace gridhelm::data {

struct GridPlan
{
    int level = 1;        ///< of the sparse grid; 1 where there is none
    std::size_t runs = 0; ///< of a space-filling design; 0: a grid
    /// The grid is to be refined block by block: points come one at a time where nothing else is
    /// said.
    bool isAdaptive = false;

    StudyDesign design() const { return runs > 0 ? StudyDesign::scattered : StudyDesign::grid; }
};

/// Throws PlanError for what is not there, or does not go together with the other tables.
GridPlan readGrid(PlanTable &root, StudyKind kind, const ParameterSpace &space,
                  std::string_view source);

/// The parameters with the treatments that the design has by default.
ParameterSpace withDefaultsOf(const GridPlan &grid, const ParameterSpace &space);

} // namespace gridhelm::data
