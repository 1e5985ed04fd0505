// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all iterative solvers have in common (docs/solvers/index.md): configured once, advanced
// a few iterations at a time, read at any step in between. Window, command line and benchmarks use
// the same steppers.
#pragma once

#include "core/execution/computed_on.h"
#include "core/execution/device.h"
#include "core/solvers/field_part.h"
#include "core/solvers/field_view.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::solvers {

/// What a run has done since it was configured. NaN where a solver has no such number.
struct StepReport
{
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();

    std::uint64_t iterations = 0; ///< or sweeps
    double residual = none;       ///< 2-norm, in double, relative to that at the (cold) start
    double largestChange = none;  ///< of a value in the last iteration
    double error = none;          ///< largest difference to the known solution, if there is one
    double seconds = 0;           ///< spent advancing
    double flops = 0;             ///< by the solver's stated count
    double bytes = 0;             ///< by the solver's stated count
};

/// A number that may be changed between steps; the run goes on from its present state.
struct LiveParameter
{
    std::string name; ///< "relaxation", "source x", ...
    std::string unit;
    double value = 0;
    double lowest = 0;
    double highest = 1;
    bool changesSolution = true; ///< or only the way to it
};

/// Not thread-safe: one thread at a time calls it. Denormal values (FlushDenormals) count as 0.
/// Configured by the constructor of each solver,
/// which throws gridhelm::Error, before it allocates, for input that cannot be solved.
class Stepper
{
public:
    virtual ~Stepper() = default;

    virtual std::string_view method() const = 0;
    /// The devices that have computed until now.
    virtual ComputedOn computedOn() const = 0;

    /// Advances by up to `iterations`, fewer if a stop is requested (checked between iterations).
    virtual void advance(std::uint64_t iterations, std::stop_token stop = {}) = 0;

    /// Figures of the present state. Computes the residual and the error, where the method does not
    /// have them anyway; that time is not counted in `seconds`.
    virtual StepReport report() const = 0;

    /// Changes of a value in an iteration that are no larger may be due to rounding alone, and need
    /// not cease; 0: not known. Takes as long as field(); of ranks all have to call it.
    virtual double roundOff() const { return 0; }

    /// How the devices that share the grid have spent their time since this was called last, in
    /// the order of their shares; of GPUs, in one of their last updates. Empty: not known.
    virtual std::vector<ShareTimes> takeShareTimes() { return {}; }

    /// The present values; valid until the next call of advance().
    virtual FieldView field() const = 0;
    /// What this process has of them: all, unless it is one of several ranks.
    virtual FieldPart part() const
    {
        const auto whole = field();
        const std::size_t axis = whole.points[2] > 1 ? 2 : 1;
        return {whole, axis, {0, whole.points[axis], whole.points[axis]}, nullptr};
    }

    virtual std::vector<LiveParameter> liveParameters() const = 0;
    /// Throws gridhelm::Error for an unknown name or a value out of range; the state is unchanged
    /// then.
    virtual void setLiveParameter(std::string_view name, double value) = 0;
};

} // namespace gridhelm::solvers
