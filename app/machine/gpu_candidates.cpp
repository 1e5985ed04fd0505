// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/machine/gpu_candidates.h"

#include "app/machine/sparse_team.h"
#include "core/dispatch/team_solvers.h"
#include "core/solvers/poisson/poisson_method.h"
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

/// `name` as in --devices.
Candidate teamOf(const std::string &name, const std::string &hardware, std::vector<Device> team,
                 const dispatch::TeamWork &work)
{
    auto makeSparse = [team](const ExecutionContext &with) {
        const auto context = with.withTeam(team);
        return sparse::makeTeamBackend(sparseTeam(context, "auto"), context);
    };
    std::shared_ptr<const solvers::SolverBackend> solvers =
        dispatch::makeTeamSolvers(gpu::cudaSolvers(), name, std::move(team), work);
    const auto *lasting = solvers.get();
    return {name, hardware, makeSparse, lasting, std::move(solvers)};
}

bool isDivisible(const solvers::PoissonSettings &settings)
{
    return solvers::poissonMethod(settings.method).isDivisible;
}

bool isSharedWithCpu(const solvers::PoissonSettings &settings)
{
    return settings.method == "tuned" || settings.method == "temporal";
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
    std::vector<Device> team(gpus.begin(), gpus.end());
    if (gpus.size() > 1)
        candidates.push_back(teamOf("gpu:all", all, team, {isDivisible, true}));
    team.emplace_back(context.cpu());
    const auto *withCpu = gpus.size() > 1 ? "gpu:all+cpu" : "gpu+cpu";
    candidates.push_back(teamOf(withCpu, all, std::move(team), {isSharedWithCpu, false}));
    return candidates;
}

} // namespace gridhelm::app
