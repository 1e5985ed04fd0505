// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/solvers/solver_backend.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gridhelm::dispatch {

/// The team of the context's devices; empty if it has other ones than are meant.
using TeamOf = std::function<std::vector<Device>(const ExecutionContext &context)>;

/// Of a back end with a team: methods that cannot be divided are left to the back end alone,
/// without a team. `first` lives longer. `name`: as people name the devices.
std::unique_ptr<solvers::SolverBackend> makeTeamSolvers(const solvers::SolverBackend &first,
                                                        std::string name, TeamOf team);

} // namespace gridhelm::dispatch
