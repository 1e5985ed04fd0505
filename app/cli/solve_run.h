// SPDX-License-Identifier: GPL-3.0-or-later
//
// What "solve jacobi", "solve sor" and "solve pmm" have in common: the options of a run, what it
// shows meanwhile, and how it ended.
#pragma once

#include "app/cli/commands.h"
#include "core/execution/execution_context.h"
#include "core/execution/pin_threads.h"
#include "core/solvers/run/planned_run.h"
#include "core/solvers/run/run_plan.h"
#include "core/solvers/stepper.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::cli {

using solvers::Quantity;
using solvers::RunPlan;
using solvers::StopReason;

struct RunOptions
{
    solvers::RunSetup setup;
    bool pin = false;
};

/// Throws gridhelm::Error if threads are to be pinned that several devices, or ranks, share.
void requirePinnable(const RunOptions &options, const ExecutionContext &context);

/// `unit` is "iterations" or "sweeps", and names the option for their number.
void addRunOptions(CLI::App &command, RunOptions &options, const std::string &unit);

struct RunResult
{
    StopReason reason = StopReason::iterations;
    std::vector<solvers::StepReport> history; ///< first that of the start, last that of the end
};

/// Shows a line of progress on stderr if that is a terminal. `pinned` and `ranks` may be null; all
/// ranks stop as soon as one is to, after the same iteration. Throws Error if values are no longer
/// finite.
RunResult runSolver(solvers::Stepper &stepper, const RunPlan &plan, std::stop_token stop,
                    PinnedThreads *pinned, Ranks *ranks);

/// 0 if what was asked for has been reached, 3 if the target has not, 130 after a signal.
int exitCodeOf(const RunResult &result, const RunPlan &plan);

/// Stop reason, report, rates and history.
nlohmann::json jsonOf(const RunResult &result, const RunPlan &plan);

/// What a warm start saves: iterations (sweeps) and seconds of both, and the cold run's history.
nlohmann::json comparisonJson(const RunResult &cold, const RunResult &warm, const RunPlan &plan);
/// In words, as lines of the summary.
std::string comparisonText(const RunResult &cold, const RunResult &warm, const RunPlan &plan);

/// The lines of the summary that are the same for all solvers. `isWarm`: its residual is measured
/// from a cold start.
std::string summaryOf(const RunResult &result, const RunPlan &plan, std::size_t unknowns,
                      bool isWarm);

} // namespace gridhelm::cli
