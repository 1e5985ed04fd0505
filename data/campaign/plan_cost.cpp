// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/plan_cost.h"

#include "data/campaign/job_runner.h"

namespace gridhelm::data {

PlanCost costOf(const Plan &plan, const ParameterSpace &space, int level)
{
    PlanCost cost;
    cost.points = sparse::countGrid(space.shape(level)).points;
    cost.jobs = cost.points;
    if (const auto time = space.timeLike()) {
        // Runs are the points of the grid of the other parameters: time's coarsest level counts 0.
        auto others = space.parameters();
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(*time));
        cost.jobs =
            others.empty() ? 1 : sparse::countGrid(ParameterSpace(others).shape(level)).points;
    }
    if (const auto *builtIn = std::get_if<BuiltInPlan>(&plan.simulation)) {
        double values = 0;
        for (const auto &field : describeBuiltIn(*builtIn, plan.fields).fields)
            values += static_cast<double>(field.values());
        cost.bytes = 2 * sizeof(float) * values * static_cast<double>(cost.points);
    }
    return cost;
}

} // namespace gridhelm::data
