// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the kernels of Jacobi and SOR know of a problem: passed to them by value. Also compiled
// while the program runs (gpu/support/kernel_variant.h).
#pragma once

#include <cstddef>

namespace gridhelm::gpu {

/// The neighbour beyond a side is own * (value of the unknown beside it) + added.
template <typename T>
struct Ghost
{
    T own = 0;
    T added = 0;
    bool operator==(const Ghost &) const = default;
};

/// Rows without ghosts, padded to whole cache lines; row (j, k) begins at j * rowStride + k *
/// planeStride. The padding may be read and written, and means nothing.
template <typename T>
struct GridView
{
    bool is3D = false; ///< also with a single plane
    int nx = 1, ny = 1, nz = 1;
    std::ptrdiff_t rowStride = 0; ///< in values
    std::ptrdiff_t planeStride = 0;
    Ghost<T> sides[6];         ///< as solvers::Side
    const T *source = nullptr; ///< h^2 f, laid out like the values, or null
    int spikeX = -1, spikeY = -1, spikeZ = -1;
    T spike = 0; ///< h^2 f at that unknown; there is none at -1
    bool operator==(const GridView &) const = default;
};

/// Values of a row of `points` unknowns in memory: an odd number of stretches of 32, so that rows
/// do not meet in the same sets of a cache and channels of memory.
constexpr std::ptrdiff_t paddedRow(std::size_t points)
{
    return static_cast<std::ptrdiff_t>(((points + 31) / 32 | 1) * 32);
}

} // namespace gridhelm::gpu
