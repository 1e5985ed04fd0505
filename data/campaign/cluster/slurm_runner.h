// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/runner_type.h"

namespace gridhelm::data {

/// A command, on a cluster with Slurm ([run] on = "slurm"; options in slurm_settings.h).
const RunnerType &slurmRunner();

} // namespace gridhelm::data
