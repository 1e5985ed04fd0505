// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/runner_registry.h"

#include "core/support/error.h"
#include "data/campaign/cluster/slurm_runner.h"
#include "data/campaign/command_runner.h"
#include "data/campaign/plan_file.h"
#include "data/campaign/simulation_runner.h"

#include <algorithm>
#include <array>

namespace gridhelm::data {

std::span<const RunnerType *const> runnerTypes()
{
    static const std::array all{&simulationRunner(), &commandRunner(), &slurmRunner()};
    return all;
}

const RunnerType &findRunnerType(std::string_view name)
{
    std::string names;
    for (const auto *type : runnerTypes()) {
        if (type->name == name)
            return *type;
        names += (names.empty() ? "" : ", ") + type->name;
    }
    throw Error("there is nothing called '" + std::string(name) + "' to run on; choose from "
                + names);
}

const RunnerType *runnerTypeOf(const Plan &plan)
{
    if (!plan.run.on.empty())
        return &findRunnerType(plan.run.on);
    const auto all = runnerTypes();
    const auto found =
        std::ranges::find_if(all, [&](const auto *type) { return type->takes(plan); });
    return found == all.end() ? nullptr : *found;
}

std::unique_ptr<JobRunner> makeJobRunner(const Plan &plan, const RunnerOptions &options)
{
    if (const auto *type = runnerTypeOf(plan))
        return type->make(plan, options);
    throw Error("The study's plan names no simulation, so that nothing can be run; bring its "
                "snapshots in with: gridhelm-cli import");
}

} // namespace gridhelm::data
