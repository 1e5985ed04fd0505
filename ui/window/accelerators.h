// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/solver_backend.h"
#include "ui/performance/backend_choice.h"
#include "ui/solve/solver_devices.h"

#include <QString>

#include <vector>

namespace gridhelm::ui {

/// What else than the CPU may compute. The solvers must outlive the window; a first one that
/// is called "auto" is what solves unless the user chooses another.
struct Accelerators
{
    std::vector<BackendOffer> evaluating;
    std::vector<const solvers::SolverBackend *> solving;
    Devices devices = {};             ///< that `evaluating` may use
    SolverDevices solverDevices = {}; ///< that `solving` and the CPU's solvers may use
};

} // namespace gridhelm::ui
