// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::gpu {

/// What the first CUDA device reaches at best, measured now (some tens of milliseconds).
struct DeviceLimits
{
    double copyBytesPerSecond = 0;  ///< a large copy in its memory, reads and writes counted
    double floatFlopsPerSecond = 0; ///< of independent fused multiply-adds, two flops each
    double doubleFlopsPerSecond = 0;
};

/// Throws gridhelm::Error if there is no device.
DeviceLimits measureDeviceLimits();

} // namespace gridhelm::gpu
