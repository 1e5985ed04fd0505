// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/run/run_plan.h"
#include "core/solvers/stepper.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::solvers {

enum class StopReason {
    iterations,  ///< all done
    target,      ///< reached
    stalled,     ///< the target comes no closer
    roundOff,    ///< what still changes is due to rounding, and the target is below that
    interrupted, ///< the stop was requested
};

std::string_view nameOf(StopReason reason);
/// Whether the run ended because of its target, reached or not.
constexpr bool isOfTarget(StopReason reason)
{
    return reason == StopReason::target || reason == StopReason::stalled
           || reason == StopReason::roundOff;
}

/// A stepper that does what a plan says, part by part: how large the parts are changes neither its
/// values nor its end. The stepper must outlive it.
class PlannedRun
{
public:
    PlannedRun(Stepper &stepper, RunPlan plan);

    const RunPlan &plan() const { return m_plan; }

    /// Advances by up to `most` iterations, at least 1 (whole granules go fastest): fewer if the
    /// figures are due, something is to change, the run is over, or a stop is requested (which ends
    /// it). Throws Error if values are no longer finite, or for a change that cannot be. Not to be
    /// called once the run is over.
    void advance(std::uint64_t most, std::stop_token stop);

    /// Why the run is over, if it is.
    const std::optional<StopReason> &end() const { return m_end; }

    /// At once. Throws Error, and nothing has changed then. A run with a target may do as many
    /// iterations again, and goes on if it was over because of the target: the problem is a new
    /// one.
    void setLiveParameter(std::string_view name, double value);

    /// Iterations that were asked for, which may be more than done: some methods do whole sweeps
    /// only.
    std::uint64_t asked() const { return m_asked; }
    /// The figures of now; they do not end the run, nor enter the history.
    StepReport look() const;
    /// Those that the plan asks for: first that of the start, last that of the end.
    const std::vector<StepReport> &history() const { return m_history; }

private:
    void record();
    void restartApproach();
    bool hasStalled(double value);
    bool isRoundOff(double value);
    void decide(const std::stop_token &stop);
    bool applyChanges();

    Stepper &m_stepper;
    RunPlan m_plan;
    std::vector<StepReport> m_history;
    std::size_t m_changesDone = 0;
    std::uint64_t m_asked = 0;
    std::uint64_t m_last = 0; ///< iteration
    std::uint64_t m_nextLook = 0;
    bool m_knowsError = true;
    double m_best = std::numeric_limits<double>::infinity(); ///< of the target's figure
    std::uint64_t m_bestIteration = 0;
    std::optional<double> m_roundOff; ///< of the stepper, where it was asked
    std::optional<StopReason> m_end;
};

/// "after 120 iterations, residual 1e-06 reached"
std::string describe(StopReason reason, const StepReport &last, const RunPlan &plan);

/// iterations,seconds,residual,largest_change,error: one line each, empty where there is none.
std::string csvOf(const std::vector<StepReport> &history);

} // namespace gridhelm::solvers
