// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/machine/gpu_candidates.h"

#include "app/machine/sparse_team.h"
#include "core/dispatch/team_solvers.h"
#include "core/sparse/team/team_backend.h"
#include "gpu/cuda_solvers.h"
#include "gpu/sparse/cuda_backend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <utility>

namespace gridhelm::app {
namespace {

using dispatch::Candidate;

Candidate firstGpu(const std::string &hardware)
{
    return {"cuda", hardware,
            [](const ExecutionContext &with) -> std::shared_ptr<const sparse::Backend> {
                return gpu::makeCudaBackend(with);
            },
            &gpu::cudaSolvers()};
}

std::function<std::shared_ptr<const sparse::Backend>(const ExecutionContext &)>
sparseTeamMaker(const dispatch::TeamOf &teamOf)
{
    return [teamOf](const ExecutionContext &with) -> std::shared_ptr<const sparse::Backend> {
        const auto context = with.withTeam(teamOf(with));
        if (context.team().empty())
            return gpu::makeCudaBackend(context);
        return sparse::makeTeamBackend(sparseTeam(context, "auto"), context);
    };
}

/// Of a context with so many GPUs; one with others has fewer, as somebody has chosen.
dispatch::TeamOf teamOfGpus(std::size_t count, bool withCpu)
{
    return [count, withCpu](const ExecutionContext &with) {
        const auto &gpus = with.gpus();
        if (gpus.size() != count)
            return std::vector<Device>();
        std::vector<Device> team(gpus.begin(), gpus.end());
        if (withCpu)
            team.emplace_back(with.cpu());
        return team;
    };
}

Candidate allGpus(const std::string &hardware, std::size_t count)
{
    const auto team = teamOfGpus(count, false);
    std::shared_ptr<const solvers::SolverBackend> solvers =
        dispatch::makeTeamSolvers(gpu::cudaSolvers(), "gpu:all", team);
    const auto *lasting = solvers.get();
    return {"gpu:all", hardware, sparseTeamMaker(team), lasting, std::move(solvers)};
}

/// For grids alone: a hybrid solver finds out by itself whether the CPU gains anything, each time;
/// where it does not, noise alone would choose it.
Candidate gpusAndCpu(const std::string &hardware, std::size_t count)
{
    return {count > 1 ? "gpu:all+cpu" : "gpu+cpu", hardware,
            sparseTeamMaker(teamOfGpus(count, true)), nullptr};
}

} // namespace

std::vector<Candidate> gpuCandidates(const ExecutionContext &context,
                                     const std::vector<std::string> &names,
                                     const std::string &driver)
{
    const auto &gpus = context.gpus();
    if (gpus.empty())
        return {};
    const auto first = static_cast<std::size_t>(gpus.front().index);
    const auto all = fmt::format("{}, {}", fmt::join(names, ", "), driver);
    std::vector<Candidate> candidates{firstGpu(fmt::format("{}, {}", names.at(first), driver))};
    if (gpus.size() < names.size())
        return candidates;
    if (gpus.size() > 1)
        candidates.push_back(allGpus(all, gpus.size()));
    candidates.push_back(gpusAndCpu(all, gpus.size()));
    return candidates;
}

std::vector<Candidate> gpuCandidates(const ExecutionContext &context,
                                     const gpu::DeviceList &machine)
{
    std::vector<std::string> names;
    for (const auto &device : machine.devices)
        names.push_back(device.name);
    return gpuCandidates(context, names, machine.driver);
}

} // namespace gridhelm::app
