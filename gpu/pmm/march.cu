// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/pmm/march.h"

#include "core/solvers/pmm/media.h"
#include "gpu/pmm/tile_march.cuh"
#include "gpu/pmm/tile_step.cuh"
#include "gpu/support/cuda_error.h"
#include "gpu/support/device_attribute.h"

#include <algorithm>

namespace gridhelm::gpu {
namespace {

struct PlaneRange
{
    int first;
    int end;
};

/// Of the whole warp, into the sweep's report; that anything changed, into all devices'.
template <typename T>
__device__ void report(T largest, const MarchPlanes<T> &planes)
{
    for (int lanes = 16; lanes > 0; lanes /= 2)
        largest = DeviceMath<T>::max(largest, __shfl_xor_sync(allLanes, largest, lanes));
    if (threadIdx.x % 32 != 0 || !(largest > 0))
        return;
    atomicMax(&planes.outcome->largestChange,
              static_cast<unsigned long long>(
                  __double_as_longlong(static_cast<double>(largest)))); // positive: ordered as bits
    const int before = atomicMax(&planes.outcome->lastChange, planes.subSweep);
    for (int i = 0; before < planes.subSweep && i < planes.otherCount; ++i)
        SystemAtomic<int>(planes.others[i]->lastChange) // all write the same in a sub-sweep
            .store(planes.subSweep, cuda::memory_order_relaxed);
}

/// All warps see the same: no one changes anything then.
template <typename T>
__device__ bool hasNothingToDo(const MarchPlanes<T> &planes)
{
    const int since =
        DeviceAtomic<int>(planes.outcome->lastChange).load(cuda::memory_order_relaxed);
    return planes.skips && since <= planes.subSweep - subSweepsPerSweep;
}

/// A warp for each tile, and a plane after the other for all.
template <typename T, typename Medium, bool divided>
__global__ void __launch_bounds__(32 * warpsPerBlock, sizeof(T) == 8 ? 4 : 6)
    tileMarchKernel(const __grid_constant__ MarchPlanes<T> planes,
                    const __grid_constant__ Medium medium, const __grid_constant__ Tiling tiling)
{
    __shared__ TileTimes<T> times[warpsPerBlock];
    const int warp = static_cast<int>(threadIdx.x / 32);
    const int tile = static_cast<int>(blockIdx.x) * warpsPerBlock + warp;
    if (hasNothingToDo(planes) || tile >= tiling.count())
        return;
    TileMarch<T, divided> march(planes, tiling, tile, times[warp]);
    const T largest = march.run(medium);
    if (divided && march.isAbandoned())
        return;
    report(largest, planes);
}

template <typename T, typename Medium, bool divided>
__global__ void __launch_bounds__(32 * warpsPerBlock, sizeof(T) == 8 ? 4 : 6)
    marchKernel(const __grid_constant__ MarchPlanes<T> planes,
                const __grid_constant__ Medium medium, const __grid_constant__ Tiling tiling,
                const PlaneRange range)
{
    if (hasNothingToDo(planes))
        return;
    const int warps = static_cast<int>(gridDim.x) * warpsPerBlock;
    const int warp = static_cast<int>(blockIdx.x * warpsPerBlock + threadIdx.x / 32);
    T largest = 0;
    if (divided && range.first == 1) {
        for (int tile = warp; tile < tiling.count(); tile += warps)
            TileStep<T, divided>(planes, tiling, tile, 0).sendGiven();
    }
    for (int plane = range.first; plane < range.end; ++plane) {
        for (int tile = warp; tile < tiling.count(); tile += warps) {
            TileStep<T, divided> step(planes, tiling, tile, plane);
            largest = DeviceMath<T>::max(largest, step.run(medium));
            if (divided && __any_sync(allLanes, step.isAbandoned()))
                return;
        }
    }
    report(largest, planes);
}

/// Blocks of a kernel that fit on the device at the same time; found once for each device.
template <bool divided, typename Kernel>
int residentBlocks(Kernel kernel)
{
    static OncePerDevice blocks; // of each kernel: its type says all but whether it is divided
    return blocks([kernel] {
        int perMultiprocessor = 0;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, kernel,
                                                            32 * warpsPerBlock, 0),
              "tell how many blocks fit");
        return perMultiprocessor * deviceAttribute(cudaDevAttrMultiProcessorCount);
    });
}

constexpr unsigned blockThreads = 32 * warpsPerBlock;

unsigned blocksOf(const Tiling &tiling)
{
    return static_cast<unsigned>((tiling.count() + warpsPerBlock - 1) / warpsPerBlock);
}

/// Of those that march together, whatever the kernel.
int mostMarchingTiles()
{
    return 32 * deviceAttribute(cudaDevAttrMultiProcessorCount);
}

