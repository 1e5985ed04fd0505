// SPDX-License-Identifier: GPL-3.0-or-later
//
// The devices that share a work, as one back end wants them, all of one kind; and as people do.
#pragma once

#include "core/execution/computed_on.h"
#include "core/execution/device.h"

#include <string>
#include <vector>

namespace gridhelm {

/// In their order. Throw gridhelm::Error if there is a device of another kind.
std::vector<CpuDevice> cpusOf(const std::vector<Device> &team);
std::vector<GpuDevice> gpusOf(const std::vector<Device> &team);

/// Whether there are both in it.
bool isMixed(const std::vector<Device> &team);

/// nameOf() each.
std::vector<std::string> namesOf(const std::vector<Device> &team);
/// All of them.
ComputedOn computedOn(const std::vector<GpuDevice> &gpus);

} // namespace gridhelm
