// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/execution/ranks.h"

#include <string>

namespace gridhelm::gpu {

/// What tells a rank's GPU from others of its machine, and from those of other machines. Empty if
/// the GPU does not answer.
std::string placeOf(const Ranks &ranks, const GpuDevice &gpu);

} // namespace gridhelm::gpu
