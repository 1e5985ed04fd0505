// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "core/solvers/poisson/poisson_method.h"

#include <CLI/CLI.hpp>

#include <string>

namespace gridhelm::cli {

/// "solve jacobi", "solve sor": the methods of the family, with the options that they have.
/// `footer`: what the help says below the options, after the methods; examples.
void addSolvePoissonCommand(CLI::App &parent, const GlobalOptions &global,
                            const solvers::PoissonFamily &family, const std::string &footer);

} // namespace gridhelm::cli
