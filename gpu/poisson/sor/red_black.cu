// SPDX-License-Identifier: GPL-3.0-or-later
//
// Half a sweep of red-black SOR at the speed of memory. As Jacobi's tuned.cu: a warp asks for some
// rows of 128 values of a colour at once. Neighbours in y and z have the same place in their rows,
// those in x that place and the one before or after it.
#include "gpu/poisson/quad.h"
#include "gpu/poisson/sor/kernels.h"
#include "gpu/support/dependent_launch.cuh"

#include <algorithm>

namespace gridhelm::gpu::sor {
namespace {

constexpr int threadsOfBlock = RelaxLaunch().threads; // at most

constexpr int rowsOfWarp = RelaxLaunch().rows;
constexpr int manyRows = 4; // registers allow no more

/// h^2 f of the values m ... m + 3 of a row (j, k) of the grid's colour, which begins at unknown
/// `start`.
template <typename T>
__device__ Quad<T> sourceOf(const GridView<T> &grid, int m, int start, int j, int k)
{
    Quad<T> f{};
    if (grid.source != nullptr && m < grid.rowStride)
        f = loadQuad(grid.source + k * grid.planeStride + j * grid.rowStride + m);
    if (j == grid.spikeY && k == grid.spikeZ) {
#pragma unroll
        for (int q = 0; q < quadSize; ++q) {
            if (2 * (m + q) + start == grid.spikeX)
                f.v[q] = grid.spike;
        }
    }
    return f;
}

template <typename T, int Rows, bool Is3D>
__global__ void __launch_bounds__(threadsOfBlock)
    relaxRows(const GridView<T> grid, LayerRange layers, T *__restrict__ own,
              const T *__restrict__ other, int colour, unsigned across, T keep, T weight)
{
    waitForKernelBefore();
    const int lane = threadIdx.x % 32;
    const int m = ((blockIdx.x % across) * blockDim.x + threadIdx.x) * quadSize;
    // In 2D these are rows; one beyond them on each side is there, too.
    const int beginOfRows = Is3D ? 0 : layers.first;
    const int endOfRows = Is3D ? grid.ny : layers.end;
    const int firstRow = beginOfRows + (blockIdx.x / across * blockDim.y + threadIdx.y) * Rows;
    const int k = Is3D ? layers.first + blockIdx.y : 0;
    const int stripBegin = m - lane * quadSize;
    if (2 * stripBegin >= grid.nx || firstRow >= endOfRows)
        return;
    const auto readable = min(static_cast<std::ptrdiff_t>(m), grid.rowStride - quadSize);
    const int lowest = max(beginOfRows - 1, 0);
    const int highest = min(endOfRows, grid.ny - 1);
    const auto offset = [&](int j, int plane) {
        return min(max(plane, 0), grid.nz - 1) * grid.planeStride
               + min(max(j, lowest), highest) * grid.rowStride;
    };
    Quad<T> rows[Rows + 2], values[Rows], front[Rows], back[Rows];
    T edges[Rows];
#pragma unroll
    for (int r = 0; r < Rows + 2; ++r)
        rows[r] = loadQuad(other + offset(firstRow + r - 1, k) + readable);
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        const int j = firstRow + r;
        values[r] = loadQuad(own + offset(j, k) + readable);
        if (Is3D) {
            front[r] = loadQuad(other + offset(j, k - 1) + readable);
            back[r] = loadQuad(other + offset(j, k + 1) + readable);
        }
        // Beside the strip: before it, or after it.
        const bool beginsOdd = (colour + j + k) % 2 != 0;
        const int edge = beginsOdd ? stripBegin + stripSize : stripBegin - 1;
        const bool isMine = lane == (beginsOdd ? 31 : 0) && edge >= 0 && edge < grid.rowStride;
        edges[r] = isMine ? other[offset(j, k) + edge] : T(0);
    }
    const bool atSide = stripBegin == 0 || 2 * (stripBegin + stripSize) >= grid.nx;
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        const int j = firstRow + r;
        if (j >= endOfRows)
            break;
        const int start = (colour + j + k) % 2;
        const auto &centre = rows[r + 1];
        const auto &old = values[r];
        Quad<T> left = centre, right = centre;
        const auto beside = besideInStrip(centre, edges[r], lane);
        if (start == 0)
            left = beside.left;
        else
            right = beside.right;
        if (atSide) {
#pragma unroll
            for (int q = 0; q < quadSize; ++q) {
                const int i = 2 * (m + q) + start;
                if (i == 0)
                    left.v[q] = ghost(grid.sides[0], old.v[q]);
                if (i == grid.nx - 1)
                    right.v[q] = ghost(grid.sides[1], old.v[q]);
            }
        }
        const auto below = j == 0 ? ghost(grid.sides[2], old) : rows[r];
        const auto above = j == grid.ny - 1 ? ghost(grid.sides[3], old) : rows[r + 2];
        const auto f = sourceOf(grid, m, start, j, k);
        Quad<T> result;
#pragma unroll
        for (int q = 0; q < quadSize; ++q) {
            T sum = (left.v[q] + right.v[q]) + (below.v[q] + above.v[q]);
            if (Is3D)
                sum += (k == 0 ? ghost(grid.sides[4], old.v[q]) : front[r].v[q])
                       + (k == grid.nz - 1 ? ghost(grid.sides[5], old.v[q]) : back[r].v[q]);
            result.v[q] = keep * old.v[q] + weight * (sum + f.v[q]);
        }
        if (m < grid.rowStride)
            streamQuad(own + offset(j, k) + m, result);
    }
}

