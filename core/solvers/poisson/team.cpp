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
        context.report({ExecutionEvent::Kind::notice,
                        fmt::format("{} of {} devices compute: the grid has only {}", slabs.size(),
                                    weights.size(), granules)});
    }
    return slabs;
}

std::vector<CpuSlab> cpuSlabs(const PoissonProblem &problem, std::size_t granule,
                              const ExecutionContext &context)
{
    const auto cpus = cpusOf(context.team());
    std::vector<double> threads;
    for (const auto &cpu : cpus)
        threads.push_back(cpu.threads);
    std::vector<CpuSlab> parts;
    for (const auto &slab : dividedAmongTeam(problem, granule, threads, context))
        parts.push_back({slab, cpus[parts.size()]});
    return parts;
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
    if (context.team().empty() || method.isDivisible)
        return;
    auto others = divisibleMethods();
    std::erase_if(others, [&](const auto *other) { return other->family != method.family; });
    throw Error(
        fmt::format("the method {} cannot use several devices yet: choose {}, or one device",
                    method.name, namesOf(others)));
}

} // namespace gridhelm::solvers
