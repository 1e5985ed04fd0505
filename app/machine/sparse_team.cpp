// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/machine/sparse_team.h"

#include "core/dispatch/dispatching_backend.h"
#include "core/execution/memory_bandwidth.h"
#include "core/execution/team.h"
#include "core/support/error.h"
#include "gpu/device_info.h"
#include "gpu/sparse/cuda_backend.h"

#include <fmt/format.h>

#include <algorithm>
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

/// Bytes per second, that all threads of the CPU read.
double cpuSpeed(const ExecutionContext &context)
{
    constexpr std::size_t mostBytes = std::size_t{1} << 27;
    const double speed = measureMemoryBandwidth(context.cpu(), mostBytes).read;
    context.report({ExecutionEvent::Kind::notice,
                    fmt::format("the CPU reads {:.0f} GB/s, and so much beside the GPUs is its "
                                "share of the work",
                                speed * 1e-9)});
    return speed;
}

} // namespace

std::vector<sparse::TeamMember> sparseTeam(const ExecutionContext &context,
                                           const std::string &backend)
{
    const auto &team = context.team();
    requireKind(team, backend);
    const bool areCpus = std::ranges::all_of(team, isCpu);
    const bool isMixed = !areCpus && std::ranges::any_of(team, isCpu);
    const double ofCpu = isMixed ? cpuSpeed(context) / context.cpu().threads : 1;
    // To look for them may take a second.
    const auto gpus = areCpus ? std::vector<gpu::Device>() : gpu::listDevices().devices;
    // A rest that one of them has no room for is the team's to place.
    const auto alone = context.withTeam({}).withFallback(FallbackPolicy::forbidden);
    // GPUs need some of the CPU's threads, to copy what comes back.
    const auto hosts = split(context.cpu(), static_cast<int>(team.size()));
    std::vector<sparse::TeamMember> members;
    for (const auto &device : team) {
        if (const auto *cpu = std::get_if<CpuDevice>(&device)) {
            members.push_back({sparse::makeOmpBackend(alone.on(*cpu)), ofCpu * cpu->threads});
            continue;
        }
        const auto &gpu = std::get<GpuDevice>(device);
        constexpr double usualSpeed = 1e12; // of one whose driver does not say
        const double said = gpus.at(static_cast<std::size_t>(gpu.index)).memoryBytesPerSecond;
        const double speed = said > 0 ? said : usualSpeed;
        const auto &host = hosts[members.size()];
        members.push_back({gpu::makeCudaBackend(alone.on(host).withGpus(std::vector{gpu})),
                           isMixed ? speed / gpu.part.count : 1});
    }
    return members;
}

std::shared_ptr<const sparse::Backend> makeSparseTeam(const ExecutionContext &context,
                                                      const std::string &backend)
{
    return dispatch::makeFailoverBackend(
        sparse::makeTeamBackend(sparseTeam(context, backend), context), context);
}

} // namespace gridhelm::app
