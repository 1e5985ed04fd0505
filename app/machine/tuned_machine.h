// SPDX-License-Identifier: GPL-3.0-or-later
//
// The constants of kernels that were tuned for what the machine has: its CPU, and its GPUs, which
// core does not know.
#pragma once

#include "core/execution/execution_context.h"
#include "core/tuning/machine_tuning.h"
#include "gpu/device_info.h"

#include <optional>
#include <vector>

namespace gridhelm::app {

/// The context's GPUs, of each model the first one; `machine`: what this machine has. Empty where
/// there is none, or nothing to choose for it.
std::vector<tuning::TuningDevice> tuningGpus(const ExecutionContext &context,
                                             const gpu::DeviceList &machine);

/// Under which constants of the context's GPUs are kept; nothing without a GPU, and if they are of
/// several models: kernels ask for constants of "gpu", whichever it is.
std::optional<tuning::TunedMachine> tunedGpus(const ExecutionContext &context,
                                              const gpu::DeviceList &machine);

/// The context with what was tuned for its CPU, and for its GPUs when a kernel of theirs asks
/// first: until then nobody looks for them.
ExecutionContext withSavedTuning(const ExecutionContext &context);

/// What was tuned for its CPU and its GPUs.
std::vector<tuning::TuningEntry> savedTuning(const ExecutionContext &context);

} // namespace gridhelm::app
