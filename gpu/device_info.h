// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gridhelm::gpu {

struct Device
{
    std::string name;
    std::uint64_t memoryBytes = 0;
    int computeCapabilityMajor = 0;
    int computeCapabilityMinor = 0;
    double memoryBytesPerSecond = 0; ///< at most: clock times width of the bus
    std::string pciBusId{};          ///< "0000:17:00.0"; empty if it is not told
};

struct DeviceList
{
    std::vector<Device> devices; ///< in the order of CUDA's device numbers
    std::string driver;          ///< "driver for CUDA 12.8"
    std::string reason;          ///< why the list is empty, one sentence; empty if it is not
};

/// Whether the CUDA kernels were compiled into this binary.
bool isBuilt() noexcept;

/// The CUDA devices of this machine. Never throws for a missing driver or device: it says so in
/// DeviceList::reason.
DeviceList listDevices();

/// All of them, each with all of its memory.
std::vector<GpuDevice> gpuDevices();

} // namespace gridhelm::gpu
