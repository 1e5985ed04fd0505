// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"

namespace gridhelm::gpu {

/// While it lives, what the calling thread does with CUDA is done on this GPU, and what it
/// allocates counts against the GPU's memory budget: CUDA itself keeps the device for each thread.
/// Everything public that works on a device begins with one. The GPU must outlive it.
class OnGpu
{
public:
    /// Throws DeviceError if there is no such device.
    explicit OnGpu(const GpuDevice &gpu);
    ~OnGpu();
    OnGpu(const OnGpu &) = delete;
    OnGpu &operator=(const OnGpu &) = delete;

    /// That of the calling thread; null if there is none.
    static const GpuDevice *current() noexcept;

private:
    const GpuDevice *m_before;
    int m_deviceBefore = 0;
};

} // namespace gridhelm::gpu
