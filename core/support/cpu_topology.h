// SPDX-License-Identifier: GPL-3.0-or-later
//
// CPUs, cores and caches, as hwloc finds them on any operating system. A CPU is what runs one
// thread: a core, or one of its hardware threads. All functions may be called by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

struct hwloc_bitmap_s;

namespace gridhelm {

/// Some CPUs of the machine.
class CpuSet
{
public:
    /// Those that the calling thread may use. Throws gridhelm::Error if the operating system does
    /// not say which.
    static CpuSet ofCallingThread();

    std::size_t size() const;
    /// Each alone: one of every core, then the second of every core, ...; within that in the order
    /// of their numbers.
    std::vector<CpuSet> coresFirst() const;
    /// Lets the calling thread run on these alone; false if that is not possible.
    bool bindCallingThread() const;

private:
    struct Free
    {
        void operator()(hwloc_bitmap_s *set) const;
    };

    CpuSet();

    std::unique_ptr<hwloc_bitmap_s, Free> m_set;
};

/// The cache of level 2 that the first CPU sees, and the largest of its caches; 0 if unknown.
std::uint64_t level2CacheBytes();
std::uint64_t largestCacheBytes();

} // namespace gridhelm
