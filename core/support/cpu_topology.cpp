// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/cpu_topology.h"

#include "core/support/error.h"

#include <hwloc.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace gridhelm {
namespace {

/// Of cores and caches: everything else that hwloc could look for takes longer.
class Topology
{
public:
    Topology()
    {
        if (hwloc_topology_init(&m_topology) != 0) {
            m_topology = nullptr;
            return;
        }
        hwloc_topology_set_all_types_filter(m_topology, HWLOC_TYPE_FILTER_KEEP_NONE);
        hwloc_topology_set_cache_types_filter(m_topology, HWLOC_TYPE_FILTER_KEEP_ALL);
        hwloc_topology_set_type_filter(m_topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
        if (hwloc_topology_load(m_topology) != 0)
            hwloc_topology_destroy(std::exchange(m_topology, nullptr));
    }
    ~Topology()
    {
        if (m_topology)
            hwloc_topology_destroy(m_topology);
    }
    Topology(const Topology &) = delete;
    Topology &operator=(const Topology &) = delete;

    /// Null if hwloc found nothing.
    hwloc_topology_t get() const { return m_topology; }

private:
    hwloc_topology_t m_topology = nullptr;
};

/// Found once.
hwloc_topology_t topology()
{
    static const Topology found;
    return found.get();
}

/// Null where the operating system does not say.
hwloc_obj_t coreOf(unsigned cpu)
{
    const auto unit = hwloc_get_pu_obj_by_os_index(topology(), cpu);
    return unit ? hwloc_get_ancestor_obj_by_type(topology(), HWLOC_OBJ_CORE, unit) : nullptr;
}

/// The largest of the first CPU's caches that `wanted` takes.
template <typename Wanted>
std::uint64_t cacheBytes(Wanted wanted)
{
    std::uint64_t largest = 0;
    auto object = topology() ? hwloc_get_obj_by_type(topology(), HWLOC_OBJ_PU, 0) : nullptr;
    for (; object; object = object->parent) {
        if (hwloc_obj_type_is_dcache(object->type) && wanted(object->attr->cache.depth))
            largest = std::max<std::uint64_t>(largest, object->attr->cache.size);
    }
    return largest;
}

} // namespace

void CpuSet::Free::operator()(hwloc_bitmap_s *set) const
{
    hwloc_bitmap_free(set);
}

CpuSet::CpuSet()
    : m_set(hwloc_bitmap_alloc())
{
    if (!m_set)
        throw std::bad_alloc();
}

CpuSet CpuSet::ofCallingThread()
{
    CpuSet set;
    if (!topology() || hwloc_get_cpubind(topology(), set.m_set.get(), HWLOC_CPUBIND_THREAD) != 0)
        throw Error(std::string("the operating system does not say which CPUs may be used (")
                    + std::strerror(errno) + "); leave pinning out");
    return set;
}

std::size_t CpuSet::size() const
{
    return static_cast<std::size_t>(std::max(hwloc_bitmap_weight(m_set.get()), 0));
}

std::vector<CpuSet> CpuSet::coresFirst() const
{
    std::vector<hwloc_obj_t> cores;
    std::vector<std::pair<std::ptrdiff_t, unsigned>> ranked;
    unsigned cpu = 0;
    hwloc_bitmap_foreach_begin(cpu, m_set.get())
    {
        const auto core = coreOf(cpu);
        ranked.emplace_back(core ? std::count(cores.begin(), cores.end(), core) : 0, cpu);
        cores.push_back(core);
    }
    hwloc_bitmap_foreach_end();
    std::sort(ranked.begin(), ranked.end());
    std::vector<CpuSet> result;
    for (const auto &[rank, number] : ranked) {
        CpuSet alone;
        if (hwloc_bitmap_only(alone.m_set.get(), number) != 0)
            throw std::bad_alloc();
        result.push_back(std::move(alone));
    }
    return result;
}

bool CpuSet::bindCallingThread() const
{
    return hwloc_set_cpubind(topology(), m_set.get(), HWLOC_CPUBIND_THREAD) == 0;
}

std::uint64_t level2CacheBytes()
{
    return cacheBytes([](unsigned level) { return level == 2; });
}

std::uint64_t largestCacheBytes()
{
    return cacheBytes([](unsigned) { return true; });
}

} // namespace gridhelm
