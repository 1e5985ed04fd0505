// SPDX-License-Identifier: GPL-3.0-or-later
//
// u_new of four unknowns side by side. For nvcc and NVRTC alone.
#pragma once

#include "gpu/poisson/quad.h"

namespace gridhelm::gpu::jacobi {

/// An unknown's neighbours in y and z; in 2D the last two mean nothing.
template <typename T>
struct Across
{
    Quad<T> below, above;
    Quad<T> front, back;
};

/// What one thread has found so far.
template <typename T>
struct Found
{
    double squaredResidual = 0;
    T largestChange = 0;
};

/// h^2 f of the quad that begins at column i of row (j, k).
template <typename T>
__device__ Quad<T> sourceQuad(const GridView<T> &grid, int i, int j, int k)
{
    Quad<T> f{};
    if (grid.source != nullptr && i < grid.rowStride)
        f = loadQuad(grid.source + k * grid.planeStride + j * grid.rowStride + i);
    if (j == grid.spikeY && k == grid.spikeZ) {
#pragma unroll
        for (int q = 0; q < quadSize; ++q) {
            if (i + q == grid.spikeX)
                f.v[q] = grid.spike;
        }
    }
    return f;
}

template <typename T, bool Is3D>
__device__ Quad<T> updatedQuad(const Beside<T> &beside, const Across<T> &across, const Quad<T> &f)
{
    Quad<T> result;
#pragma unroll
    for (int q = 0; q < quadSize; ++q) {
        T sum = (beside.left.v[q] + beside.right.v[q]) + (across.below.v[q] + across.above.v[q]);
        if (Is3D)
            sum += across.front.v[q] + across.back.v[q];
        result.v[q] = (sum + f.v[q]) * (Is3D ? T(1) / T(6) : T(1) / T(4));
    }
    return result;
}

/// Adds h^2 r of the old values and what has changed; i: column of the first. The residual is as
/// good as in double without double arithmetic: it is the sum of the differences to the neighbours,
/// which are exact for neighbours that are alike (Sterbenz), and whose sum is then as good as
/// exact.
template <typename T, bool Is3D>
__device__ void examine(Found<T> &found, const Quad<T> &centre, const Quad<T> &updated,
                        const Beside<T> &beside, const Across<T> &across, const Quad<T> &f, int i,
                        int nx)
{
    T squares = 0;
#pragma unroll
    for (int q = 0; q < quadSize; ++q) {
        const T u = centre.v[q];
        T r = ((beside.left.v[q] - u) + (beside.right.v[q] - u))
              + ((across.below.v[q] - u) + (across.above.v[q] - u));
        if (Is3D)
            r += (across.front.v[q] - u) + (across.back.v[q] - u);
        r += f.v[q];
        if (i + q < nx) {
            squares = fma(r, r, squares);
            found.largestChange = max(found.largestChange, abs(updated.v[q] - u));
        }
    }
    found.squaredResidual += squares;
}

} // namespace gridhelm::gpu::jacobi
