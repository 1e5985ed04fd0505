// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/choice/backend_choice.h"

#include <functional>
#include <memory>
#include <string>

namespace gridhelm::app {

/// Among all back ends that this program and this machine have. `say`: see choice::ChoiceSettings.
std::shared_ptr<choice::BackendChoice>
makeMachineChoice(std::function<void(const std::string &sentence)> say);

} // namespace gridhelm::app
