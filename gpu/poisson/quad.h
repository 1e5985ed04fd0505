// SPDX-License-Identifier: GPL-3.0-or-later
//
// Four unknowns side by side, which is what one thread has of a row: a warp has a strip of 128.
// For nvcc and NVRTC alone.
#pragma once

#include "gpu/poisson/device_grid.h"

namespace gridhelm::gpu {

inline constexpr int quadSize = 4;
inline constexpr int stripSize = 32 * quadSize;

template <typename T>
struct Quad
{
    T v[quadSize];
};

/// Aligned to 16 bytes, as all quads are that begin at a multiple of 4 of a padded row.
__device__ inline Quad<float> loadQuad(const float *from)
{
    const float4 a = *reinterpret_cast<const float4 *>(from);
    return {{a.x, a.y, a.z, a.w}};
}
__device__ inline Quad<double> loadQuad(const double *from)
{
    const double2 a = *reinterpret_cast<const double2 *>(from);
    const double2 b = *reinterpret_cast<const double2 *>(from + 2);
    return {{a.x, a.y, b.x, b.y}};
}

/// For values that are not read again soon.
__device__ inline void streamQuad(float *to, const Quad<float> &q)
{
    __stcs(reinterpret_cast<float4 *>(to), make_float4(q.v[0], q.v[1], q.v[2], q.v[3]));
}
__device__ inline void streamQuad(double *to, const Quad<double> &q)
{
    __stcs(reinterpret_cast<double2 *>(to), make_double2(q.v[0], q.v[1]));
    __stcs(reinterpret_cast<double2 *>(to + 2), make_double2(q.v[2], q.v[3]));
}
__device__ inline void storeQuad(float *to, const Quad<float> &q)
{
    *reinterpret_cast<float4 *>(to) = make_float4(q.v[0], q.v[1], q.v[2], q.v[3]);
}
__device__ inline void storeQuad(double *to, const Quad<double> &q)
{
    *reinterpret_cast<double2 *>(to) = make_double2(q.v[0], q.v[1]);
    *reinterpret_cast<double2 *>(to + 2) = make_double2(q.v[2], q.v[3]);
}

template <typename T>
__device__ T ghost(const Ghost<T> &side, T inside)
{
    return side.own * inside + side.added;
}

template <typename T>
__device__ Quad<T> ghost(const Ghost<T> &side, const Quad<T> &inside)
{
    Quad<T> result;
#pragma unroll
    for (int q = 0; q < quadSize; ++q)
        result.v[q] = ghost(side, inside.v[q]);
    return result;
}

/// The values left and right of a quad.
template <typename T>
struct Beside
{
    Quad<T> left;
    Quad<T> right;
};

/// Within a strip; lane 0's left and lane 31's right value is `edge`. The whole warp takes part.
template <typename T>
__device__ Beside<T> besideInStrip(const Quad<T> &centre, T edge, int lane)
{
    T left = __shfl_up_sync(~0U, centre.v[quadSize - 1], 1);
    T right = __shfl_down_sync(~0U, centre.v[0], 1);
    if (lane == 0)
        left = edge;
    if (lane == 31)
        right = edge;
    return {{{left, centre.v[0], centre.v[1], centre.v[2]}},
            {{centre.v[1], centre.v[2], centre.v[3], right}}};
}

/// Replaces what lies beyond the sides in x; `column` is that of the first value.
template <typename T>
__device__ void setXGhosts(Beside<T> &beside, const Quad<T> &centre, const GridView<T> &grid,
                           int column)
{
    if (column == 0)
        beside.left.v[0] = ghost(grid.sides[0], centre.v[0]);
#pragma unroll
    for (int q = 0; q < quadSize; ++q) {
        if (column + q == grid.nx - 1)
            beside.right.v[q] = ghost(grid.sides[1], centre.v[q]);
    }
}

/// Whether setXGhosts() changes anything in the strip that begins at this column.
template <typename T>
__device__ bool stripMeetsSide(const GridView<T> &grid, int stripBegin)
{
    return stripBegin <= 0 || stripBegin + stripSize >= grid.nx;
}

} // namespace gridhelm::gpu
