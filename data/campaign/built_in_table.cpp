// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/built_in_table.h"

#include "data/study/run_space.h"

#include <algorithm>
#include <limits>

namespace gridhelm::data {

std::size_t resolutionOf(PlanTable &simulation)
{
    return static_cast<std::size_t>(
        simulation.integer("resolution", 1, std::numeric_limits<int>::max()).value_or(0));
}

BuiltInPlan readBuiltIn(PlanTable &table, std::string_view source,
                        const simulations::Simulation &simulation)
{
    BuiltInPlan plan{std::string(simulation.name()), {}, {}};
    plan.setup.resolution = resolutionOf(table);
    if (const auto *options = table.table("options")) {
        PlanTable of(*options, "[simulation.options]", source);
        for (const auto &[key, node] : *options) {
            const std::string name(key.str());
            plan.setup.options.push_back({name, *of.text(name)});
        }
    }
    if (const auto *fixed = table.table("fixed")) {
        PlanTable of(*fixed, "[simulation.fixed]", source);
        for (const auto &[key, node] : *fixed) {
            const std::string name(key.str());
            plan.fixed.emplace_back(name, *of.number(name));
        }
    }
    return plan;
}

void requireRunnable(const BuiltInPlan &plan, const ParameterSpace &space, const PlanTable &table)
{
    const auto &simulation = simulations::findSimulation(plan.name);
    auto low = simulation.defaultValues(), high = low;
    const auto &all = simulation.parameters();
    const auto indexOf = [&](const std::string &name) {
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const auto &p) { return p.name == name; });
        return static_cast<std::size_t>(found - all.begin());
    };
    const auto runSpace = runSpaceOf(space);
    for (const auto &[name, value] : plan.fixed) {
        const auto p = indexOf(name);
        const auto &varied = runSpace.parameters();
        if (p == all.size())
            table.fail("fixed", "names '" + name + "', which is not a parameter of the simulation "
                                    + plan.name + "; take it out");
        if (std::any_of(varied.begin(), varied.end(),
                        [&name = name](const auto &v) { return v.name == name; }))
            table.fail("fixed", "names '" + name
                                    + "', which is also a [[parameter]]; take out one "
                                      "of them");
        low[p] = high[p] = value;
    }
    for (const auto &parameter : runSpace.parameters()) {
        low[indexOf(parameter.name)] = parameter.low;
        high[indexOf(parameter.name)] = parameter.high;
    }
    table.at("builtin", [&] {
        simulation.requireRunnable(plan.setup, low, high);
        return 0;
    });
}

void requireFields(const std::vector<std::string> &names, const simulations::Simulation &builtIn,
                   const PlanTable &table)
{
    for (const auto &name : names) {
        const auto &fields = builtIn.fields();
        if (std::none_of(fields.begin(), fields.end(),
                         [&](const auto &field) { return field.name == name; }))
            table.fail("fields", "names '" + name + "', which the simulation "
                                     + std::string(builtIn.name())
                                     + " does not have; correct the name");
    }
}

} // namespace gridhelm::data
