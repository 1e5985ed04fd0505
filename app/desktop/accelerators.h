// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/main_window.h"

namespace gridhelm::desktop {

/// What this program and this machine have beside the processor, or why they have not.
ui::Accelerators accelerators();

} // namespace gridhelm::desktop
