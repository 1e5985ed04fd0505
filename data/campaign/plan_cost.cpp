// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/plan_cost.h"

#include "data/campaign/simulation_runner.h"

#include <vector>

namespace gridhelm::data {

namespace {

/// Of the plan's fields; 0 if they are not known.
double valuesOfPoint(const Plan &plan)
{
    double values = 0;
    const auto *builtIn = std::get_if<BuiltInPlan>(&plan.simulation);
    if (!builtIn)
        return values;
    const bool isScalar = plan.description.kind == StudyKind::scalar;
    for (const auto &field : describeBuiltIn(*builtIn, plan.fields).fields)
        values += isScalar ? field.components : static_cast<double>(field.values());
    return values;
}

} // namespace

PlanCost costOf(const Plan &plan, const ParameterSpace &space, int level)
{
    PlanCost cost;
    if (plan.runs > 0) {
        cost.isScattered = true;
        cost.points = cost.jobs = plan.runs;
        cost.bytes = sizeof(float) * valuesOfPoint(plan) * static_cast<double>(plan.runs);
        return cost;
    }
    cost.points = sparse::countGrid(space.shape(level)).points;
    // Runs are the points of the grid of the ordinary parameters: the coarsest levels of the others
    // count 0.
    auto ordinary = space.parameters();
    std::erase_if(ordinary, [](const auto &one) { return one.kind != ParameterKind::ordinary; });
    cost.jobs =
        ordinary.empty() ? 1 : sparse::countGrid(ParameterSpace(ordinary).shape(level)).points;
    cost.bytes = 2 * sizeof(float) * valuesOfPoint(plan) * static_cast<double>(cost.points);
    return cost;
}

} // namespace gridhelm::data
