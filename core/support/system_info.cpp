// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/system_info.h"

#include "core/support/cpu_topology.h"
#include "core/support/error.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

namespace gridhelm {
namespace {

/// The number behind `key` in a file of lines such as "MemAvailable:   123456 kB", or 0.
std::uint64_t numberBehind(const char *path, const std::string &key)
{
    std::ifstream file(path);
    std::string word;
    std::uint64_t number = 0;
    while (file >> word)
        if (word == key && file >> number)
            return number;
    return 0;
}

std::uint64_t memoryEntryBytes(const std::string &key)
{
    return numberBehind("/proc/meminfo", key) * 1024; // it counts in units of 1024 bytes
}

/// A file that holds one number; nothing if it is missing or says "max".
std::optional<std::uint64_t> numberInFile(const char *path)
{
    std::ifstream file(path);
    std::uint64_t number = 0;
    if (file >> number)
        return number;
    return std::nullopt;
}

struct ControlGroupMemory
{
    std::uint64_t limit;
    std::uint64_t used; ///< without the file cache that the kernel gives back when asked
};

/// Version 2 of the control groups first, then version 1 (where "no limit" is a huge number).
std::optional<ControlGroupMemory> controlGroupMemory()
{
    struct Files
    {
        const char *limit, *used, *statistics, *cacheKey;
    };
    constexpr Files versions[] = {{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current",
                                   "/sys/fs/cgroup/memory.stat", "inactive_file"},
                                  {"/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                   "/sys/fs/cgroup/memory/memory.usage_in_bytes",
                                   "/sys/fs/cgroup/memory/memory.stat", "total_inactive_file"}};
    for (const Files &files : versions) {
        const auto limit = numberInFile(files.limit);
        const auto used = numberInFile(files.used);
        if (limit && used) {
            const std::uint64_t cache = numberBehind(files.statistics, files.cacheKey);
            return ControlGroupMemory{*limit, *used - std::min(*used, cache)};
        }
    }
    return std::nullopt;
}

std::string cpuName()
{
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line))
        if (line.starts_with("model name")) {
            const auto colon = line.find(": ");
            if (colon != std::string::npos)
                return line.substr(colon + 2);
        }
    return "unknown";
}

int usableThreads()
{
    try {
        return std::max(1, static_cast<int>(CpuSet::ofCallingThread().size()));
    } catch (const Error &) {
        return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    }
}

} // namespace

std::uint64_t availableMemoryBytes()
{
    const std::uint64_t available = memoryEntryBytes("MemAvailable:");
    const auto group = controlGroupMemory();
    if (!group)
        return available;
    // A full group has next to nothing left; 0 would mean unknown.
    const auto left =
        std::max<std::uint64_t>(1, group->limit - std::min(group->limit, group->used));
    return available == 0 ? left : std::min(available, left);
}

std::uint64_t coreCacheBytes()
{
    const auto bytes = level2CacheBytes();
    return bytes > 0 ? bytes : std::uint64_t{1} << 20;
}

SystemInfo querySystemInfo()
{
    SystemInfo info;
    info.cpuName = cpuName();
    info.threadCount = usableThreads();
    info.lastLevelCacheBytes = largestCacheBytes();
    info.physicalMemoryBytes = memoryEntryBytes("MemTotal:");
    if (const auto group = controlGroupMemory())
        info.physicalMemoryBytes = std::min(info.physicalMemoryBytes, group->limit);
    info.availableMemoryBytes = availableMemoryBytes();
    return info;
}

} // namespace gridhelm
