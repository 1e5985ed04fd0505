// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/jacobi/hybrid_shares.h"

#include "core/solvers/jacobi/cpu_shares.h"
#include "core/support/error.h"
#include "gpu/poisson/jacobi/cuda_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace gridhelm::gpu {
namespace {

using solvers::divided;
using solvers::GpuSlabs;
using solvers::PoissonProblem;
using solvers::reportShares;
using solvers::Slab;
using solvers::wholeSlab;

/// The first layers of a grid, in equal slabs.
GpuSlabs slabsOf(const PoissonProblem &problem, std::size_t layers, std::size_t granule,
                 const std::vector<GpuDevice> &gpus)
{
    const std::vector<double> equal(gpus.size(), 1);
    GpuSlabs slabs;
    slabs.here = divided(layers, granule, equal);
    for (auto &slab : slabs.here)
        slab.of = wholeSlab(problem).of;
    slabs.gpus = gpus;
    slabs.shares = slabs.here.size();
    return slabs;
}

/// Of the GPUs, and of the CPU if it has some layers.
void reportSplit(const PoissonProblem &problem, std::size_t layersOfCpu, std::size_t granule,
                 const HybridTeam &team, const ExecutionContext &context)
{
    const auto layers = wholeSlab(problem).of;
    auto slabs = slabsOf(problem, layers - layersOfCpu, granule, team.gpus).here;
    std::vector<Device> members(team.gpus.begin(),
                                team.gpus.begin() + static_cast<std::ptrdiff_t>(slabs.size()));
    if (layersOfCpu > 0) {
        slabs.push_back({layers - layersOfCpu, layers, layers});
        members.emplace_back(team.cpu);
    }
    reportShares(slabs, problem.dimension == 3 ? "planes" : "rows", context.withTeam(members));
}

/// Of a split that leaves the CPU out.
std::string whyNoPart(const solvers::jacobi::HybridSplit &split, std::size_t unknowns)
{
    if (split.secondsTogether > 0)
        return fmt::format("an iteration took {:.3g} ms with it, and {:.3g} ms without",
                           1e3 * split.secondsTogether, 1e3 * split.secondsAlone);
    if (split.secondsAlone > 0)
        return fmt::format("an iteration takes {:.3g} ms without it, and it has nothing to gain",
                           1e3 * split.secondsAlone);
    return fmt::format("it has only {} unknowns", unknowns);
}

} // namespace

HybridTeam hybridTeam(const std::vector<Device> &team)
{
    HybridTeam result;
    int cpus = 0;
    for (const auto &device : team) {
        if (const auto *gpu = std::get_if<GpuDevice>(&device)) {
            result.gpus.push_back(*gpu);
        } else {
            result.cpu = std::get<CpuDevice>(device);
            ++cpus;
        }
    }
    if (cpus > 1)
        throw Error(fmt::format("{} parts of the CPU beside GPUs cannot share a grid; name the CPU "
                                "once, as in gpu+cpu",
                                cpus));
    // One thread enqueues the GPUs' work, and carries their edges.
    result.cpu.threads = std::max(1, result.cpu.threads - 1);
    return result;
}

template <typename T>
solvers::jacobi::HybridDevices<T> hybridDevices(const PoissonProblem &problem,
                                                const HybridTeam &team, int depth)
{
    const auto part = cudaPart<T>(problem, depth);
    solvers::jacobi::HybridDevices<T> devices;
    devices.granule = part.granule;
    devices.depth = part.depth;
    devices.makeFast = [gpus = team.gpus, part](const PoissonProblem &each, std::size_t layers,
                                                const std::shared_ptr<Messages> &messages,
                                                int other) {
        return makeCudaPart<T>(each, slabsOf(each, layers, part.granule, gpus), part.depth,
                               messages, other);
    };
    devices.makeSlow = [cpu = team.cpu, part](const PoissonProblem &each, std::size_t layers,
                                              const std::shared_ptr<Messages> &messages,
                                              int other) {
        const auto of = wholeSlab(each).of;
        return solvers::jacobi::makeCpuPart<T>(each, {{of - layers, of, of}, cpu}, part.depth,
                                               messages, other);
    };
    return devices;
}

template <typename T>
std::unique_ptr<solvers::jacobi::Shares<T>>
makeHybridShares(const PoissonProblem &problem, const ExecutionContext &context, int depth)
{
    const auto team = hybridTeam(context.team());
    const auto devices = hybridDevices<T>(problem, team, depth);
    // Of smaller ones a GPU records its launches, and nobody comes near it.
    constexpr std::size_t leastUnknowns = 1 << 22;
    const auto split = problem.count() > leastUnknowns
                           ? solvers::jacobi::measuredSplit(devices, problem)
                           : solvers::jacobi::HybridSplit();
    reportSplit(problem, split.layersOfSlow, devices.granule, team, context);
    if (split.layersOfSlow > 0)
        return makeHybrid(devices, problem, split.layersOfSlow);
    context.report({ExecutionEvent::Kind::notice, fmt::format("the CPU has no part in this: {}",
                                                              whyNoPart(split, problem.count()))});
    return nullptr;
}

template solvers::jacobi::HybridDevices<float> hybridDevices(const PoissonProblem &,
                                                             const HybridTeam &, int);
template solvers::jacobi::HybridDevices<double> hybridDevices(const PoissonProblem &,
                                                              const HybridTeam &, int);
template std::unique_ptr<solvers::jacobi::Shares<float>>
makeHybridShares(const PoissonProblem &, const ExecutionContext &, int);
template std::unique_ptr<solvers::jacobi::Shares<double>>
makeHybridShares(const PoissonProblem &, const ExecutionContext &, int);

} // namespace gridhelm::gpu
