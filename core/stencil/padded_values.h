// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/solvers/row_lines.h"
#include "core/stencil/stencil.h"
#include "core/support/huge_pages.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <new>

namespace gridhelm::stencil {

/// Memory as generated code wants it: rows that begin at a cache line, ghost values, rows and
/// planes around the grid, as many as the radius says (at least 1). In values.
struct PaddedLayout
{
    std::size_t first = 0; ///< point
    std::size_t rowStride = 0;
    std::size_t planeStride = 0;
    std::size_t size = 0;
};

inline PaddedLayout paddedLayout(const Stencil &stencil, std::size_t valueBytes)
{
    const auto lineValues = 64 / valueBytes;
    const auto radius = static_cast<std::size_t>(ghostsOf(stencil));
    const auto &n = stencil.points;
    const auto lines = (lineValues + n[0] + radius + lineValues - 1) / lineValues;
    PaddedLayout layout;
    layout.rowStride = solvers::rowLines(lines) * lineValues;
    const auto rows = n[1] + 2 * radius;
    layout.planeStride = solvers::rowLines(layout.rowStride / lineValues * rows) * lineValues;
    const bool is3D = stencil.dimension == 3;
    const auto planes = n[2] + (is3D ? 2 * radius : 0);
    layout.size = layout.planeStride * planes + lineValues;
    layout.first =
        lineValues + radius * layout.rowStride + (is3D ? radius * layout.planeStride : 0);
    return layout;
}

template <typename T>
class PaddedValues
{
public:
    /// All values are 0; each thread first touches the layers that it is going to compute.
    PaddedValues(const Stencil &stencil, const CpuDevice &cpu)
        : m_layout(paddedLayout(stencil, sizeof(T)))
    {
        const auto size = m_layout.size;
        m_memory = hwy::AllocateAligned<T>(size);
        if (!m_memory)
            throw std::bad_alloc();
        preferHugePages(m_memory.get(), size * sizeof(T));
        const auto stride = stencil.dimension == 3 ? planeStride() : rowStride();
#pragma omp parallel for schedule(static) num_threads(cpu.threads)
        for (std::size_t begin = 0; begin < size; begin += stride)
            std::fill(m_memory.get() + begin, m_memory.get() + std::min(begin + stride, size),
                      T(0));
    }

    T *first()
    {
        return m_memory.get() + m_layout.first;
    }
    const T *first() const
    {
        return m_memory.get() + m_layout.first;
    }
    std::size_t rowStride() const
    {
        return m_layout.rowStride;
    }
    std::size_t planeStride() const
    {
        return m_layout.planeStride;
    }
    T &at(std::size_t i, std::size_t j, std::size_t k)
    {
        return first()[k * planeStride() + j * rowStride() + i];
    }

private:
    PaddedLayout m_layout;
    hwy::AlignedFreeUniquePtr<T[]> m_memory;
};

/// Bytes of one of them, before there is one.
double paddedBytes(const Stencil &stencil);

} // namespace gridhelm::stencil
