// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/job_runner.h"

#include <string>

namespace gridhelm::data {

struct Plan;

/// What would be executed, and said to a cluster, for a run in the middle of all ranges: for
/// people, in lines; nothing in it is obeyed by a terminal. Nobody is asked, and nothing is
/// executed. Throws gridhelm::Error for a plan without a command, or one that cannot be run.
std::string dryRunText(const Plan &plan, const RunnerOptions &options);

} // namespace gridhelm::data
