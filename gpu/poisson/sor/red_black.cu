// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the kernel of relax_rows.cuh covers a grid, and how values are laid out for it.
#include "gpu/poisson/sor/kernels.h"
#include "gpu/poisson/sor/relax_rows.cuh"
#include "gpu/support/dependent_launch.cuh"

#include <algorithm>
#include <utility>

namespace gridhelm::gpu::sor {
namespace {

constexpr int threadsOfBlock = RelaxLaunch::compiledThreads;

constexpr int rowsOfWarp = RelaxLaunch::fewRows;
constexpr int manyRows = RelaxLaunch::manyRows;

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
    const bool hasMany = launch.rows == manyRows;
    const auto [rows, most] = launch.variant ? std::pair(launch.rows, launch.threads)
                                             : std::pair(hasMany ? manyRows : rowsOfWarp,
                                                         std::min(launch.threads, threadsOfBlock));
    const unsigned warps = static_cast<unsigned>(most) / 32;
    unsigned beside = 1;
    while (beside < warps && beside < strips)
        beside *= 2;
    const dim3 threads(32 * beside, warps / beside);
    const unsigned across = divide(static_cast<int>(strips), static_cast<int>(beside));
    const int count = layers.end - layers.first;
    const unsigned up = divide(grid.is3D ? grid.ny : count, rows * static_cast<int>(threads.y));
    const auto in3D = hasMany ? relaxRows<T, manyRows, true, threadsOfBlock>
                              : relaxRows<T, rowsOfWarp, true, threadsOfBlock>;
    const auto in2D = hasMany ? relaxRows<T, manyRows, false, threadsOfBlock>
                              : relaxRows<T, rowsOfWarp, false, threadsOfBlock>;
    launchDependent(launch.variant.orElse(grid.is3D ? in3D : in2D),
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
