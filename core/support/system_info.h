// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace gridhelm {

/// What the machine offers, as far as the operating system tells. Unknown numbers are 0.
struct SystemInfo
{
    std::string cpuName;                   ///< e.g. "AMD EPYC 7B13", or "unknown"
    int threadCount = 1;                   ///< threads this process may run at once
    std::uint64_t lastLevelCacheBytes = 0; ///< largest cache that one core sees
    std::uint64_t physicalMemoryBytes = 0;
    std::uint64_t availableMemoryBytes = 0; ///< free for new allocations without swapping
};

SystemInfo querySystemInfo();

/// The part of querySystemInfo() that is asked for before every large allocation. Respects the
/// control group's memory limit (containers); 0 if unknown.
std::uint64_t availableMemoryBytes();

/// Largest cache that a core has for itself (level 2); 1 MiB, which is common, if unknown.
std::uint64_t coreCacheBytes();

} // namespace gridhelm
