// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/rank_slabs.h"

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace gridhelm::solvers {

/// The values of one SOR method, and how it relaxes them. What all methods have in common
/// (relaxation factor, sources) is in SorIterations, and what all solvers have in PoissonStepper.
template <typename T>
class SorSweeper
{
public:
    virtual ~SorSweeper() = default;

    /// As PoissonIterations has it.
    virtual const RankSlabs *ranks() const { return nullptr; }

    /// Up to `iterations` with relaxation factor w; returns how many it has done.
    virtual std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) = 0;

    /// Whether the values are 0 from the beginning, and need not be set to it.
    virtual bool beginsWithZeros() const { return false; }
    /// Without padding, x fastest. h^2 f has as many values, or none.
    virtual void setValues(std::span<const double> values) = 0;
    /// Of this rank's slab alone, if the grid is divided among ranks.
    virtual void copyValues(std::span<T> values) const = 0;
    virtual void setScaledSource(std::span<const double> scaled) = 0;
    virtual void setSides(const std::array<SideCondition, 6> &sides) = 0;

    /// As Stepper::takeShareTimes().
    virtual std::vector<ShareTimes> takeShareTimes() { return {}; }

    /// The 2-norm of h^2 times the residual, in double; the same for every number of threads.
    virtual double scaledResidualNorm() const = 0;
};

} // namespace gridhelm::solvers
