// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace gridhelm {

/// What this machine's memory delivers, in bytes per second: the best of several ways to do it
/// (docs/benchmarks/index.md). Read: one or several streams. Write: plain, non-temporal, memset.
/// Copy, counting bytes read and bytes written: plain, non-temporal, memcpy.
struct MemoryBandwidth
{
    double read = 0;
    double write = 0;
    double copy = 0;
    std::size_t arrayBytes = 0;
    int threads = 1;
};

/// Arrays of four times the last-level cache, at least 128 MiB each, on huge pages as PaddedGrid's.
/// Takes about a second, and several where that cache is of hundreds of MiB. With `mostBytes` for
/// an array it is quick, and may be the speed of a cache.
MemoryBandwidth measureMemoryBandwidth(const CpuDevice &cpu, std::size_t mostBytes = SIZE_MAX);

/// One pass over the data at full speed, for measurements on data that is already there: the sum of
/// all values, in whatever order is fastest. `streams` (1, 2, 4 or 8) parts are read side by side.
float readOnce(std::span<const float> data, int streams, const CpuDevice &cpu);

} // namespace gridhelm
