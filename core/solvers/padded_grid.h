// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values of the unknowns in memory as the fast solvers want them: rows that start at a cache line,
// one ghost value beyond each end of a row, one ghost row beyond each end of a plane, one ghost
// plane beyond each end of a 3D grid. Of a slab, the ghosts beyond the border to another slab are
// its halo: values that the other one has.
#pragma once

#include "core/execution/device.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/row_lines.h"
#include "core/solvers/slab.h"
#include "core/support/huge_pages.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>

namespace gridhelm::solvers {

/// On which ends a slab's ghosts are values of another slab.
struct Halos
{
    bool low = false;
    bool high = false;
};

inline Halos halosOf(const Slab &slab)
{
    return {slab.hasLower(), slab.hasUpper()};
}

template <typename T>
class PaddedGrid
{
public:
    static constexpr std::size_t lineValues = 64 / sizeof(T); ///< of one cache line
    /// That many values past the end of any row may be read (and mean nothing).
    static constexpr std::size_t readableBeyond = 288;

    /// All values are 0. Each of the threads first touches one stretch of the rows, as in a loop
    /// over them with schedule(static), so that they lie in its part of the memory.
    PaddedGrid(const std::array<std::size_t, 3> &points, int dimension, const CpuDevice &cpu,
               Halos halos = {})
        : m_points(points)
        , m_dimension(dimension)
        , m_halos(halos)
        , m_rowStride(rowStrideFor(points[0]))
        , m_planeStride(rowLines(m_rowStride / lineValues * (points[1] + 2)) * lineValues)
    {
        const auto planes = points[2] + (dimension == 3 ? 2 : 0);
        const auto size = lineValues + m_planeStride * planes + readableBeyond;
        m_memory = hwy::AllocateAligned<T>(size);
        if (!m_memory)
            throw std::bad_alloc();
        preferHugePages(m_memory.get(), size * sizeof(T));
        m_first = m_memory.get() + lineValues + m_rowStride
                  + (dimension == 3 ? m_planeStride : std::size_t{0});
        const auto rowsOfPlane = points[1] + 2;
        const auto rows = planes * rowsOfPlane;
#pragma omp parallel for schedule(static) num_threads(cpu.threads)
        for (std::size_t r = 0; r < rows; ++r) {
            const auto plane = r / rowsOfPlane;
            const auto row = r % rowsOfPlane;
            T *begin = m_memory.get() + lineValues + plane * m_planeStride + row * m_rowStride;
            const bool isLast = row + 1 == rowsOfPlane;
            std::fill(begin, begin + (isLast ? m_planeStride - row * m_rowStride : m_rowStride),
                      T(0));
        }
        std::fill(m_memory.get(), m_memory.get() + lineValues, T(0));
        std::fill(m_memory.get() + size - readableBeyond, m_memory.get() + size, T(0));
    }

    const std::array<std::size_t, 3> &points() const
    {
        return m_points;
    }
    int dimension() const
    {
        return m_dimension;
    }
    /// Beyond the first and the last row (2D) or plane (3D).
    Halos halos() const
    {
        return m_halos;
    }
    std::ptrdiff_t rowStride() const
    {
        return static_cast<std::ptrdiff_t>(m_rowStride);
    }
    std::ptrdiff_t planeStride() const
    {
        return static_cast<std::ptrdiff_t>(m_planeStride);
    }

    /// The first value of a row, aligned to a cache line; its ghosts are at -1 and points()[0]. Up
    /// to the next multiple of lineValues a row may be overwritten (and its ghost restored).
    /// -1 <= j <= points()[1], in 3D -1 <= k <= points()[2].
    T *row(std::ptrdiff_t j, std::ptrdiff_t k = 0)
    {
        return m_first + j * rowStride() + k * planeStride();
    }
    const T *row(std::ptrdiff_t j, std::ptrdiff_t k = 0) const
    {
        return m_first + j * rowStride() + k * planeStride();
    }

