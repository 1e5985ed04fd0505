// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/plan_cost.h"

#include "data/campaign/simulation_runner.h"

#include <vector>

namespace gridhelm::data {

PlanCost costOf(const Plan &plan, const ParameterSpace &space, int level)
{
    PlanCost cost;
    cost.points = sparse::countGrid(space.shape(level)).points;
    // Runs are the points of the grid of the ordinary parameters: the coarsest levels of the others
    // count 0.
    auto ordinary = space.parameters();
    std::erase_if(ordinary, [](const auto &one) { return one.kind != ParameterKind::ordinary; });
    cost.jobs =
        ordinary.empty() ? 1 : sparse::countGrid(ParameterSpace(ordinary).shape(level)).points;
    if (const auto *builtIn = std::get_if<BuiltInPlan>(&plan.simulation)) {
        const bool isScalar = plan.description.kind == StudyKind::scalar;
        double values = 0; // of a point
        for (const auto &field : describeBuiltIn(*builtIn, plan.fields).fields)
            values += isScalar ? field.components : static_cast<double>(field.values());
        cost.bytes = 2 * sizeof(float) * values * static_cast<double>(cost.points);
    }
    return cost;
}

} // namespace gridhelm::data
