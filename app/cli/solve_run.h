// SPDX-License-Identifier: GPL-3.0-or-later
//
// What "solve jacobi", "solve sor" and "solve pmm" have in common: how long a run goes on, what
// changes on the way, what it shows meanwhile, and how it ended.
#pragma once

#include "app/cli/commands.h"
#include "core/solvers/stepper.h"
#include "core/support/pin_threads.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::cli {

/// As they were typed.
struct RunOptions
{
    std::optional<std::string> iterations;
    std::optional<std::string> until;
    std::vector<std::string> changes;
    std::optional<std::string> every;
    bool pin = false;
};

/// `unit` is "iterations" or "sweeps", and names the option for their number.
void addRunOptions(CLI::App &command, RunOptions &options, const std::string &unit);

/// A figure of the report that may end a run.
enum class Quantity { residual, change, error };

std::string_view nameOf(Quantity quantity);
double valueOf(Quantity quantity, const solvers::StepReport &report);

struct ScheduledChange
{
    std::uint64_t iteration = 0; ///< as soon as so many are done
    std::string parameter;       ///< of Stepper::liveParameters()
    double value = 0;
};

struct RunPlan
{
    struct Target
    {
        Quantity quantity = Quantity::residual;
        double value = 0;
    };

    std::string unit = "iterations";
    std::uint64_t most = 0; ///< iterations
    std::optional<Target> target;
    std::vector<ScheduledChange> changes; ///< by iteration
    /// The figures are computed every so many iterations; 0: as often as costs little, at numbers
    /// of iterations that are the same in every run.
    std::uint64_t every = 0;
    std::uint64_t granule = 1; ///< iterations that the method does at once
    /// Iterations without any progress towards the target that are no reason to give up.
    std::uint64_t patience = 1000;
};

/// What a solver can be asked for.
struct RunAbilities
{
    std::string method; ///< for the sentences
    std::string unit = "iterations";
    std::vector<Quantity> quantities;
    std::vector<solvers::LiveParameter> parameters;
    bool rangesAreFixed = true;        ///< they do not depend on other parameters
    bool knownSurvivesChanges = false; ///< the known solution is one that the user has chosen
    std::uint64_t most = 1000;         ///< iterations, if neither a number nor a target is given
    std::optional<RunPlan::Target> target;
};

/// Throws Error for what the solver cannot do, or what would never happen.
RunPlan runPlan(const RunOptions &options, const RunAbilities &abilities);

enum class StopReason {
    iterations,  ///< all done
    target,      ///< reached
    stalled,     ///< the target comes no closer
    interrupted, ///< by a signal
};

/// Whether a change of the plan makes another problem of it: all but the relaxation factor's.
bool changesSolution(const RunPlan &plan);

std::string_view nameOf(StopReason reason);

struct RunResult
{
    StopReason reason = StopReason::iterations;
    std::vector<solvers::StepReport> history; ///< first that of the start, last that of the end
};

/// Shows a line of progress on stderr if that is a terminal. `pinned` may be null. Throws Error if
/// values are no longer finite.
RunResult runSolver(solvers::Stepper &stepper, const RunPlan &plan, std::stop_token stop,
                    PinnedThreads *pinned);

/// 0 if what was asked for has been reached, 3 if the target has not, 130 after a signal.
int exitCodeOf(const RunResult &result, const RunPlan &plan);

/// "the residual is 9.9e-07 as wanted", ...
std::string describe(const RunResult &result, const RunPlan &plan);

/// Stop reason, report, rates and history.
nlohmann::json jsonOf(const RunResult &result, const RunPlan &plan);

/// The lines of the summary that are the same for all solvers.
std::string summaryOf(const RunResult &result, const RunPlan &plan, std::size_t unknowns);

/// iterations,seconds,residual,largest_change,error: one line each, empty where there is none.
std::string csvOf(const std::vector<solvers::StepReport> &history);

} // namespace gridhelm::cli
