// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the CPU does with whole grids of times and coefficients besides marching.
#pragma once

#include "core/execution/device.h"
#include "core/solvers/padded_grid.h"
#include "core/solvers/pmm/pmm_run.h"

#include <array>
#include <cstddef>
#include <span>

namespace gridhelm::solvers {

/// One value of each node. Sub-sweeps along x need rows along another axis than x: neighbouring
/// lanes are nodes of one plane.
template <typename T>
struct PmmGrids
{
    PaddedGrid<T> alongX;
    PaddedGrid<T> alongY; ///< x and y exchanged
};

template <typename T>
PmmGrids<T> makePmmGrids(const std::array<std::size_t, 3> &nodes, const CpuDevice &cpu);

/// Values that a grid of so many nodes takes in memory, for each node.
template <typename T>
double paddedValuesPerNode(const std::array<std::size_t, 3> &nodes);
/// Of both grids.
template <typename T>
double gridValuesPerNode(const std::array<std::size_t, 3> &nodes);

/// Ghosts included.
template <typename T>
void fillAll(PaddedGrid<T> &grid, T value, const CpuDevice &cpu);

/// One z plane with x and y exchanged, in blocks that stay in cache.
template <typename T>
void exchangeXY(const PaddedGrid<T> &from, PaddedGrid<T> &to, std::size_t plane);

/// Times of a grid, x fastest without padding, infinite where not reached; and back.
template <typename T>
void takeTimes(std::span<const T> times, PaddedGrid<T> &grid);
template <typename T>
void giveTimes(const PaddedGrid<T> &grid, std::span<T> times);

/// The first node of a whole row.
struct RowPosition
{
    std::size_t j = 0;
    std::size_t k = 0;
};
/// So many whole rows of a plane.
template <typename T>
void copyRows(const PaddedGrid<T> &from, RowPosition source, PaddedGrid<T> &to, RowPosition target,
              std::size_t rows);

/// The coefficients of a varying medium at the nodes of a grid whose first node is `first` in the
/// problem's grid.
template <typename T>
void setCoefficients(const PmmRun &run, const std::array<std::size_t, 3> &first,
                     std::array<PaddedGrid<T> *, 2> grids, const CpuDevice &cpu);

} // namespace gridhelm::solvers