/// One thread for each unknown of these rows (2D) or planes (3D).
template <typename T, bool Splits>
__global__ void convert(const GridView<T> grid, LayerRange layers, T *plain,
                        std::ptrdiff_t plainStride, const Coloured<T> values)
{
    const int i = blockIdx.x % ((grid.nx + blockDim.x - 1) / blockDim.x) * blockDim.x + threadIdx.x;
    const int j =
        blockIdx.x / ((grid.nx + blockDim.x - 1) / blockDim.x) + (grid.is3D ? 0 : layers.first);
    if (i >= grid.nx)
        return;
    const int endOfPlanes = grid.is3D ? layers.end : 1;
    for (int k = blockIdx.y + (grid.is3D ? layers.first : 0); k < endOfPlanes; k += gridDim.y) {
        T *coloured = values.colours[(i + j + k) % 2] + k * grid.planeStride + j * grid.rowStride;
        T &one = plain[(static_cast<std::ptrdiff_t>(k) * grid.ny + j) * plainStride + i];
        if (Splits)
            coloured[i / 2] = one;
        else
            one = coloured[i / 2];
    }
}

template <typename T, bool Splits>
void launchConvert(const GridView<T> &grid, LayerRange layers, T *plain, const Coloured<T> &values,
                   cudaStream_t stream)
{
    constexpr unsigned threads = 256;
    const auto across = (static_cast<unsigned>(grid.nx) + threads - 1) / threads;
    const auto count = static_cast<unsigned>(layers.end - layers.first);
    const dim3 blocks(across * (grid.is3D ? static_cast<unsigned>(grid.ny) : count),
                      grid.is3D ? std::min(count, 65535U) : 1);
    convert<T, Splits><<<blocks, threads, 0, stream>>>(
        grid, layers, plain, paddedRow(static_cast<std::size_t>(grid.nx)), values);
    checkLaunch("lay out the colours");
}

} // namespace

template <typename T>
int redBlackThickness(const GridView<T> &grid)
{
    return grid.is3D ? 1 : rowsOfWarp;
}

template <typename T>
void relaxColour(const GridView<T> &grid, LayerRange layers, const Coloured<T> &values, int colour,
                 T keep, T weight, cudaStream_t stream, const RelaxLaunch &launch)
{
    const auto divide = [](int a, int b) { return static_cast<unsigned>((a + b - 1) / b); };
    const unsigned strips = divide((grid.nx + 1) / 2, stripSize);
    const unsigned warps = static_cast<unsigned>(std::min(launch.threads, threadsOfBlock)) / 32;
    const bool hasMany = launch.rows >= manyRows;
    unsigned beside = 1;
    while (beside < warps && beside < strips)
        beside *= 2;
    const dim3 threads(32 * beside, warps / beside);
    const unsigned across = divide(static_cast<int>(strips), static_cast<int>(beside));
    const int count = layers.end - layers.first;
    const unsigned up = divide(grid.is3D ? grid.ny : count,
                               (hasMany ? manyRows : rowsOfWarp) * static_cast<int>(threads.y));
    const auto in3D = hasMany ? relaxRows<T, manyRows, true> : relaxRows<T, rowsOfWarp, true>;
    const auto in2D = hasMany ? relaxRows<T, manyRows, false> : relaxRows<T, rowsOfWarp, false>;
    launchDependent(grid.is3D ? in3D : in2D,
                    dim3(across * up, grid.is3D ? static_cast<unsigned>(count) : 1), threads,
                    stream, "relax the unknowns", grid, layers, values.colours[colour],
                    values.colours[1 - colour], colour, across, keep, weight);
}

template <typename T>
void splitColours(const GridView<T> &grid, LayerRange layers, const T *plain,
                  const Coloured<T> &values, cudaStream_t stream)
{
    launchConvert<T, true>(grid, layers, const_cast<T *>(plain), values, stream);
}

template <typename T>
void mergeColours(const GridView<T> &grid, LayerRange layers, const Coloured<T> &values, T *plain,
                  cudaStream_t stream)
{
    launchConvert<T, false>(grid, layers, plain, values, stream);
}

template int redBlackThickness(const GridView<float> &);
template int redBlackThickness(const GridView<double> &);
template void relaxColour(const GridView<float> &, LayerRange, const Coloured<float> &, int, float,
                          float, cudaStream_t, const RelaxLaunch &);
template void relaxColour(const GridView<double> &, LayerRange, const Coloured<double> &, int,
                          double, double, cudaStream_t, const RelaxLaunch &);
template void splitColours(const GridView<float> &, LayerRange, const float *,
                           const Coloured<float> &, cudaStream_t);
template void splitColours(const GridView<double> &, LayerRange, const double *,
                           const Coloured<double> &, cudaStream_t);
template void mergeColours(const GridView<float> &, LayerRange, const Coloured<float> &, float *,
                           cudaStream_t);
template void mergeColours(const GridView<double> &, LayerRange, const Coloured<double> &, double *,
                           cudaStream_t);

} // namespace gridhelm::gpu::sor
