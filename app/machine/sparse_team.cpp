// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/machine/sparse_team.h"

#include "core/dispatch/dispatching_backend.h"
#include "core/execution/team.h"
#include "core/support/error.h"
#include "gpu/sparse/cuda_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <variant>

namespace gridhelm::app {
namespace {

void requireKind(const std::vector<Device> &team, const std::string &backend)
{
    if (backend == "omp")
        cpusOf(team);
    else if (backend == "cuda")
        gpusOf(team);
    else if (backend != "auto")
        throw Error(fmt::format("the back end {} cannot use several devices; choose omp or cuda, "
                                "or one device",
                                backend));
}

bool isCpu(const Device &device)
{
    return std::holds_alternative<CpuDevice>(device);
}

} // namespace

std::vector<sparse::TeamMember> sparseTeam(const ExecutionContext &context,
                                           const std::string &backend)
{
    const auto &team = context.team();
    requireKind(team, backend);
    const auto gpus = static_cast<int>(std::ranges::count_if(team, std::not_fn(isCpu)));
    const bool hasBoth = isMixed(team);
    // A rest that one of them has no room for is the team's to place.
    const auto alone = context.withTeam({}).withFallback(FallbackPolicy::forbidden);
    // GPUs need some of the CPU's threads, to copy what comes back.
    CpuDevice host = context.cpu();
    if (hasBoth)
        host.threads = std::max(1, host.threads / 4);
    const auto hosts = split(host, std::max(1, gpus));
    std::size_t nextHost = 0;
    std::vector<sparse::TeamMember> members;
    for (const auto &device : team) {
        if (const auto *cpu = std::get_if<CpuDevice>(&device)) {
            CpuDevice helper = *cpu;
            if (hasBoth) // nobody waits for his turn
                helper.threads = std::max(1, cpu->threads * 3 / 4);
            members.push_back({sparse::makeOmpBackend(alone.on(helper)),
                               static_cast<double>(helper.threads), hasBoth});
            continue;
        }
        const auto &gpu = std::get<GpuDevice>(device);
        const auto &own = hosts[nextHost++];
        members.push_back({gpu::makeCudaBackend(alone.on(own).withGpus(std::vector{gpu})), 1});
    }
    std::ranges::stable_partition(members, std::not_fn(&sparse::TeamMember::isHelper));
    return members;
}

std::shared_ptr<const sparse::Backend> makeSparseTeam(const ExecutionContext &context,
                                                      const std::string &backend)
{
    return dispatch::makeFailoverBackend(
        sparse::makeTeamBackend(sparseTeam(context, backend), context), context);
}

} // namespace gridhelm::app
