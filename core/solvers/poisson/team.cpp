// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson/team.h"

#include "core/execution/team.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace gridhelm::solvers {

std::vector<Slab> dividedAmongTeam(const PoissonProblem &problem, std::size_t granule,
                                   std::span<const double> weights, const ExecutionContext &context)
{
    const auto size = wholeSlab(problem).of;
    auto slabs = divided(size, granule, weights);
    const auto *layers = problem.dimension == 3 ? "planes" : "rows";
    reportShares(slabs, layers, context);
    if (slabs.size() < weights.size()) {
        const auto granules = granule == 1
                                  ? fmt::format("{} {}", size, layers)
                                  : fmt::format("{} {}, in tiles of {}", size, layers, granule);
        const auto *who = context.ranks() ? "ranks" : "devices";
        context.report({ExecutionEvent::Kind::notice,
                        fmt::format("{} of {} {} compute: the grid has only {}", slabs.size(),
                                    weights.size(), who, granules)});
    }
    return slabs;
}

CpuSlabs cpuSlabs(const PoissonProblem &problem, std::size_t granule,
                  const ExecutionContext &context)
{
    CpuSlabs slabs;
    if (context.ranks()) {
        const auto threads = context.ranks()->numbersOfAll(context.cpu().threads);
        slabs.ranks.emplace(context.ranks(), dividedAmongTeam(problem, granule, threads, context));
        if (const auto here = slabs.ranks->here(); here.size() > 0)
            slabs.here.push_back({here, context.cpu()});
        return slabs;
    }
    const auto cpus = cpusOf(context.team());
    std::vector<double> threads;
    for (const auto &cpu : cpus)
        threads.push_back(cpu.threads);
    for (const auto &slab : dividedAmongTeam(problem, granule, threads, context))
        slabs.here.push_back({slab, cpus[slabs.here.size()]});
    return slabs;
}

GpuSlabs gpuSlabs(const PoissonProblem &problem, std::size_t granule,
                  const ExecutionContext &context)
{
    GpuSlabs slabs;
    const auto divide = [&](std::size_t gpus) {
        const std::vector<double> equal(gpus, 1);
        auto all = dividedAmongTeam(problem, granule, equal, context);
        slabs.shares = all.size();
        return all;
    };
    if (context.ranks()) {
        slabs.ranks.emplace(context.ranks(),
                            divide(static_cast<std::size_t>(context.ranks()->count())));
        slabs.gpus.push_back(context.gpus().front());
        if (const auto here = slabs.ranks->here(); here.size() > 0)
            slabs.here.push_back(here);
        return slabs;
    }
    slabs.gpus = gpusOf(context.team());
    slabs.here = divide(slabs.gpus.size());
    return slabs;
}

std::vector<const PoissonMethod *> divisibleMethods()
{
    std::vector<const PoissonMethod *> methods;
    std::ranges::copy_if(poissonMethods(), std::back_inserter(methods),
                         &PoissonMethod::isDivisible);
    return methods;
}

void requireDivisible(const PoissonMethod &method, const ExecutionContext &context)
{
    if (!context.sharesWork() || method.isDivisible)
        return;
    auto others = divisibleMethods();
    std::erase_if(others, [&](const auto *other) { return other->family != method.family; });
    if (context.ranks())
        throw Error(fmt::format("the method {} cannot be divided among ranks: choose {}, or start "
                                "the program without mpirun",
                                method.name, namesOf(others)));
    throw Error(
        fmt::format("the method {} cannot use several devices yet: choose {}, or one device",
                    method.name, namesOf(others)));
}

} // namespace gridhelm::solvers