/// Of blocks that wait for each other, so all of them must be resident.
template <typename Kernel, typename... Parameter>
void launchTogether(Kernel kernel, unsigned blocks, const MarchLaunch &how, cudaStream_t stream,
                    const Parameter &...parameters)
{
    if (how.parts > 1) { // all parts' blocks are, and a cooperative launch may want to be alone
        kernel<<<blocks, blockThreads, 0, stream>>>(parameters...);
        checkLaunch("march through the planes");
        return;
    }
    void *arguments[] = {const_cast<Parameter *>(&parameters)...};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(kernel), dim3(blocks),
                                      dim3(blockThreads), arguments, 0, stream),
          "march through the planes");
}

template <bool divided, typename T, typename Medium>
void launch(const MarchPlanes<T> &planes, const Medium &medium, const MarchLaunch &how,
            cudaStream_t stream)
{
    const auto warpsOf = [&](auto kernel) {
        return std::max(residentBlocks<divided>(kernel) / how.parts, 1) * warpsPerBlock;
    };
    const bool mayWait = !how.perPlane && deviceAttribute(cudaDevAttrCooperativeLaunch) != 0;
    const auto tileMarch = tileMarchKernel<T, Medium, divided>;
    const int together = std::min(warpsOf(tileMarch), mostMarchingTiles());
    const Tiling chosen(planes.width, planes.rows, std::max(how.rowsOfTile, 1));
    const bool hasChosen = !divided && how.rowsOfTile > 0;
    // As all parts of a device decide: blocks of one kernel leave no room for those of another.
    const Tiling largest = tilingFor(planes.width, std::max(planes.rows, how.mostRows), together);
    if (mayWait && largest.count() <= together) {
        const Tiling tiling = hasChosen && chosen.count() <= together
                                  ? chosen
                                  : tilingFor(planes.width, planes.rows, together);
        launchTogether(tileMarch, blocksOf(tiling), how, stream, planes, medium, tiling);
        return;
    }
    const auto kernel = marchKernel<T, Medium, divided>;
    const Tiling tiling = tilingFor(planes.width, planes.rows, warpsOf(kernel));
    const auto resident = static_cast<unsigned>(warpsOf(kernel) / warpsPerBlock);
    const unsigned blocks = std::min(blocksOf(tiling), resident);
    if (mayWait) {
        launchTogether(kernel, blocks, how, stream, planes, medium, tiling,
                       PlaneRange{1, planes.planes});
        return;
    }
    for (int plane = 1; plane < planes.planes; ++plane)
        kernel<<<divided ? blocks : blocksOf(tiling), blockThreads, 0, stream>>>(
            planes, medium, tiling, PlaneRange{plane, plane + 1});
    checkLaunch("march through the planes");
}

} // namespace

std::size_t maxTiles(std::size_t width, std::size_t rows)
{
    return (width + tileWidth - 1) / tileWidth * rows;
}

template <typename T>
std::size_t messageBytes(std::size_t tiles)
{
    return std::min(tiles, static_cast<std::size_t>(mostMarchingTiles())) * 2 * messagesPerTile
           * sizeof(TileMessage<T>);
}

template std::size_t messageBytes<float>(std::size_t);
template std::size_t messageBytes<double>(std::size_t);

template <typename T>
void march(const MarchPlanes<T> &planes, const MarchMedium<T> &medium, const MarchLaunch &how,
           cudaStream_t stream)
{
    if (planes.planes < 2)
        return;
    const auto &c = planes.coefficients;
    const auto go = [&](const auto &kind) {
        if (planes.otherCount > 0)
            launch<true>(planes, kind, how, stream);
        else
            launch<false>(planes, kind, how, stream);
    };
    using Math = DeviceMath<T>;
    const T *a = medium.direction.data();
    if (!medium.anisotropic && !c[0])
        go(solvers::plain::ConstantIsotropicMedium<Math>(medium.constant[0]));
    else if (!medium.anisotropic)
        go(solvers::plain::VaryingIsotropicMedium<Math>(c[0]));
    else if (!c[0])
        go(solvers::plain::ConstantAnisotropicMedium<Math>(medium.constant[0], medium.constant[1],
                                                           a));
    else
        go(solvers::plain::VaryingAnisotropicMedium<Math>(c[0], c[1], a));
}

template void march<float>(const MarchPlanes<float> &, const MarchMedium<float> &,
                           const MarchLaunch &, cudaStream_t);
template void march<double>(const MarchPlanes<double> &, const MarchMedium<double> &,
                            const MarchLaunch &, cudaStream_t);

} // namespace gridhelm::gpu
