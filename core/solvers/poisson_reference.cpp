// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson_reference.h"

#include <cmath>

namespace gridhelm::solvers::reference {

namespace {

/// The neighbour of unknown `at` in one direction, or what the side beyond it makes of it.
double neighbour(const PoissonProblem &problem, std::span<const double> values,
                 const std::array<std::size_t, 3> &at, std::size_t axis, bool high)
{
    const auto &n = problem.unknowns;
    const std::array<std::size_t, 3> strides{1, n[0], n[0] * n[1]};
    const auto index = at[0] * strides[0] + at[1] * strides[1] + at[2] * strides[2];
    const bool isAtSide = high ? at[axis] + 1 == n[axis] : at[axis] == 0;
    if (!isAtSide)
        return high ? values[index + strides[axis]] : values[index - strides[axis]];
    const auto &side = problem.sides[2 * axis + (high ? 1 : 0)];
    if (side.kind == SideKind::dirichlet)
        return side.value;
    return values[index] + problem.spacing * side.value;
}

} // namespace

double sumOfNeighbours(const PoissonProblem &problem, std::span<const double> values,
                       const std::array<std::size_t, 3> &at)
{
    double sum = 0;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.dimension); ++axis) {
        sum += neighbour(problem, values, at, axis, false);
        sum += neighbour(problem, values, at, axis, true);
    }
    return sum;
}

namespace {

/// formula(sum of neighbours, f, u) at every unknown.
template <typename Formula>
std::vector<double> atEveryUnknown(const PoissonProblem &problem, std::span<const double> source,
                                   std::span<const double> values, Formula formula)
{
    std::vector<double> results;
    results.reserve(values.size());
    for (std::size_t k = 0; k < problem.unknowns[2]; ++k) {
        for (std::size_t j = 0; j < problem.unknowns[1]; ++j) {
            for (std::size_t i = 0; i < problem.unknowns[0]; ++i) {
                const auto index = results.size();
                const double f = source.empty() ? 0 : source[index];
                results.push_back(
                    formula(sumOfNeighbours(problem, values, {i, j, k}), f, values[index]));
            }
        }
    }
    return results;
}

} // namespace

std::vector<double> residual(const PoissonProblem &problem, std::span<const double> source,
                             std::span<const double> values)
{
    const double h2 = problem.spacing * problem.spacing;
    const double neighbours = 2 * problem.dimension;
    return atEveryUnknown(problem, source, values, [&](double sum, double f, double u) {
        return f + (sum - neighbours * u) / h2;
    });
}

double residualNorm(const PoissonProblem &problem, std::span<const double> source,
                    std::span<const double> values)
{
    double squares = 0;
    for (double r : residual(problem, source, values))
        squares += r * r;
    return std::sqrt(squares);
}

std::vector<double> jacobiSweep(const PoissonProblem &problem, std::span<const double> source,
                                std::span<const double> values)
{
    const double h2 = problem.spacing * problem.spacing;
    const double neighbours = 2 * problem.dimension;
    return atEveryUnknown(problem, source, values, [&](double sum, double f, double) {
        return (sum + h2 * f) / neighbours;
    });
}

} // namespace gridhelm::solvers::reference
