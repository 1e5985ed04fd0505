// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "ui/window/accelerators.h"

namespace gridhelm::desktop {

/// What this program and this machine have beside the CPU, or why they have not; where there is
/// something, also `auto`, which is taken unless the user chooses another. Once in a program.
ui::Accelerators accelerators(const ExecutionContext &context);

} // namespace gridhelm::desktop
