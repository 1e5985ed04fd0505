// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/job_runner.h"

namespace gridhelm::data {

/// For a plan with a command. Each run works in a folder of its own, with the templates filled in;
/// its output goes to gridhelm.log there.
std::unique_ptr<const JobRunner> makeCommandRunner(const Plan &plan, const RunnerOptions &options);

} // namespace gridhelm::data
