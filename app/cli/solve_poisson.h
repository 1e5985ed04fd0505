// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/solve_task.h"
#include "core/solvers/poisson_problem.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gridhelm::cli {

/// The problem for "solve jacobi" and "solve sor", as it was typed.
struct PoissonOptions
{
    std::string size = "512";
    std::optional<std::string> spacing;
    std::vector<std::string> sides;
    std::string source = "spike";
    std::string strength = "1";
    std::optional<std::string> sourcePosition;
    std::optional<std::string> waves;
    std::optional<std::string> known;
    std::string start;
};

void addPoissonOptions(CLI::App &command, PoissonOptions &options);

/// What the help says about sizes, sides and sources.
extern const char *const poissonHelp;

struct PoissonCase
{
    solvers::PoissonProblem problem;
    nlohmann::json settings;
    std::string description; ///< "512 x 512 unknowns, spacing 0.00195"
};

/// Reads the files that it needs. Throws Error for what is no Poisson problem.
PoissonCase poissonCase(const PoissonOptions &options);

/// Iterations that may pass without progress: a multiple of what it takes to cross the grid.
std::uint64_t patienceFor(const solvers::PoissonProblem &problem);

} // namespace gridhelm::cli
