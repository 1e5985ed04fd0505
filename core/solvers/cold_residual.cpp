// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/cold_residual.h"

#include "core/solvers/slab.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gridhelm::solvers {
namespace {

/// What the sides beyond an unknown give to its sum of neighbours while u is 0.
double givenBySides(const PoissonProblem &problem, const std::array<std::size_t, 3> &at)
{
    double sum = 0;
    for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(problem.dimension); ++side) {
        const auto axis = side / 2;
        const bool isBeside = at[axis] == (side % 2 == 0 ? 0 : problem.unknowns[axis] - 1);
        const auto &condition = problem.sides[side];
        if (isBeside)
            sum += condition.kind == SideKind::dirichlet ? condition.value
                                                         : problem.spacing * condition.value;
    }
    return sum;
}

} // namespace

double scaledColdResidual(const PoissonProblem &problem)
{
    const auto &n = problem.unknowns;
    const double squaredSpacing = problem.spacing * problem.spacing;
    const auto whole = wholeSlab(problem);
    const auto perLayer = unknownsOfLayer(problem);
    double sum = 0;
    for (std::size_t layer = 0; layer < whole.of; ++layer) {
        const auto source = sampleSource(problem, Slab{layer, layer + 1, whole.of});
        for (std::size_t i = 0; i < perLayer; ++i) {
            const auto index = layer * perLayer + i;
            const double residual =
                (source.empty() ? 0 : squaredSpacing * source[i])
                + givenBySides(problem, {index % n[0], index / n[0] % n[1], index / n[0] / n[1]});
            sum += residual * residual;
        }
    }
    return std::sqrt(sum);
}

} // namespace gridhelm::solvers
