// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "app/cli/solve_picture.h"
#include "app/cli/solve_run.h"
#include "core/solvers/precision.h"
#include "core/solvers/stepper.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <functional>
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
    SliceChoice slice;
    std::optional<int> layers; ///< in the file
    std::optional<int> bands;  ///< in the picture; otherwise the colours are continuous
};

/// Throws Error for a slice or a number of layers that cannot be, or files that cannot be written.
SolveOutput solveOutput(const SolveOutputOptions &options, const SliceChoice &usualSlice);

/// Everything that is known when the command line has been understood; nothing large has been
/// allocated yet.
struct SolveTask
{
    std::string title;       ///< "jacobi tuned, 512 x 512 unknowns, ...": first line of the summary
    nlohmann::json settings; ///< as they are, with the defaults
    std::function<std::unique_ptr<solvers::Stepper>()> makeStepper;
    RunPlan plan;
    SolveOutput output;
    Quantity shown = Quantity::residual; ///< in the picture
    std::string fieldName = "u";         ///< in the file
    std::size_t unknowns = 1;
    int threads = 1;
    bool pin = false;
};

/// Runs, writes the files, prints the summary or the JSON document. Throws EarlyEnd after that if
/// the run did not get where it was to go.
void solve(const GlobalOptions &global, const SolveTask &task);

// ---- what the options of all solvers are made of ---------------------------------------------

/// --threads with 0 resolved; refuses back ends that have no solvers. Throws Error.
int solverThreads(const GlobalOptions &global);

/// --precision, for parsePrecision(); its present value is the default.
void addPrecisionOption(CLI::App &command, std::string &precision);

/// "float" or "double". Throws Error.
solvers::Precision parsePrecision(const std::string &text);
std::string_view nameOf(solvers::Precision precision);

/// "512x256x128": 1 to 3 numbers. Throws Error, also if their product is beyond 64 bits.
std::vector<std::size_t> parseSize(const std::string &text, std::string_view what);

/// Exactly three numbers, separated by commas; the last `optional` ones may be left out and keep
/// the value that they have in `usual`. Throws Error.
std::array<double, 3> parsePosition(const std::string &text, std::string_view what,
                                    std::array<double, 3> usual = {}, std::size_t optional = 0);

/// A name that begins a formula, and the numbers behind it: "gradient:1,2".
struct Formula
{
    std::string name;
    std::vector<double> numbers;
};
Formula parseFormula(const std::string &text, std::string_view what);

/// Whether the text looks like the name of a file rather than that of a formula: it has a dot or a
/// slash in the part before a colon.
bool isFileName(const std::string &text);

/// One value for each point: raw float64 (.f64), text, or the first array of a .vti file of that
/// many points. Throws Error, before it allocates what does not fit.
std::vector<double> readPointValues(const std::string &path,
                                    const std::array<std::size_t, 3> &points,
                                    std::string_view what);

/// "512 x 512".
std::string describeSize(const std::array<std::size_t, 3> &points, int dimension);

} // namespace gridhelm::cli
