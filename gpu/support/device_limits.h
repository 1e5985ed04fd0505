// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"

namespace gridhelm::gpu {

/// What a GPU reaches at best: the limits beside which its kernels are measured.
struct DeviceLimits
{
    double readBytesPerSecond = 0;   ///< of its memory
    double copyBytesPerSecond = 0;   ///< in its memory, reads and writes counted
    double toHostBytesPerSecond = 0; ///< into pinned memory of the CPU
    double floatFlopsPerSecond = 0;  ///< of independent fused multiply-adds, two flops each
    double doubleFlopsPerSecond = 0;
};

/// Measured now, which takes some tenths of a second and up to 2 GiB of the device's memory; of
/// every limit the best of some runs. Throws gridhelm::Error if there is no device or CUDA was not
/// built in, DeviceError if the device fails.
DeviceLimits measureDeviceLimits(const GpuDevice &gpu);

} // namespace gridhelm::gpu
