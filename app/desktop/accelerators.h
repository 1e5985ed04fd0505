// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/main_window.h"

#include <functional>
#include <string>

namespace gridhelm::desktop {

/// What this program and this machine have beside the processor, or why they have not; where there
/// is something, also `auto`, which is taken unless the user chooses another. Once in a program.
/// `say` is told, from any thread, what the user should know of `auto`.
ui::Accelerators accelerators(std::function<void(const std::string &sentence)> say);

} // namespace gridhelm::desktop
