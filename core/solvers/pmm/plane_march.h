// SPDX-License-Identifier: GPL-3.0-or-later
//
// A sub-sweep of the parallel marching method on the CPU: from plane to plane through a grid. Who
// updates which rows of a plane, and who waits for whom, is up to its user.
#pragma once

#include "core/execution/device.h"
#include "core/execution/tunable.h"
#include "core/solvers/padded_grid.h"
#include "core/solvers/pmm/medium_coefficients.h"
#include "core/solvers/pmm/plane_kernel.h"

#include <array>
#include <cstddef>

namespace gridhelm::solvers {

template <typename T>
struct MarchedMedium
{
    bool anisotropic = false;
    MediumCoefficients<T> constant{};
    /// Of a varying medium, laid out as the times; otherwise null.
    std::array<const PaddedGrid<T> *, 2> coefficients{};
};

/// Axes of the grid's memory: 1 (its rows) or 2 (its planes), each once.
template <typename T>
struct MarchDirection
{
    std::size_t normalAxis = 2;
    std::size_t rowAxis = 1; ///< across the rows of a plane
    int sense = 1;           ///< or -1
    std::array<T, 3> a{};    ///< along the rows, across them, and along the normal axis
};

/// Rows first .. end - 1 of a plane.
struct RowRange
{
    std::ptrdiff_t first = 0;
    std::ptrdiff_t end = 0;
};

template <typename T>
class PlaneMarch
{
public:
    /// Lowers the times `to` to what arrives from the times `from`, which may be the same grid.
    PlaneMarch(const PaddedGrid<T> &from, PaddedGrid<T> &to, const MarchedMedium<T> &medium,
               const MarchDirection<T> &direction);

    std::ptrdiff_t planes() const { return m_planes; }
    std::ptrdiff_t rows() const { return m_rows; }

    /// Planes are counted in the order of the march. Before plane 0 is the grid's ghost plane.
    /// Returns the largest decrease of a time.
    T update(std::ptrdiff_t plane, RowRange rows) const;

    /// The first value of a row of the times that are lowered, -1 <= row <= rows(): where there is
    /// a halo, the rows beyond the ends are it; before plane 0 comes -1.
    T *row(std::ptrdiff_t plane, std::ptrdiff_t row) const
    {
        return m_to + position(plane) * m_planeStride + row * m_march.rowStride;
    }
    std::size_t width() const { return m_march.width; }

private:
    std::ptrdiff_t position(std::ptrdiff_t plane) const
    {
        return m_sense > 0 ? plane : m_planes - 1 - plane;
    }

    PlaneRows<T> m_march; ///< but for its nodes
    bool m_anisotropic;
    std::array<const T *, 2> m_coefficients{}; ///< this and the next two: of the first node
    const T *m_from;
    T *m_to;
    std::ptrdiff_t m_planeStride;
    std::ptrdiff_t m_planes;
    std::ptrdiff_t m_rows;
    int m_sense;
};

/// In a parallel region: the rows of the calling thread, out of so many.
RowRange rowsOfThread(std::ptrdiff_t rows);

/// Operation "pmm": size is the number of nodes.
extern const TunableOperation pmmTunable;

/// Isotropic updates that are worth a thread: what a table has for so many nodes.
int updatesPerThread(const TuningTable &table, std::size_t valueBytes, std::size_t nodes);
inline constexpr int defaultUpdatesPerThread = 512;

/// How many threads are worth it for planes of so many nodes: fewer nodes take less time than the
/// threads need to wait for each other.
int marchingThreads(std::size_t nodesOfPlane, bool anisotropic, const CpuDevice &cpu,
                    int updatesPerThread = defaultUpdatesPerThread);

} // namespace gridhelm::solvers
