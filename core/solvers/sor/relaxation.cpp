// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/sor/sor_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gridhelm::solvers {

namespace {

/// Largest eigenvalue but 1 of the Jacobi iteration: the mean over the axes of the cosines of their
/// slowest modes, cos(pi / (n + 1)) between two Dirichlet sides, cos(pi / (2 n + 1)) if one of
/// them is a Neumann side, 1 between two Neumann sides. If that makes 1, the mean of u, the slowest
/// mode beside it is cos(pi / n) on the longest axis.
double jacobiRadius(const PoissonProblem &problem)
{
    double sum = 0;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.dimension); ++axis) {
        const auto isNeumann = [&](std::size_t side) {
            return problem.sides[2 * axis + side].kind == SideKind::neumann;
        };
        const auto n = static_cast<double>(problem.unknowns[axis]);
        if (isNeumann(0) && isNeumann(1))
            sum += 1;
        else if (isNeumann(0) || isNeumann(1))
            sum += std::cos(std::numbers::pi / (2 * n + 1));
        else
            sum += std::cos(std::numbers::pi / (n + 1));
    }
    if (isAllNeumann(problem)) {
        const auto longest = *std::max_element(problem.unknowns.begin(), problem.unknowns.end());
        sum +=
            std::cos(std::numbers::pi / static_cast<double>(std::max<std::size_t>(longest, 2))) - 1;
    }
    return sum / problem.dimension;
}

} // namespace

/// For SOR, red-black SOR and SSOR the optimum of SOR, 2 / (1 + sqrt(1 - rho^2)), which is
/// 2 / (1 + sin(pi h)) on the unit square. Measured with the spike, u = 0 on the sides, to a
/// residual of 1e-6 on 63^2 and 127^2 unknowns: within 1 % of the fewest iterations of any w, for
/// all three (SSOR's best w is higher, 1.918 instead of 1.906 on 63^2, but its minimum is flat).
double optimalRelaxation(const PoissonProblem &problem, const OptionValues &)
{
    const double rho = jacobiRadius(problem);
    return 2 / (1 + std::sqrt(1 - rho * rho));
}

/// The optimum of MLSSOR depends on the width M of its tiles, across whose cuts it relaxes with old
/// values, and hardly on the grid. Measured likewise, best w for M = 4, 8, 16, 32, 64: 1.49, 1.56,
/// 1.75, 1.86, - (63^2) and -, 1.74, 1.74, 1.85, 1.92 (127^2); the formula: 1.41, 1.60, 1.76,
/// 1.86, 1.93. One sub-domain alone is SOR.
double mlssorRelaxation(const PoissonProblem &problem, const OptionValues &options)
{
    const auto width = shapeOf(options).width;
    const auto largest = *std::max_element(problem.unknowns.begin(), problem.unknowns.end());
    if (width >= largest)
        return optimalRelaxation(problem, options);
    return 2 / (1 + 2.5 / (static_cast<double>(width) + 2));
}

} // namespace gridhelm::solvers
