// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/limits.h"

#include "core/execution/memory_bandwidth.h"
#include "core/execution/peak_flops.h"

#include <algorithm>

namespace gridhelm::bench {

using nlohmann::json;

Limit limitOf(const dispatch::Workload &work)
{
    using dispatch::Operation;
    using Here = CpuLimits;
    using There = gpu::DeviceLimits;
    switch (dispatch::operationOf(work)) {
    case Operation::interpolation:
        return {"multiply-adds", &Here::floatFlops, &There::floatFlopsPerSecond, true};
    case Operation::cartesian:
        return {"writing", &Here::write, &There::copyBytesPerSecond};
    case Operation::combination:
        return {"reading", &Here::read, &There::readBytesPerSecond};
    case Operation::pmm:
        return {"multiply-adds", &Here::doubleFlops, &There::doubleFlopsPerSecond, true};
    default:
        return {"copying", &Here::copy, &There::copyBytesPerSecond};
    }
}

namespace {

void raise(double &limit, double measured)
{
    limit = std::max(limit, measured);
}

} // namespace

void measureLimits(CpuLimits &best, const CpuDevice &cpu, std::size_t mostBytes)
{
    const auto memory = measureMemoryBandwidth(cpu, mostBytes);
    raise(best.read, memory.read);
    raise(best.write, memory.write);
    raise(best.copy, memory.copy);
    raise(best.floatFlops, measurePeakFlops(cpu));
    raise(best.doubleFlops, measurePeakDoubleFlops(cpu));
}

void measureLimits(Limits &best, const ExecutionContext &context, bool hasDevice)
{
    measureLimits(best.cpu, context.cpu());
    if (!hasDevice)
        return;
    const auto measured = gpu::measureDeviceLimits(context.gpus().front());
    for (const auto limit :
         {&gpu::DeviceLimits::readBytesPerSecond, &gpu::DeviceLimits::copyBytesPerSecond,
          &gpu::DeviceLimits::toHostBytesPerSecond, &gpu::DeviceLimits::floatFlopsPerSecond,
          &gpu::DeviceLimits::doubleFlopsPerSecond})
        raise(best.device.*limit, measured.*limit);
}

json limitsJson(const CpuLimits &limits)
{
    return {{"read_gbytes_per_second", 1e-9 * limits.read},
            {"write_gbytes_per_second", 1e-9 * limits.write},
            {"copy_gbytes_per_second", 1e-9 * limits.copy},
            {"float_gflops_per_second", 1e-9 * limits.floatFlops},
            {"double_gflops_per_second", 1e-9 * limits.doubleFlops}};
}

} // namespace gridhelm::bench
