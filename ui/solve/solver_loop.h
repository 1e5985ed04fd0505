// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/solve/solver_mailbox.h"
#include "ui/solve/solver_worker.h"

#include <memory>
#include <stop_token>

namespace gridhelm::ui {

/// What a SolverWorker's thread does: obeys, advances, publishes, until `quit` is requested.
void runSolverLoop(std::shared_ptr<SolverMailbox> mailbox, RunRequest request,
                   std::stop_token quit);

} // namespace gridhelm::ui
