// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/stencil/stencil.h"

#include <cstddef>
#include <functional>

namespace gridhelm::stencil {

/// Layers of a grid, rows in 2D and planes in 3D.
struct Layers
{
    std::size_t begin = 0;
    std::size_t count = 0;

    bool operator==(const Layers &) const = default;
};

/// Some layers of a stencil's grid as a grid of its own, or all of them. Its first and last layers
/// need not be at a side: what is beyond them is wrong then, and what an iteration makes of it, one
/// radius farther inside each time.
class StencilPiece
{
public:
    /// The stencil outlives it.
    explicit StencilPiece(const Stencil &whole);
    /// `first` may be negative, and the last one beyond the grid, where it is periodic.
    StencilPiece(const Stencil &whole, std::ptrdiff_t first, std::size_t layers);

    /// With the piece's points and spike. Its fields are none: forEachValue() has them.
    const Stencil &stencil() const { return m_stencil; }
    const Stencil &whole() const { return m_whole; }

    /// Of a field of the whole stencil: set(i, j, k, value), places in the piece, from the threads
    /// of `cpu`, bit for bit the values that the whole grid has.
    void forEachValue(const ScalarField &field, const CpuDevice &cpu,
                      const std::function<void(std::size_t i, std::size_t j, std::size_t k,
                                               double value)> &set) const;

    /// As a list, x fastest.
    template <typename T>
    std::vector<T> valuesOf(const ScalarField &field, const CpuDevice &cpu) const
    {
        const auto &n = m_stencil.points;
        std::vector<T> values(m_stencil.count());
        forEachValue(field, cpu, [&](std::size_t i, std::size_t j, std::size_t k, double value) {
            values[(k * n[1] + j) * n[0] + i] = static_cast<T>(value);
        });
        return values;
    }

private:
    const Stencil &m_whole;
    Stencil m_stencil;
    std::ptrdiff_t m_first = 0;
};

} // namespace gridhelm::stencil
