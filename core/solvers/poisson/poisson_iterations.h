// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/computed_on.h"
#include "core/options/option.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/rank_slabs.h"
#include "core/solvers/stepper.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace gridhelm::solvers {

/// What a method has done when it was asked to advance.
struct Advance
{
    std::uint64_t iterations = 0;
    double largestChange = StepReport::none; ///< of a value in the last one, if the method has it
    double earlierSeconds = 0; ///< spent on these iterations before they were asked for
};

/// The values of one method on one back end, and how it iterates them. What all have in common
/// (the problem's parameters, counts, time, errors) is in the stepper.
template <typename T>
class PoissonIterations
{
public:
    virtual ~PoissonIterations() = default;

    /// Up to `iterations` of them, fewer if a stop is requested, or if the method does only so many
    /// at once.
    virtual Advance advance(std::uint64_t iterations, const std::stop_token &stop) = 0;

    /// How the grid is divided, if that is among ranks, otherwise null: then all that follows is
    /// collective.
    virtual const RankSlabs *ranks() const { return nullptr; }

    /// Without padding, x fastest; of the whole grid, or of this rank's slab.
    virtual void copyValues(std::span<T> values) const = 0;

    /// Takes the boundary values and the spike of a problem that is otherwise the same.
    virtual void setParameters(const PoissonProblem &problem) = 0;
    /// A live option of the method has another value, which is possible.
    virtual void setOption(const Option &, double) {}

    /// If it turned out to be on fewer devices than it was asked for.
    virtual std::optional<ComputedOn> computedOn() const { return {}; }

    /// As Stepper::takeShareTimes().
    virtual std::vector<ShareTimes> takeShareTimes() { return {}; }

    /// The 2-norm of h^2 times the residual, in double.
    virtual double scaledResidual() const = 0;
};

} // namespace gridhelm::solvers
