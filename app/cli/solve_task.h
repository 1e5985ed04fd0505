// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/solve_picture.h"
#include "app/cli/solve_run.h"
#include "core/solvers/run/solver_case.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::cli {

/// Where results go, as it was typed.
struct SolveOutputOptions
{
    std::string save;
    std::string picture;
    std::string history;
    std::optional<std::string> slice;
    std::optional<std::string> layers; ///< PMM only
};

void addSolveOutputOptions(CLI::App &command, SolveOutputOptions &options);

struct SolveOutput
{
    std::string save;
    std::string picture;
    std::string history;
    solvers::SliceChoice slice;
    std::optional<int> layers; ///< in the file
    std::optional<int> bands;  ///< in the picture; otherwise the colours are continuous
};

/// Throws Error for a slice or a number of layers that cannot be, or files that cannot be written,
/// by the first of the ranks (which may be null).
SolveOutput solveOutput(const SolveOutputOptions &options, const solvers::SliceChoice &defaultSlice,
                        Ranks *ranks);

/// Everything that is known when the command line has been understood; nothing large has been
/// allocated yet.
struct SolveTask
{
    std::string title;       ///< "jacobi tuned, 512 x 512 unknowns, ...": first line of the summary
    nlohmann::json settings; ///< as they are, with the defaults
    solvers::SolverCase solver;
    std::optional<solvers::SolverCase> cold; ///< done before, to be compared with; it has a target
    SolveOutput output;
    bool pin = false;
    bool isWarm = false; ///< it begins with a field that was given
    /// Made by whoever can be stopped before the run; null: solve() makes its own.
    std::shared_ptr<const Interruption> interruption = {};
};

/// Runs, writes the files, prints the summary or the JSON document. Throws EarlyEnd after that if
/// the run did not get where it was to go.
void solve(const GlobalOptions &global, const SolveTask &task);

// ---- what the options of all solvers are made of ---------------------------------------------

/// --precision, for solvers::parsePrecision(); its present value is the default.
void addPrecisionOption(CLI::App &command, std::string &precision);

} // namespace gridhelm::cli
