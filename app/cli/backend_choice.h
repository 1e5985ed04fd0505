// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "core/choice/backend_choice.h"
#include "core/solvers/solver_backend.h"
#include "core/sparse/backend.h"

#include <memory>

namespace gridhelm::cli {

/// --threads: 1 to 1024, or 0 for all. Throws Error.
int threadCount(const GlobalOptions &global);

/// The same, with the number of the machine's threads for 0.
int threadCountOrAll(const GlobalOptions &global);

/// Who decides for "auto", in the whole program; its sentences go to stderr.
const std::shared_ptr<choice::BackendChoice> &backendChoice();

/// The back end that --backend names, with --threads. Throws Error.
std::unique_ptr<sparse::Backend> makeBackend(const GlobalOptions &global);

/// That of the solvers. Throws Error.
const solvers::SolverBackend &solverBackend(const GlobalOptions &global);

} // namespace gridhelm::cli
