// SPDX-License-Identifier: GPL-3.0-or-later
//
// All runners. A new one is a file of its own, and a line in runner_registry.cpp.
#pragma once

#include "data/campaign/runner_type.h"

#include <span>
#include <string_view>

namespace gridhelm::data {

std::span<const RunnerType *const> runnerTypes();
/// Throws gridhelm::Error, with the names there are, for an unknown one.
const RunnerType &findRunnerType(std::string_view name);

/// Null if the plan names no simulation that anybody could run.
const RunnerType *runnerTypeOf(const Plan &plan);
/// Throws gridhelm::Error if there is none.
std::unique_ptr<JobRunner> makeJobRunner(const Plan &plan, const RunnerOptions &options);

} // namespace gridhelm::data
