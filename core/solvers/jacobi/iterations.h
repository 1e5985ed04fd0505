// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/computed_on.h"
#include "core/solvers/jacobi/jacobi_stepper.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/stepper.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace gridhelm::solvers::jacobi {

/// What one pass made.
struct Pass
{
    std::uint64_t iterations = 0;
    double largestChange = StepReport::none;
    double earlierSeconds = 0; ///< spent on these iterations before the pass was asked for
};

/// The values of one Jacobi method on one back end, and how it iterates them. What all have in
/// common (live parameters, counts, time) is in the stepper.
template <typename T>
class Iterations
{
public:
    virtual ~Iterations() = default;

    /// As many iterations as the method does at once, at most `most` (1 or more). The largest
    /// change is that of the last iteration, if these were all and the method has it.
    virtual Pass pass(std::uint64_t most) = 0;

    /// Without padding, x fastest.
    virtual void copyValues(std::span<T> values) const = 0;

    /// Takes the boundary values and the spike of a problem that is otherwise the same.
    virtual void setParameters(const PoissonProblem &problem) = 0;

    /// The 2-norm of h^2 times the residual, in double.
    virtual double scaledResidual() const = 0;
};

template <typename T>
using IterationsMaker = std::function<std::unique_ptr<Iterations<T>>(const PoissonProblem &problem,
                                                                     const JacobiOptions &options)>;

/// As makeJacobiStepper(), with the iterations of another back end, which are computed `where`.
std::unique_ptr<Stepper> makeStepper(PoissonProblem problem, const JacobiOptions &options,
                                     ComputedOn where, const IterationsMaker<float> &makeFloat,
                                     const IterationsMaker<double> &makeDouble);

} // namespace gridhelm::solvers::jacobi
