// SPDX-License-Identifier: GPL-3.0-or-later
//
// What this program and this machine have to compute with.
#pragma once

#include "core/dispatch/dispatcher.h"
#include "core/execution/execution_context.h"

#include <memory>
#include <string>

namespace gridhelm::app {

/// With the CPU and the devices that people name: "auto" for all there are, "cpu" for no GPU, "gpu"
/// or "gpu:1" for one; as a team, "gpu:0,1" or "gpu:all" for several GPUs, "cpu/4", "gpu/2" or
/// "gpu:1/2" for that many logical parts of a device (nameOf() calls them "cpu.1/4"), and
/// "gpu:all+cpu" or the like for both kinds. With "auto"
/// GPUs are looked for when they are needed. Another device may take over from one that fails.
/// Throws gridhelm::Error, with sentences about `what`, for anything else, and for GPUs that there
/// are not.
ExecutionContext machineContext(const CpuDevice &cpu, const std::string &devices,
                                const std::string &what = "--devices");

/// Among all back ends that can compute on the devices of the context.
std::shared_ptr<dispatch::Dispatcher> makeMachineDispatcher(const ExecutionContext &context);

} // namespace gridhelm::app
