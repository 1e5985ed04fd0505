// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/machine/machine_report.h"

#include <string>
#include <vector>

namespace gridhelm::bench {

/// A page in HTML that needs nothing beside it, and runs nothing: scores, plots of ratios to the
/// reference machine, of shares of limits and of rates, and a table of all cases. Of one report,
/// its devices side by side; of several, the machines. Whatever the reports hold is text on it.
std::string machinePage(const std::vector<MachineReport> &reports, const MachineReport &reference);

} // namespace gridhelm::bench
