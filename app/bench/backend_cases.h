// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `bench backends` measures: every operation at a large size, by the processor and by the
// first CUDA device, beside what either reaches at best.
#pragma once

#include "core/choice/workload.h"
#include "gpu/support/device_limits.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace gridhelm::bench {

/// Large enough for memory or arithmetic to be what limits them, and for the largest caches.
std::vector<choice::Workload> largeWorkloads();
/// The same operations so small that their figures mean nothing, to try the command out.
std::vector<choice::Workload> smallWorkloads();

/// What the processor reaches with so many threads, in bytes and flops per second.
struct ProcessorLimits
{
    int threads = 1;
    double read = 0, write = 0, copy = 0, floatFlops = 0, doubleFlops = 0;
};

ProcessorLimits measureProcessorLimits(int threads);

/// {"read_gbytes_per_second", ...}, as limitsJson() writes those of a device.
nlohmann::json limitsJson(const ProcessorLimits &limits);

struct MeasuredDevice
{
    const choice::Candidate *candidate;
    gpu::DeviceLimits limits;
};

/// One operation by the processor and, if there is one, by the device:
///
///     {"operation", "work", "limit": what limits it: "reading", "writing", "copying" or
///                                    "multiply-adds",
///      "processor": {"seconds", "share": of the limit, "spread", "repeats"},
///      "device": {"seconds": on the device, "share", "times": as fast as the processor,
///                 "delivered_seconds": with results in the processor's memory, "delivered_times"}}
///
/// By the counts of choice::PreparedWork. Solvers leave their field where it is, so nothing is
/// delivered; a picture is written once on the device, of which copying is the limit.
nlohmann::json benchOperation(const choice::Workload &work, const ProcessorLimits &processor,
                              const std::optional<MeasuredDevice> &device);

} // namespace gridhelm::bench
