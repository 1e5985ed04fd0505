// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/measured_problems.h"

#include "core/support/memory_check.h"
#include "core/support/pseudo_random_values.h"

#include <cmath>

namespace gridhelm::solvers {

PoissonProblem unitLaplaceProblem(int dimension, std::size_t n)
{
    PoissonProblem problem;
    problem.dimension = dimension;
    problem.unknowns = {n, n, dimension == 3 ? n : 1};
    problem.spacing = 1 / (static_cast<double>(n) + 1);
    return problem;
}

PoissonProblem heatedLaplaceProblem(int dimension, std::size_t n)
{
    auto problem = unitLaplaceProblem(dimension, n);
    problem.sides[0].value = 1;
    return problem;
}

PoissonProblem roughLaplaceProblem(int dimension, std::size_t n)
{
    return roughLaplaceProblem(dimension, n, n);
}

PoissonProblem roughLaplaceProblem(int dimension, std::size_t n, std::size_t layers)
{
    auto problem = unitLaplaceProblem(dimension, n);
    problem.unknowns[static_cast<std::size_t>(dimension) - 1] = layers;
    // The guess; the solvers check what they allocate themselves.
    requireMemory(static_cast<double>(problem.count()) * sizeof(double), "a guess to begin with",
                  "close other programs");
    problem.initialGuess = pseudoRandomValues<double>(problem.count(), 0.5, 1.5);
    return problem;
}

PmmProblem ballInCube(std::size_t n, bool anisotropic)
{
    PmmProblem problem;
    problem.nodes = {n, n, n};
    problem.spacing = 1 / static_cast<double>(n - 1);
    problem.speed = 1.1;
    if (anisotropic) {
        problem.advection = 1.0;
        problem.direction = {-0.35, 0.4, 0.7};
    }
    problem.source = BallSource{{0.5, 0.5, 0.5}, 0.1};
    return problem;
}

double sweepFromSource(Stepper &stepper)
{
    // A live parameter, changed by a rounding error, starts the times again.
    const auto scale = stepper.liveParameters().front();
    stepper.setLiveParameter(scale.name, std::nextafter(scale.value, 2 * scale.value));
    const double before = stepper.report().seconds;
    stepper.advance(1);
    return stepper.report().seconds - before;
}

} // namespace gridhelm::solvers
