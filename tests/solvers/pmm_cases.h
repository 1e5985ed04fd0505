// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/measured_problems.h"
#include "core/solvers/pmm/local_update.h"
#include "core/solvers/pmm/pmm_problem.h"
#include "core/solvers/stepper.h"
#include "tests/core/random.h"
#include "tests/solvers/tested_pmm.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <variant>
#include <vector>

namespace gridhelm::test {

/// n^3 nodes in the unit cube, a ball of radius 0.1 in its middle, F = 1.1
/// (docs/theory/fronts.md).
inline solvers::PmmProblem ballWithKnownTimes(std::size_t n, bool anisotropic)
{
    auto problem = solvers::ballInCube(n, anisotropic);
    const solvers::Medium<double> medium{1.1, anisotropic ? 1.0 : 0.0, problem.direction};
    problem.knownSolution = [medium](const solvers::Position &x) {
        return solvers::travelTime<double>({x[0] - 0.5, x[1] - 0.5, x[2] - 0.5}, medium);
    };
    return problem;
}

/// Sizes that are no multiple of a vector, 1 included; all kinds of media and sources.
inline solvers::PmmProblem randomProblem(Random &random)
{
    using namespace solvers;
    PmmProblem problem;
    for (auto &nodes : problem.nodes)
        nodes = 1 + random.index(random.chance(0.2) ? 40 : 14);
    problem.spacing = random.real(0.1, 2);
    problem.origin = {random.real(-1, 1), random.real(-1, 1), random.real(-1, 1)};
    const auto values = [&](double lowest, double highest) -> NodeValues {
        if (random.chance(0.5))
            return random.real(lowest, highest);
        std::vector<double> result(problem.count());
        for (double &value : result)
            value = random.real(lowest, highest);
        return result;
    };
    problem.speed = values(1, 2);
    problem.speedScale = random.real(0.5, 2);
    if (random.chance(0.6)) {
        problem.advection = values(-0.9, 0.9);
        problem.direction = {random.real(-0.5, 0.5), random.real(-0.5, 0.5),
                             random.real(-0.5, 0.5)};
        problem.advectionScale = problem.speedScale;
    }
    NodeSources source;
    for (int i = random.integer(1, 3); i > 0; --i) {
        const std::array<std::size_t, 3> index{random.index(problem.nodes[0]),
                                               random.index(problem.nodes[1]),
                                               random.index(problem.nodes[2])};
        source.nodes.push_back({index, random.real(0, 0.5)});
    }
    problem.source = source;
    if (random.chance(0.3))
        problem.source = BallSource{
            problem.position(problem.nodes[0] / 2, problem.nodes[1] / 2, problem.nodes[2] / 2),
            2 * problem.spacing};
    if (random.chance(0.2)) {
        std::vector<double> heights(problem.nodes[0] * problem.nodes[1]);
        for (double &height : heights)
            height = problem.position(0, 0, problem.nodes[2] / 2)[2]
                     + random.real(-0.2, 0.2) * problem.spacing;
        problem.source = HorizonSource{heights};
    }
    return problem;
}

template <typename T>
std::vector<T> timesOf(const TestedPmm<T> &stepper)
{
    const auto values = std::get<std::span<const T>>(stepper.field().values);
    return {values.begin(), values.end()};
}

template <typename T>
std::vector<T> timesAfter(const solvers::PmmProblem &problem, std::uint64_t sweeps, int threads = 1)
{
    TestedPmm<T> stepper(problem, {threads, {}});
    stepper.advance(sweeps);
    return timesOf<T>(stepper);
}

/// visit(node, position) for every node.
template <typename Visitor>
void forEachNode(const solvers::PmmProblem &problem, Visitor visit)
{
    for (std::size_t k = 0, node = 0; k < problem.nodes[2]; ++k) {
        for (std::size_t j = 0; j < problem.nodes[1]; ++j) {
            for (std::size_t i = 0; i < problem.nodes[0]; ++i, ++node)
                visit(node, problem.position(i, j, k));
        }
    }
}

/// Mean over all nodes of |T - known solution|.
template <typename T>
double meanError(const solvers::PmmProblem &problem, const std::vector<T> &times)
{
    double sum = 0;
    forEachNode(problem, [&](std::size_t node, const solvers::Position &x) {
        sum += std::abs(static_cast<double>(times[node]) - problem.knownSolution(x));
    });
    return sum / static_cast<double>(problem.count());
}

} // namespace gridhelm::test
