// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dispatch/workload.h"
#include "core/execution/execution_context.h"
#include "gpu/support/device_limits.h"

#include <optional>

namespace gridhelm::bench {

/// The seconds that an operation on sparse grids takes on the first CUDA device, by the device's
/// clock, with data that is there and results that stay there. None for solvers, which never take
/// them away, and where CUDA was not built in.
std::optional<double> secondsOnDevice(const dispatch::Workload &work,
                                      const ExecutionContext &context,
                                      const gpu::DeviceLimits &limits);

} // namespace gridhelm::bench
