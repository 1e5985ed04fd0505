// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"

#include <algorithm>
#include <cstddef>

namespace gridhelm::solvers {

/// Several half sweeps in one pass over memory, on several threads, with the results of one half
/// sweep after the other. The grid is `slabs` rows (in 3D planes), a slab of half sweep h needs
/// slabs s - 1, s, s + 1 of half sweep h - 1, and half sweep h + 1 must not overtake it.
///
/// Each thread has a band of slabs, from which every half sweep takes one slab less at each end
/// that is no end of the grid; afterwards the gaps between bands are filled, from which every half
/// sweep takes one slab more at each end. Within a band, half sweep h follows one slab behind half
/// sweep h - 1, so that 2 halfSweeps slabs at most are in use at a time.
template <typename HalfSweep>
class SkewedBands
{
public:
    /// halfSweep(slab, h) relaxes the unknowns of one colour.
    SkewedBands(std::size_t slabs, std::size_t halfSweeps, const CpuDevice &cpu,
                HalfSweep halfSweep)
        : m_slabs(static_cast<std::ptrdiff_t>(slabs))
        , m_halfSweeps(static_cast<std::ptrdiff_t>(halfSweeps))
        , m_bands(static_cast<int>(
              std::clamp<std::ptrdiff_t>(m_slabs / (2 * m_halfSweeps), 1, cpu.threads)))
        , m_halfSweep(halfSweep)
    {
    }

    void run() const
    {
        if (m_bands == 1) {
            band(0);
            return;
        }
#pragma omp parallel num_threads(m_bands)
        {
#pragma omp for schedule(static)
            for (int b = 0; b < m_bands; ++b)
                band(b);
#pragma omp for schedule(static)
            for (int b = 1; b < m_bands; ++b)
                gap(b);
        }
    }

private:
    /// The slabs begin(h) .. end(h) - 1 of every half sweep h.
    template <typename Begin, typename End>
    void wavefront(Begin begin, End end) const
    {
        auto first = begin(0);
        auto last = end(0);
        for (std::ptrdiff_t h = 1; h < m_halfSweeps; ++h) {
            first = std::min(first, begin(h) + h);
            last = std::max(last, end(h) + h);
        }
        for (auto front = first; front < last; ++front) {
            for (std::ptrdiff_t h = 0; h < m_halfSweeps; ++h) {
                const auto slab = front - h;
                if (slab >= begin(h) && slab < end(h))
                    m_halfSweep(slab, h);
            }
        }
    }

    std::ptrdiff_t bandBegin(int b) const
    {
        return m_slabs * b / m_bands;
    }

    void band(int b) const
    {
        const auto begin = bandBegin(b);
        const auto end = bandBegin(b + 1);
        wavefront([&](std::ptrdiff_t h) { return b == 0 ? begin : begin + h; },
                  [&](std::ptrdiff_t h) { return b == m_bands - 1 ? end : end - h; });
    }

    void gap(int b) const
    {
        const auto middle = bandBegin(b);
        wavefront([&](std::ptrdiff_t h) { return middle - h; },
                  [&](std::ptrdiff_t h) { return middle + h; });
    }

    std::ptrdiff_t m_slabs;
    std::ptrdiff_t m_halfSweeps;
    int m_bands;
    HalfSweep m_halfSweep;
};

} // namespace gridhelm::solvers
