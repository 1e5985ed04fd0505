// SPDX-License-Identifier: GPL-3.0-or-later
//
// Problems and methods for the tests of the SOR family.
#pragma once

#include "core/solvers/poisson_problem.h"
#include "core/solvers/sor/sor_options.h"
#include "tests/core/field_values.h"
#include "tests/solvers/tested_backend.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace gridhelm::test {

inline double largestDistance(const std::vector<double> &a, const std::vector<double> &b)
{
    double largest = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

inline double largestOf(const std::vector<double> &values)
{
    return largestDistance(values, std::vector<double>(values.size()));
}

/// Random values, and if wanted a random source; boundary values that differ from side to side.
inline solvers::PoissonProblem roughProblem(int dimension, std::array<std::size_t, 3> unknowns,
                                            bool withSource, bool withNeumann)
{
    solvers::PoissonProblem problem;
    problem.dimension = dimension;
    problem.unknowns = unknowns;
    problem.spacing = 0.1;
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<double> guess(problem.count());
    std::vector<double> source(problem.count());
    for (std::size_t i = 0; i < guess.size(); ++i) {
        guess[i] = uniform(engine);
        source[i] = 10 * uniform(engine);
    }
    problem.initialGuess = std::move(guess);
    if (withSource)
        problem.source.emplace<solvers::GridSource>(std::move(source));
    for (std::size_t side = 0; side < 6; ++side) {
        problem.sides[side].value = 0.3 * static_cast<double>(side) - 0.5;
        if (withNeumann && side % 3 != 0)
            problem.sides[side].kind = solvers::SideKind::neumann;
    }
    return problem;
}

struct NamedSettings
{
    std::string name;
    TestedSettings settings;
};

/// Every method of the back end under test that solves problems of the dimension, in double.
inline std::vector<NamedSettings> allMethods(int dimension)
{
    std::vector<NamedSettings> all;
    const auto add = [&](const char *name, const char *method, OptionValues options) {
        all.push_back({name, {{method, solvers::Precision::float64, std::move(options)}}});
    };
    const auto addMlssor = [&](const char *name, const char *direction,
                               const solvers::MlssorShape &shape) {
        add(name, "mlssor", {{"direction", direction}, {"shape", valueOf(shape)}});
    };
    add("red-black", "red-black", {});
    if (dimension == 3)
        return all;
    if (!testsCuda) {
        add("SOR forward", "sequential", {{"direction", "forward"}});
        add("SOR backward", "sequential", {{"direction", "backward"}});
        add("SSOR", "sequential", {{"direction", "alternating"}});
    }
    addMlssor("MLSSOR 2x4x4", "alternating", {2, 4});
    addMlssor("MLSSOR 3x7x7", "alternating", {3, 7});
    addMlssor("MLSSOR 4x8x8 forward", "forward", {4, 8});
    addMlssor("MLSSOR 4x8x8 backward", "backward", {4, 8});
    addMlssor("MLSSOR 1x2x2", "alternating", {1, 2});
    return all;
}

} // namespace gridhelm::test
