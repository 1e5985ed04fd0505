// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the GPUs that share the parallel marching method know of each other: where in the grid the
// memory of each lies, and at which addresses it is reached.
#pragma once

#include "core/solvers/pmm/pmm_partition.h"
#include "gpu/pmm/march.h"
#include "gpu/pmm/pmm_grid.h"

#include <array>
#include <cstddef>
#include <optional>

namespace gridhelm::gpu {

/// Some part of the grid with its rows along one axis, as on the CPU.
struct PmmPart
{
    PmmLayout layout;
    std::array<std::size_t, 3> axes;   ///< x (0), y (1), z (2) in the order of memory
    std::array<std::size_t, 3> first;  ///< its first brick, along x, y and z
    std::array<std::size_t, 3> bricks; ///< likewise
};

/// Of one share; empty where it has no slab.
struct PmmParts
{
    std::optional<PmmPart> alongX; ///< of the planes
    std::optional<PmmPart> alongY; ///< of the planes, x and y exchanged
    std::optional<PmmPart> ofRows;

    PmmParts(const std::array<std::size_t, 3> &nodes, const solvers::PmmSlabs &slabs,
             std::size_t index, std::size_t valueBytes);
};

/// Beginnings of allocations; null where there is none.
template <typename T>
struct PmmShareMemory
{
    T *planes = nullptr; ///< PmmParts::alongX
    T *rows = nullptr;   ///< PmmParts::ofRows
    std::array<T *, 2> planeCoefficients{}, rowCoefficients{};
    T *halos = nullptr;
    unsigned *progressBeyond = nullptr;
    int *changes = nullptr;
    MarchOutcome *outcome = nullptr;
};

template <typename T>
struct ReachedPmmShare
{
    PmmParts parts;
    PmmShareMemory<T> memory;
};

} // namespace gridhelm::gpu
