// SPDX-License-Identifier: GPL-3.0-or-later
//
// The devices that share a solver's work, as one back end wants them: all of one kind.
#pragma once

#include "core/execution/device.h"

#include <vector>

namespace gridhelm {

/// In their order. Throw gridhelm::Error if there is a device of another kind.
std::vector<CpuDevice> cpusOf(const std::vector<Device> &team);
std::vector<GpuDevice> gpusOf(const std::vector<Device> &team);

} // namespace gridhelm
