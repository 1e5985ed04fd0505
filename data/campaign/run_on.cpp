// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/run_on.h"

#include "core/support/error.h"
#include "data/campaign/cluster/remote_shell.h"
#include "data/campaign/cluster/slurm_settings.h"
#include "data/campaign/job_runner.h"
#include "data/campaign/plan_file.h"

#include <variant>

namespace gridhelm::data {

namespace {

constexpr std::string_view herePlace = "local", slurmPlace = "slurm";

std::string settingOf(const RunPlan &run, const char *key)
{
    const auto found = run.settings.find(key);
    return found == run.settings.end() ? std::string() : std::get<std::string>(found->second);
}

void requireCommand(const Plan &plan)
{
    if (std::holds_alternative<CommandPlan>(plan.simulation))
        return;
    const bool isBuiltIn = std::holds_alternative<BuiltInPlan>(plan.simulation);
    throw Error(std::string("Nothing can be sent to a cluster, for the study's ")
                + (isBuiltIn
                       ? "simulation is built in, and runs in this program; run it here (--on "
                         "local)"
                       : "plan names no simulation; bring its snapshots in with: "
                         "gridhelm-cli import"));
}

} // namespace

RunPlan runOn(const Plan &plan, std::string_view on)
{
    const bool isOnCluster = plan.run.on == slurmPlace;
    if (on.empty())
        return plan.run;
    if (on == herePlace)
        return isOnCluster ? RunPlan() : plan.run;
    if (on == slurmPlace) {
        requireCommand(plan);
        if (settingOf(plan.run, "host").empty())
            throw Error("The study's plan names no cluster; say which, like --on "
                        "slurm:me@login.cluster, or add [run] with on = \"slurm\" and host = "
                        "\"me@login.cluster\" to the plan");
        return plan.run;
    }
    if (!on.starts_with(std::string(slurmPlace) + ":"))
        throw Error("There is nothing called '" + std::string(on.substr(0, 80))
                    + "' to run on; choose local, slurm (the plan's cluster), or slurm:HOST, as in "
                      "slurm:me@login.cluster");
    requireCommand(plan);
    const auto place = on.substr(slurmPlace.size() + 1);
    const auto colon = place.find(':');
    const std::string host(place.substr(0, colon));
    requireHostName(host);
    auto run = isOnCluster ? plan.run : slurmRunPlan();
    run.settings["host"] = host;
    if (colon != std::string_view::npos)
        run.settings["folder"] = std::string(place.substr(colon + 1));
    slurmSettings(run); // refuses the rest
    return run;
}

std::string clusterOf(const RunPlan &run)
{
    return run.on == slurmPlace ? settingOf(run, "host") : std::string();
}

std::string nameOf(const RunPlan &run)
{
    if (run.on != slurmPlace)
        return std::string(herePlace);
    auto name = run.on + ":" + settingOf(run, "host");
    const auto folder = settingOf(run, "folder");
    if (folder != settingOf(slurmRunPlan(), "folder"))
        name += ":" + folder;
    return name;
}

std::string placeOf(const JobRunner &runner)
{
    return runner.isLocal() ? std::string(herePlace) : std::string(runner.name());
}

} // namespace gridhelm::data