    /// The unknowns' values, x fastest, without padding.
    template <typename Value>
    void assign(std::span<const Value> values)
    {
        forEachRow([&](std::ptrdiff_t j, std::ptrdiff_t k, std::size_t first) {
            std::transform(values.begin() + static_cast<std::ptrdiff_t>(first),
                           values.begin() + static_cast<std::ptrdiff_t>(first + m_points[0]),
                           row(j, k), [](Value value) { return static_cast<T>(value); });
        });
    }
    template <typename Value>
    void copyTo(std::span<Value> values) const
    {
        forEachRow([&](std::ptrdiff_t j, std::ptrdiff_t k, std::size_t first) {
            std::transform(row(j, k), row(j, k) + m_points[0],
                           values.begin() + static_cast<std::ptrdiff_t>(first),
                           [](T value) { return static_cast<Value>(value); });
        });
    }

    /// visit(j, k, index of the row's first unknown without padding) for every row.
    template <typename Visitor>
    void forEachRow(Visitor visit) const
    {
        std::size_t first = 0;
        for (std::size_t k = 0; k < m_points[2]; ++k) {
            for (std::size_t j = 0; j < m_points[1]; ++j, first += m_points[0])
                visit(static_cast<std::ptrdiff_t>(j), static_cast<std::ptrdiff_t>(k), first);
        }
    }

private:
    /// One cache line more than the values need has room for both ghosts.
    static std::size_t rowStrideFor(std::size_t points)
    {
        return rowLines((points + lineValues - 1) / lineValues + 1) * lineValues;
    }

    std::array<std::size_t, 3> m_points;
    int m_dimension;
    Halos m_halos;
    std::size_t m_rowStride;
    std::size_t m_planeStride;
    hwy::AlignedFreeUniquePtr<T[]> m_memory;
    T *m_first = nullptr; ///< value (0, 0, 0)
};

/// The ghost value beyond a side, next to an unknown of value `inside`.
template <typename T>
T ghostValue(const SideCondition &side, double spacing, T inside)
{
    return side.kind == SideKind::dirichlet ? static_cast<T>(side.value)
                                            : inside + static_cast<T>(spacing * side.value);
}

/// The two ghosts of one row of unknowns.
template <typename T>
void setRowGhosts(T *row, std::size_t points, const std::array<SideCondition, 6> &sides,
                  double spacing)
{
    row[-1] = ghostValue(sides[0], spacing, row[0]);
    row[points] = ghostValue(sides[1], spacing, row[points - 1]);
}

/// A whole ghost row (beyond a y or z side) from the row of unknowns next to it.
template <typename T>
void setGhostRow(T *ghosts, const T *inside, std::size_t points, const SideCondition &side,
                 double spacing)
{
    for (std::size_t i = 0; i < points; ++i)
        ghosts[i] = ghostValue(side, spacing, inside[i]);
}

/// All ghosts that row (j, k) determines: its own two, and the rows beyond y and z sides; not
/// halos.
template <typename T>
void setGhostsBeside(PaddedGrid<T> &grid, std::ptrdiff_t j, std::ptrdiff_t k,
                     const std::array<SideCondition, 6> &sides, double spacing)
{
    const auto &points = grid.points();
    const auto lastRow = static_cast<std::ptrdiff_t>(points[1]) - 1;
    const auto lastPlane = static_cast<std::ptrdiff_t>(points[2]) - 1;
    const bool is3D = grid.dimension() == 3;
    const bool hasLow = !grid.halos().low; // of the last axis: a side
    const bool hasHigh = !grid.halos().high;
    T *row = grid.row(j, k);
    setRowGhosts(row, points[0], sides, spacing);
    if (j == 0 && (is3D || hasLow))
        setGhostRow(grid.row(-1, k), row, points[0], sides[2], spacing);
    if (j == lastRow && (is3D || hasHigh))
        setGhostRow(grid.row(lastRow + 1, k), row, points[0], sides[3], spacing);
    if (!is3D)
        return;
    if (k == 0 && hasLow)
        setGhostRow(grid.row(j, -1), row, points[0], sides[4], spacing);
    if (k == lastPlane && hasHigh)
        setGhostRow(grid.row(j, lastPlane + 1), row, points[0], sides[5], spacing);
}

/// All ghosts of the grid: to begin with, after a boundary value has changed, and, for Neumann
/// sides, after every change of the values beside them.
template <typename T>
void setAllGhosts(PaddedGrid<T> &grid, const std::array<SideCondition, 6> &sides, double spacing)
{
    grid.forEachRow([&](std::ptrdiff_t j, std::ptrdiff_t k, std::size_t) {
        setGhostsBeside(grid, j, k, sides, spacing);
    });
}

} // namespace gridhelm::solvers
