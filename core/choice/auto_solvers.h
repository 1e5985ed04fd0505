// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/choice/backend_choice.h"
#include "core/solvers/solver_backend.h"

#include <memory>

namespace gridhelm::choice {

/// `auto`: every problem by the back end that is the fastest for problems of its size, with the
/// threads of its options; methods that are serial by nature by the processor. Where a back end
/// cannot begin or go on, the processor does the iterations again up to there and goes on, which
/// choice.say() tells: nothing is lost but time. The problem is kept in memory for that.
std::unique_ptr<solvers::SolverBackend> makeAutoSolvers(std::shared_ptr<BackendChoice> choice);

} // namespace gridhelm::choice
