// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `bench backends` measures: every operation at a large size, by the CPU and by the
// first CUDA device, beside what either reaches at best.
#pragma once

#include "app/bench/limits.h"
#include "app/bench/measure.h"
#include "core/dispatch/workload.h"
#include "core/execution/execution_context.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace gridhelm::bench {

/// Large enough for memory or arithmetic to be what limits them, and for the largest caches.
std::vector<dispatch::Workload> largeWorkloads();
/// The same operations so small that their figures mean nothing, to try the command out.
std::vector<dispatch::Workload> smallWorkloads();

struct MeasuredOperation
{
    dispatch::Workload work;
    dispatch::CountedWork counted;
    Timing cpu;
    std::optional<double> onDevice;  ///< seconds; none: there is no device
    std::optional<double> delivered; ///< seconds, with results in the CPU's memory
};

/// `device` is null if there is none. Solvers leave their field where it is: nothing is delivered.
MeasuredOperation measureOperation(const dispatch::Workload &work, const ExecutionContext &context,
                                   const dispatch::Candidate *device,
                                   const gpu::DeviceLimits &limits);

/// {"operation", "work", "limit": what limits it: "reading", "writing", "copying" or
///                                "multiply-adds",
///  "cpu": {"seconds", "share": of the limit, "spread", "repeats"},
///  "device": {"seconds", "share", "times": as fast as the CPU, "delivered_seconds",
///             "delivered_times"}}
///
/// By the counts of dispatch::PreparedWork. Of a picture, which is written once, copying is the
/// limit on a device.
nlohmann::json jsonOf(const MeasuredOperation &operation, const Limits &limits);

} // namespace gridhelm::bench
