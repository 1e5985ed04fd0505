// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/stencil/cuda_iterations.h"

#include "core/stencil/stencil_data.h"
#include "core/support/error.h"
#include "gpu/support/on_gpu.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace gridhelm::gpu {
namespace {

using stencil::ScalarField;
using stencil::Stencil;

constexpr unsigned long long noSpike = ~0ULL; // -1

unsigned blocksFor(long long size, long long block)
{
    return static_cast<unsigned>((size + block - 1) / block);
}

long long radiusFor(const Stencil &stencil)
{
    return std::max(1, radiusOf(stencil));
}

StencilGrid gridOf(const Stencil &stencil, const stencil::PaddedLayout &layout)
{
    StencilGrid grid{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        grid.points[axis] = static_cast<long long>(stencil.points[axis]);
    grid.strides[0] = 1;
    grid.strides[1] = static_cast<long long>(layout.rowStride);
    grid.strides[2] = static_cast<long long>(layout.planeStride);
    return grid;
}

} // namespace

template <typename T>
CudaIterations<T>::CudaIterations(const Stencil &stencil, const std::string &cubin,
                                  const GpuDevice &gpu, const CpuDevice &cpu)
    : m_stencil(stencil)
    , m_gpu(gpu)
    , m_code(cudaDeviceCode(stencil))
    , m_layout(stencil::paddedLayout(stencil, sizeof(T)))
    , m_grid(gridOf(stencil, m_layout))
    , m_lists(m_code.lists + 3)
{
    const auto *n = m_grid.points;
    const bool is3D = stencil.dimension == 3;
    const auto rows = is3D ? n[1] : (n[1] + m_code.unknowns - 1) / m_code.unknowns;
    m_blocks = dim3(blocksFor(n[0], static_cast<long long>(m_code.block[0]) * m_code.width),
                    blocksFor(rows, m_code.block[1]), is3D ? blocksFor(n[2], m_code.unknowns) : 1);
    requireFitting();
    const OnGpu scope(m_gpu);
    requireDeviceMemory(m_layout.size * sizeof(T) * static_cast<std::size_t>(listsOf(stencil)),
                        "the grid of the stencil");
    m_device.emplace(cubin);
    m_present = added();
    m_next = added();
    set(m_present, stencil.start, cpu);
    for (std::size_t c = 0; c < stencil.coefficients.size(); ++c) {
        auto *list = added();
        set(list, stencil.coefficients[c], cpu);
        m_lists[c] = std::bit_cast<std::uintptr_t>(list);
    }
    if (stencil.source.field) {
        auto *list = added();
        set(list, *stencil.source.field, cpu);
        m_lists[m_code.lists] = std::bit_cast<std::uintptr_t>(list);
    }
    m_lists.back() = noSpike;
    if (const auto &spike = stencil.source.spike)
        m_lists.back() =
            (*spike)[0] + (*spike)[1] * m_layout.rowStride + (*spike)[2] * m_layout.planeStride;
    setAllGhosts(m_present);
    setAllGhosts(m_next);
    m_device->stream.wait("set what is beyond the sides");
}

template <typename T>
CudaIterations<T>::~CudaIterations()
{
    try {
        const OnGpu scope(m_gpu);
        m_device.reset();
    } catch (const DeviceError &) { // it is lost, and with it all that it held
    }
}

/// What a launch may have, and what followValues() counts in 32 bits.
template <typename T>
void CudaIterations<T>::requireFitting() const
{
    constexpr long long mostBlocks = 65535, mostThreads = 0xFFFFFFFF;
    const auto *n = m_grid.points;
    const auto ghosts = 2 * radiusFor(m_stencil);
    const auto lines = m_stencil.dimension == 3 ? std::max(n[1], n[2]) + ghosts : 1;
    if (std::max(
            {static_cast<long long>(m_blocks.y), static_cast<long long>(m_blocks.z), lines / 4})
            > mostBlocks
        || (n[0] + ghosts) * ghosts * lines > mostThreads)
        throw BackendError("the code for GPUs is for grids that are shorter in y and z; choose "
                           "fewer points there, or the CPU");
}

template <typename T>
T *CudaIterations<T>::added()
{
    constexpr std::size_t behind = 64 / sizeof(T); // vectors may end behind the last value
    auto &list = m_device->lists.emplace_back(m_layout.size + behind);
    check(cudaMemsetAsync(list.data(), 0, list.bytes(), m_device->stream), "clear its memory");
    return list.data() + m_layout.first;
}

template <typename T>
void CudaIterations<T>::set(T *list, const ScalarField &field, const CpuDevice &cpu)
{
    const auto values = stencil::valuesOf<T>(m_stencil, field, cpu);
    const auto &n = m_stencil.points;
    for (std::size_t k = 0; k < n[2]; ++k)
        check(cudaMemcpy2DAsync(list + k * m_layout.planeStride, m_layout.rowStride * sizeof(T),
                                values.data() + k * n[0] * n[1], n[0] * sizeof(T), n[0] * sizeof(T),
                                n[1], cudaMemcpyHostToDevice, m_device->stream),
              "take values");
    m_device->stream.wait("take values");
}

template <typename T>
void CudaIterations<T>::copyTo(std::vector<T> &values) const
{
    const OnGpu scope(m_gpu);
    const auto &n = m_stencil.points;
    values.resize(m_stencil.count());
    for (std::size_t k = 0; k < n[2]; ++k)
        check(cudaMemcpy2DAsync(values.data() + k * n[0] * n[1], n[0] * sizeof(T),
                                m_present + k * m_layout.planeStride,
                                m_layout.rowStride * sizeof(T), n[0] * sizeof(T), n[1],
                                cudaMemcpyDeviceToHost, m_device->stream),
              "return values");
    m_device->stream.wait("return values");
}

template <typename T>
void CudaIterations<T>::setAllGhosts(T *list)
{
    const bool is3D = m_stencil.dimension == 3;
    const auto ghosts = 2 * radiusFor(m_stencil);
    for (int axis = 0; axis < m_stencil.dimension; ++axis) {
        const dim3 block(32, 4);
        const dim3 blocks(blocksFor(m_grid.points[axis == 0 ? 1 : 0] + ghosts, block.x),
                          is3D ? blocksFor(m_grid.points[axis == 2 ? 1 : 2] + ghosts, block.y) : 1);
        void *arguments[]{&list, &m_grid, &axis};
        launch(m_device->setGhosts, blocks, block, arguments, m_device->stream);
    }
}

template <typename T>
void CudaIterations<T>::followGhosts(T *list)
{
    constexpr unsigned threads = 256;
    const bool is3D = m_stencil.dimension == 3;
    const auto ghosts = 2 * radiusFor(m_stencil);
    const auto lines = is3D ? std::max(m_grid.points[1], m_grid.points[2]) : 1;
    const dim3 blocks(blocksFor((m_grid.points[0] + ghosts) * ghosts * lines, threads),
                      is3D ? 2 : 1);
    void *arguments[]{&list, &m_grid};
    launch(m_device->followValues, blocks, dim3(threads), arguments, m_device->stream);
}

template <typename T>
void CudaIterations<T>::iterate(const T *from, T *to, T factor)
{
    std::memcpy(&m_lists[m_code.lists + 1], &factor, sizeof(factor));
    void *arguments[]{&from, &to, &m_grid, m_lists.data()};
    launch(m_device->iterate, m_blocks,
           dim3(static_cast<unsigned>(m_code.block[0]), static_cast<unsigned>(m_code.block[1])),
           arguments, m_device->stream);
    if (m_code.ghostsMove)
        followGhosts(to);
}

template <typename T>
double CudaIterations<T>::advance(std::uint64_t iterations, T factor)
{
    const OnGpu scope(m_gpu);
    for (; iterations > 0; --iterations) {
        iterate(m_present, m_next, factor);
        std::swap(m_present, m_next);
    }
    return changeBetween(m_next, m_present, m_grid, m_device->reduction, m_device->stream)
        .largestChange;
}

template <typename T>
double CudaIterations<T>::residual(T factor)
{
    const OnGpu scope(m_gpu);
    iterate(m_present, m_next, factor);
    return std::sqrt(changeBetween(m_present, m_next, m_grid, m_device->reduction, m_device->stream)
                         .squaredResidual);
}

template class CudaIterations<float>;
template class CudaIterations<double>;

} // namespace gridhelm::gpu
