// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/tuned_case.h"

#include <span>
#include <vector>

namespace gridhelm::gpu {

/// All operations of a GPU with constants to tune, among those that are compiled in; none where
/// CUDA was not built in.
std::span<const TunableOperation *const> gpuOperations();

/// The sizes at which they are tuned, as tuning::cpuCases(), in float.
std::vector<tuning::TuningCase> gpuCases();

} // namespace gridhelm::gpu
