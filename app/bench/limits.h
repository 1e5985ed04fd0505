// SPDX-License-Identifier: GPL-3.0-or-later
//
// What limits operations: what a CPU and a GPU reach at best.
#pragma once

#include "core/dispatch/workload.h"
#include "core/execution/execution_context.h"
#include "gpu/support/device_limits.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>

namespace gridhelm::bench {

/// What the CPU reaches with so many threads, in bytes and flops per second.
struct CpuLimits
{
    double read = 0, write = 0, copy = 0, floatFlops = 0, doubleFlops = 0;
};

/// What both reach; the device's are 0 if there is none.
struct Limits
{
    CpuLimits cpu;
    gpu::DeviceLimits device;
};

/// Arrays to measure memory with in a hurry; some caches are of 480 MiB.
inline constexpr std::size_t quickMemoryBytes = std::size_t{64} << 20;

/// Limits are the best of what is measured: to be measured before and after what stands beside
/// them. With `mostBytes` it is quick (measureMemoryBandwidth()).
void measureLimits(CpuLimits &best, const CpuDevice &cpu, std::size_t mostBytes = SIZE_MAX);
void measureLimits(Limits &best, const ExecutionContext &context, bool hasDevice);

/// {"read_gbytes_per_second", ...}, as limitsJson() writes those of a device.
nlohmann::json limitsJson(const CpuLimits &limits);

/// Which of them limits an operation, and whether its flops count or its bytes.
struct Limit
{
    const char *name; ///< "multiply-adds", "writing", "reading", "copying"
    double CpuLimits::*ofCpu;
    double gpu::DeviceLimits::*ofDevice;
    bool isOfFlops = false;
};

Limit limitOf(const dispatch::Workload &work);

} // namespace gridhelm::bench
