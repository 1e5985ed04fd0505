// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"

#include <cstddef>

namespace gridhelm::gpu {

/// Between two places of the host's memory, with the CPU's threads: one alone does not keep up with
/// what the bus brings and takes.
void copyWithThreads(const void *from, void *to, std::size_t bytes, const CpuDevice &cpu);

} // namespace gridhelm::gpu
