// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the kernels of `tuned` that are compiled in do at once.
#pragma once

#include <cstddef>

namespace gridhelm::gpu::jacobi {

/// Rows of a warp.
template <typename T>
inline constexpr int rowsOfWarp2D = 8;
template <>
inline constexpr int rowsOfWarp2D<double> = 4;
/// Small grids need more warps than that.
inline constexpr int rowsOfWarpSmall = 4;
/// As many as registers allow: a row beside the warp's is read twice.
template <typename T>
inline constexpr int rowsOfWarp3D = 4;
template <>
inline constexpr int rowsOfWarp3D<double> = 2;
inline constexpr int rowsOfWarpSmall3D = 2;
/// Few: blocks that run together should be near each other. What a block reads twice, the planes
/// beside its own, is then in the cache.
template <typename T>
inline constexpr int planesOfBlock3D = 4;
template <>
inline constexpr int planesOfBlock3D<double> = 16;
/// In double, of grids whose blocks are few.
inline constexpr int planesOfBlockSmall3D = 8;

/// Blocks of a multiprocessor, which limits the registers of a thread.
template <typename T>
constexpr int blocksAtOnce2D(int rows)
{
    return sizeof(T) == 8 ? 2 : rows <= rowsOfWarpSmall ? 4 : 3;
}
template <typename T>
constexpr int blocksAtOnce3D(int rows)
{
    return sizeof(T) == 4 && rows > rowsOfWarpSmall3D ? 2 : 1;
}

/// Whether there is a kernel for warps of so many rows, of any size.
template <typename T>
constexpr bool hasTunedRows(bool is3D, int rows)
{
    return is3D ? rows == rowsOfWarpSmall3D || rows == rowsOfWarp3D<T>
                : rows == rowsOfWarpSmall || rows == rowsOfWarp2D<T>;
}

} // namespace gridhelm::gpu::jacobi
