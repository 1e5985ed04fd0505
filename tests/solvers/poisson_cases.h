// SPDX-License-Identifier: GPL-3.0-or-later
//
// Poisson problems with known answers.
#pragma once

#include "core/solvers/poisson_problem.h"
#include "tests/core/random.h"

#include <Eigen/SparseLU>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

namespace gridhelm::test {

inline std::string describe(const solvers::PoissonProblem &problem)
{
    std::string text = std::to_string(problem.unknowns[0]) + " x "
                       + std::to_string(problem.unknowns[1]) + " x "
                       + std::to_string(problem.unknowns[2]) + ", sides ";
    for (const auto &side : problem.sides)
        text += side.kind == solvers::SideKind::dirichlet ? 'D' : 'N';
    return text;
}

/// Zero values on Dirichlet sides or no flux through Neumann sides, unit length in x, and a product
/// of sines or cosines that the discrete operator multiplies by a constant.
inline solvers::PoissonProblem eigenfunctionProblem(int dimension,
                                                    std::array<std::size_t, 3> unknowns,
                                                    solvers::SideKind kind,
                                                    std::array<int, 3> waves)
{
    using std::numbers::pi;
    const bool isNeumann = kind == solvers::SideKind::neumann;
    solvers::PoissonProblem problem;
    problem.dimension = dimension;
    problem.unknowns = unknowns;
    problem.sides.fill({kind, 0});
    const auto intervals = [=](std::size_t axis) {
        return static_cast<double>(unknowns[axis]) + (isNeumann ? 0.0 : 1.0);
    };
    const double h = problem.spacing = 1 / intervals(0);
    std::array<double, 3> frequencies{};
    double eigenvalue = 0;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimension); ++axis) {
        frequencies[axis] = pi * waves[axis] / (intervals(axis) * h);
        const double sine = std::sin(frequencies[axis] * h / 2);
        eigenvalue += 4 / (h * h) * sine * sine;
    }
    problem.knownSolution = [=](double x, double y, double z) {
        const std::array<double, 3> at{x, y, z};
        double value = 1;
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimension); ++axis) {
            const double phase = frequencies[axis] * at[axis];
            value *= isNeumann ? std::cos(phase) : std::sin(phase);
        }
        return value;
    };
    problem.source = [eigenvalue, u = problem.knownSolution](double x, double y, double z) {
        return eigenvalue * u(x, y, z);
    };
    return problem;
}

/// A random f, random boundary values, the given kinds of sides.
inline solvers::PoissonProblem randomProblem(Random &random, int dimension,
                                             std::array<std::size_t, 3> unknowns,
                                             std::array<solvers::SideKind, 6> kinds)
{
    solvers::PoissonProblem problem;
    problem.dimension = dimension;
    problem.unknowns = unknowns;
    problem.spacing = 1.0 / static_cast<double>(unknowns[0] + 1);
    solvers::GridSource f(problem.count());
    for (double &value : f)
        value = random.real(-20, 20);
    for (std::size_t side = 0; side < 6; ++side)
        problem.sides[side] = {kinds[side], random.real(-1, 1)};
    if (solvers::isAllNeumann(problem)) {
        double flux = 0;
        for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(dimension); ++side) {
            const auto faces = problem.count() / unknowns[side / 2];
            flux += problem.sides[side].value * static_cast<double>(faces) / problem.spacing;
        }
        const double surplus = std::accumulate(f.begin(), f.end(), flux);
        for (double &value : f)
            value -= surplus / static_cast<double>(f.size());
    }
    problem.source = std::move(f);
    return problem;
}

/// Random guess; every third problem has a spike, every third no source.
inline solvers::PoissonProblem iterationProblem(Random &random, int dimension,
                                                std::array<std::size_t, 3> unknowns,
                                                std::array<solvers::SideKind, 6> kinds,
                                                int kindOfSource)
{
    auto problem = randomProblem(random, dimension, unknowns, kinds);
    problem.initialGuess = randomValues<double>(random, problem.count());
    if (kindOfSource == 1)
        problem.source =
            solvers::SpikeSource{random.real(-3, 3), {random.real(), random.real(), 0.5}};
    if (kindOfSource == 2)
        problem.source = std::monostate();
    return problem;
}

/// The solution of the linear equations by elimination; of mean 0 if all sides are of Neumann type.
inline std::vector<double> directSolution(const solvers::PoissonProblem &problem)
{
    const auto &n = problem.unknowns;
    const auto f = solvers::sampleSource(problem);
    const double h = problem.spacing;
    const auto count = static_cast<Eigen::Index>(problem.count());
    const bool isSingular = solvers::isAllNeumann(problem);
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd right(count);
    Eigen::Index row = 0;
    for (std::size_t k = 0; k < n[2]; ++k) {
        for (std::size_t j = 0; j < n[1]; ++j) {
            for (std::size_t i = 0; i < n[0]; ++i, ++row) {
                if (isSingular && row == 0) { // the equation that follows from the others
                    entries.emplace_back(0, 0, 1.0);
                    right[0] = 0;
                    continue;
                }
                const std::array<std::size_t, 3> at{i, j, k};
                const std::array<std::size_t, 3> strides{1, n[0], n[0] * n[1]};
                double diagonal = 2 * problem.dimension;
                right[row] = f.empty() ? 0 : h * h * f[static_cast<std::size_t>(row)];
                for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(problem.dimension);
                     ++side) {
                    const auto axis = side / 2;
                    const bool isHigh = side % 2 == 1;
                    const auto stride = static_cast<Eigen::Index>(strides[axis]);
                    if (isHigh ? at[axis] + 1 < n[axis] : at[axis] > 0) {
                        entries.emplace_back(row, isHigh ? row + stride : row - stride, -1.0);
                    } else if (problem.sides[side].kind == solvers::SideKind::dirichlet) {
                        right[row] += problem.sides[side].value;
                    } else {
                        right[row] += h * problem.sides[side].value;
                        diagonal -= 1;
                    }
                }
                entries.emplace_back(row, row, diagonal);
            }
        }
    }
    Eigen::SparseMatrix<double> matrix(count, count);
    matrix.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(matrix);
    Eigen::VectorXd solution = factors.solve(right);
    if (isSingular)
        solution.array() -= solution.mean();
    return {solution.data(), solution.data() + count};
}

} // namespace gridhelm::test
