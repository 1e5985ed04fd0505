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
/// planes around the grid, as many as the radius says (at least 1).
template <typename T>
class PaddedValues
{
public:
    static constexpr std::size_t lineValues = 64 / sizeof(T);

    /// All values are 0; each thread first touches the layers that it is going to compute.
    PaddedValues(const Stencil &stencil, const CpuDevice &cpu)
    {
        const auto radius = static_cast<std::size_t>(std::max(1, radiusOf(stencil)));
        const auto &n = stencil.points;
        const auto lines = (lineValues + n[0] + radius + lineValues - 1) / lineValues;
        m_rowStride = solvers::rowLines(lines) * lineValues;
        const auto rows = n[1] + 2 * radius;
        m_planeStride = solvers::rowLines(m_rowStride / lineValues * rows) * lineValues;
        const bool is3D = stencil.dimension == 3;
        const auto planes = n[2] + (is3D ? 2 * radius : 0);
        const auto size = m_planeStride * planes + lineValues;
        m_memory = hwy::AllocateAligned<T>(size);
        if (!m_memory)
            throw std::bad_alloc();
        preferHugePages(m_memory.get(), size * sizeof(T));
        const auto stride = is3D ? m_planeStride : m_rowStride;
#pragma omp parallel for schedule(static) num_threads(cpu.threads)
        for (std::size_t begin = 0; begin < size; begin += stride)
            std::fill(m_memory.get() + begin, m_memory.get() + std::min(begin + stride, size),
                      T(0));
        m_first = m_memory.get() + lineValues + radius * m_rowStride
                  + (is3D ? radius * m_planeStride : 0);
    }

    T *first()
    {
        return m_first;
    }
    const T *first() const
    {
        return m_first;
    }
    std::size_t rowStride() const
    {
        return m_rowStride;
    }
    std::size_t planeStride() const
    {
        return m_planeStride;
    }
    T &at(std::size_t i, std::size_t j, std::size_t k)
    {
        return m_first[k * m_planeStride + j * m_rowStride + i];
    }

private:
    hwy::AlignedFreeUniquePtr<T[]> m_memory;
    T *m_first = nullptr;
    std::size_t m_rowStride = 0;
    std::size_t m_planeStride = 0;
};

/// Bytes of one of them, before there is one.
double paddedBytes(const Stencil &stencil);

} // namespace gridhelm::stencil
