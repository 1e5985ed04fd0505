// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson/team.h"

#include "core/support/error.h"

#include <fmt/format.h>

namespace gridhelm::solvers {

std::vector<Slab> dividedAmongTeam(const PoissonProblem &problem, std::size_t granule,
                                   std::span<const double> weights, const ExecutionContext &context)
{
    const auto size = wholeSlab(problem).of;
    auto slabs = divided(size, granule, weights);
    if (slabs.size() < weights.size()) {
        const auto *layers = problem.dimension == 3 ? "planes" : "rows";
        const auto granules = granule == 1
                                  ? fmt::format("{} {}", size, layers)
                                  : fmt::format("{} {}, in tiles of {}", size, layers, granule);
        context.report({ExecutionEvent::Kind::notice,
                        fmt::format("{} of {} devices compute: the grid has only {}", slabs.size(),
                                    weights.size(), granules)});
    }
    return slabs;
}

void requireDivisible(const PoissonMethod &method, const ExecutionContext &context)
{
    if (context.team().empty() || method.isDivisible)
        return;
    std::vector<const PoissonMethod *> others;
    for (const auto *other : poissonMethods()) {
        if (other->isDivisible)
            others.push_back(other);
    }
    throw Error(
        fmt::format("the method {} cannot use several devices yet: choose {}, or one device",
                    method.name, namesOf(others)));
}

} // namespace gridhelm::solvers
