// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/setup/poisson_setup.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <string>

namespace gridhelm::cli {

/// The problem for "solve jacobi" and "solve sor".
void addPoissonOptions(CLI::App &command, solvers::PoissonSetup &options);

/// What the help says about sizes, sides and sources.
std::string poissonHelp();

struct PoissonCase
{
    solvers::PoissonProblem problem;
    nlohmann::json settings;
    std::string description; ///< "512 x 512 unknowns, spacing 0.00195"
};

/// As solvers::poissonProblem().
PoissonCase poissonCase(const solvers::PoissonSetup &setup);

} // namespace gridhelm::cli
