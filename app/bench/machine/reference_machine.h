// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/machine/machine_report.h"

namespace gridhelm::bench {

/// The machine that has 100 points: reference_machine.json, which "bench machine --json" has
/// written on it.
const MachineReport &referenceMachine();

} // namespace gridhelm::bench
