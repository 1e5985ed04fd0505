// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/runner_type.h"

namespace gridhelm::data {

/// Commands, as processes of this machine. Each run works in a folder of its own, with the
/// templates filled in; its output goes to gridhelm.log there.
const RunnerType &commandRunner();

} // namespace gridhelm::data
