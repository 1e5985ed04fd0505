// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dispatch/candidate.h"
#include "core/execution/execution_context.h"
#include "gpu/device_info.h"

#include <string>
#include <vector>

namespace gridhelm::app {

/// What may be chosen beside the CPU: the first of the context's GPUs, and unless it has some of
/// the machine's alone, all of them if there are several, and all of them with the CPU. Empty
/// without a GPU. `names` are those of the machine's GPUs, by number; `driver` is what their speed
/// depends on besides.
std::vector<dispatch::Candidate> gpuCandidates(const ExecutionContext &context,
                                               const std::vector<std::string> &names,
                                               const std::string &driver);
/// The same with what was found of this machine's.
std::vector<dispatch::Candidate> gpuCandidates(const ExecutionContext &context,
                                               const gpu::DeviceList &machine);

} // namespace gridhelm::app
