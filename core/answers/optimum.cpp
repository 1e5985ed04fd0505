// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/optimum.h"

#include "core/answers/optimum_search.h"
#include "core/execution/parallel_for.h"

#include <algorithm>

namespace gridhelm::answers {

Optimum optimize(const ResponseModel &model, const Goal &goal, const OptimumOptions &options)
{
    GoalProblem problem(model, goal);
    auto found = startsOf(firstPlaces(problem, options), std::max<std::size_t>(options.starts, 1));
    parallelFor(found.size(), options.cpu, 1,
                [&](std::size_t i) { found[i] = polished(problem, std::move(found[i])); });
    const auto best = std::ranges::min_element(
        found, [](const Candidate &a, const Candidate &b) { return a.isBetterThan(b); });
    Optimum optimum;
    optimum.x = problem.place(best->shares);
    optimum.values = best->values;
    optimum.violation = best->violation;
    optimum.isFeasible = best->violation <= fulfilledTo;
    optimum.evaluations = problem.evaluations();
    optimum.starts = found.size();
    for (const auto &candidate : found)
        optimum.startsThatAgree +=
            candidate.violation <= best->violation + 1e-6
                    && (!optimum.isFeasible || candidate.objective <= best->objective + 1e-6)
                ? 1
                : 0;
    return optimum;
}

} // namespace gridhelm::answers
