// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/stencil/cuda_part.h"

#include "core/stencil/stencil_data.h"
#include "core/support/error.h"
#include "gpu/support/device_attribute.h"
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
constexpr unsigned warpsOfPass = 4;           // of a block of iterateSeveral()

unsigned blocksFor(long long size, long long block)
{
    return static_cast<unsigned>((size + block - 1) / block);
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
CudaPart<T>::CudaPart(const stencil::StencilPiece &piece, const std::string &cubin,
                      const GpuDevice &gpu, const CpuDevice &cpu)
    : stencil::StencilPart<T>(piece)
    , m_gpu(gpu)
    , m_code(cudaDeviceCode(piece.whole()))
    , m_layout(stencil::paddedLayout(piece.stencil(), sizeof(T)))
    , m_grid(gridOf(piece.stencil(), m_layout))
    , m_lists(m_code.lists + 3)
{
    const auto &stencil = this->stencil();
    const auto &whole = piece.whole();
    const auto *n = m_grid.points;
    const bool is3D = stencil.dimension == 3;
    const auto rows = is3D ? n[1] : (n[1] + m_code.unknowns - 1) / m_code.unknowns;
    m_blocks = dim3(blocksFor(n[0], static_cast<long long>(m_code.block[0]) * m_code.width),
                    blocksFor(rows, static_cast<long long>(m_code.block[1]) * m_code.rowsAtOnce),
                    is3D ? blocksFor(n[2], m_code.unknowns) : 1);
    requireFitting();
    const OnGpu scope(m_gpu);
    requireDeviceMemory(m_layout.size * sizeof(T) * static_cast<std::size_t>(listsOf(stencil)),
                        "the grid of the stencil");
    m_device.emplace(cubin, m_code.levels > 1);
    if (m_code.levels > 1)
        choosePatches();
    m_present = added();
    m_next = added();
    set(m_present, whole.start, cpu);
    for (std::size_t c = 0; c < whole.coefficients.size(); ++c) {
        auto *list = added();
        set(list, whole.coefficients[c], cpu);
        m_lists[c] = std::bit_cast<std::uintptr_t>(list);
    }
    if (whole.source.field) {
        auto *list = added();
        set(list, *whole.source.field, cpu);
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
CudaPart<T>::~CudaPart()
{
    try {
        const OnGpu scope(m_gpu);
        m_device.reset();
    } catch (const DeviceError &) { // it is lost, and with it all that it held
    }
}

/// What a launch may have, and what followValues() counts in 32 bits.
template <typename T>
void CudaPart<T>::requireFitting() const
{
    constexpr long long mostBlocks = 65535, mostThreads = 0xFFFFFFFF;
    const auto *n = m_grid.points;
    const long long ghosts = 2 * ghostsOf(this->stencil());
    const auto lines = this->stencil().dimension == 3 ? std::max(n[1], n[2]) + ghosts : 1;
    if (std::max(
            {static_cast<long long>(m_blocks.y), static_cast<long long>(m_blocks.z), lines / 4})
            > mostBlocks
        || (n[0] + ghosts) * ghosts * lines > mostThreads)
        throw BackendError("the code for GPUs is for grids that are shorter in y and z; choose "
                           "fewer points there, or the CPU");
}

template <typename T>
T *CudaPart<T>::added()
{
    constexpr std::size_t behind = 64 / sizeof(T); // vectors may end behind the last value
    auto &list = m_device->lists.emplace_back(m_layout.size + behind);
    check(cudaMemsetAsync(list.data(), 0, list.bytes(), m_device->stream), "clear its memory");
    return list.data() + m_layout.first;
}

template <typename T>
void CudaPart<T>::set(T *list, const ScalarField &field, const CpuDevice &cpu)
{
    const auto values = this->piece().template valuesOf<T>(field, cpu);
    take(values.data(), list, this->allLayers());
    m_device->stream.wait("take values");
}

template <typename T>
void CudaPart<T>::take(const T *from, T *list, const Layers &layers)
{
    const auto &n = this->stencil().points;
    const bool is3D = this->stencil().dimension == 3;
    const auto rows = is3D ? n[1] : layers.count;
    for (std::size_t k = 0; k < (is3D ? layers.count : 1); ++k)
        check(cudaMemcpy2DAsync(list + (layers.begin + k) * layerStride(),
                                m_layout.rowStride * sizeof(T), from + k * n[0] * rows,
                                n[0] * sizeof(T), n[0] * sizeof(T), rows, cudaMemcpyHostToDevice,
                                m_device->stream),
              "take values");
}

template <typename T>
std::size_t CudaPart<T>::layerStride() const
{
    return this->stencil().dimension == 3 ? m_layout.planeStride : m_layout.rowStride;
}

template <typename T>
std::size_t CudaPart<T>::ghostsBefore() const
{
    const bool is3D = this->stencil().dimension == 3;
    const auto rows = is3D ? static_cast<std::size_t>(ghostsOf(this->stencil())) : 0;
    return 64 / sizeof(T) + rows * m_layout.rowStride;
}

template <typename T>
void CudaPart<T>::read(const Layers &layers, T *to) const
{
    const OnGpu scope(m_gpu);
    const auto &n = this->stencil().points;
    const bool is3D = this->stencil().dimension == 3;
    const auto rows = is3D ? n[1] : layers.count;
    for (std::size_t k = 0; k < (is3D ? layers.count : 1); ++k)
        check(cudaMemcpy2DAsync(to + k * n[0] * rows, n[0] * sizeof(T),
                                m_present + (layers.begin + k) * layerStride(),
                                m_layout.rowStride * sizeof(T), n[0] * sizeof(T), rows,
                                cudaMemcpyDeviceToHost, m_device->stream),
              "return values");
    m_device->stream.wait("return values");
}

template <typename T>
void CudaPart<T>::write(const Layers &layers, const T *from)
{
    const OnGpu scope(m_gpu);
    take(from, m_present, layers);
    setAllGhosts(m_present);
    m_ghostsAreOld = false;
    m_device->iterated.record(m_device->stream);
    m_device->stream.wait("take values");
}

template <typename T>
bool CudaPart<T>::send(const Layers &layers, stencil::StencilPart<T> &to, std::size_t at)
{
    auto *other = dynamic_cast<CudaPart *>(&to);
    if (other == nullptr)
        return false;
    const OnGpu scope(m_gpu);
    renewGhosts();
    const auto bytes = layers.count * layerStride() * sizeof(T);
    const auto found = m_device->ways.find(other);
    auto &way =
        found != m_device->ways.end()
            ? found->second
            : m_device->ways.emplace(other, PeerCopy(m_gpu, other->m_gpu, bytes, PeerRoute::best))
                  .first->second;
    // With all ghosts that are in them: those of layers that a neighbour owns are right.
    m_device->stream.waitFor(other->m_device->iterated);
    way.enqueue(m_present + layers.begin * layerStride() - ghostsBefore(),
                other->m_present + at * layerStride() - ghostsBefore(), bytes, m_device->stream);
    m_device->sent.record(m_device->stream);
    const OnGpu there(other->m_gpu);
    other->m_device->stream.waitFor(m_device->sent);
    return true;
}

template <typename T>
void CudaPart<T>::setAllGhosts(T *list)
{
    const bool is3D = this->stencil().dimension == 3;
    const long long ghosts = 2 * ghostsOf(this->stencil());
    for (int axis = 0; axis < this->stencil().dimension; ++axis) {
        const dim3 block(32, 4);
        const dim3 blocks(blocksFor(m_grid.points[axis == 0 ? 1 : 0] + ghosts, block.x),
                          is3D ? blocksFor(m_grid.points[axis == 2 ? 1 : 2] + ghosts, block.y) : 1);
        void *arguments[]{&list, &m_grid, &axis};
        launch(m_device->setGhosts, blocks, block, arguments, m_device->stream);
    }
}

template <typename T>
void CudaPart<T>::followGhosts(T *list)
{
    constexpr unsigned threads = 256;
    const bool is3D = this->stencil().dimension == 3;
    const long long ghosts = 2 * ghostsOf(this->stencil());
    const auto lines = is3D ? std::max(m_grid.points[1], m_grid.points[2]) : 1;
    const dim3 blocks(blocksFor((m_grid.points[0] + ghosts) * ghosts * lines, threads),
                      is3D ? 2 : 1);
    void *arguments[]{&list, &m_grid};
    launch(m_device->followValues, blocks, dim3(threads), arguments, m_device->stream);
}

template <typename T>
void CudaPart<T>::iterateOnce(const T *from, T *to, T factor)
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
void CudaPart<T>::iterateSeveral(const T *from, T *to, T factor)
{
    std::memcpy(&m_lists[m_code.lists + 1], &factor, sizeof(factor));
    void *arguments[]{&from, &to, &m_grid, m_lists.data(), &m_passRows};
    launch(m_device->iterateSeveral, m_passBlocks, dim3(32, warpsOfPass), arguments,
           m_device->stream);
}

/// Three rounds of warps, but patches that are not too low: their ends are made twice.
template <typename T>
void CudaPart<T>::choosePatches()
{
    const long long warps = 3 * 16LL * deviceAttribute(cudaDevAttrMultiProcessorCount);
    const long long strips = blocksFor(m_grid.points[0], m_code.stripWidth);
    const auto patches = std::max(1LL, warps / strips);
    m_passRows =
        static_cast<int>(std::max(8LL * m_code.levels, (m_grid.points[1] + patches - 1) / patches));
    m_passBlocks = dim3(blocksFor(strips * blocksFor(m_grid.points[1], m_passRows), warpsOfPass));
}

/// Passes leave them as they were.
template <typename T>
void CudaPart<T>::renewGhosts()
{
    if (m_ghostsAreOld && m_code.ghostsMove)
        setAllGhosts(m_present);
    m_ghostsAreOld = false;
}

template <typename T>
void CudaPart<T>::iterate(std::uint64_t iterations, T factor)
{
    const OnGpu scope(m_gpu);
    const auto levels = static_cast<std::uint64_t>(m_code.levels);
    for (; levels > 1 && iterations >= levels; iterations -= levels) {
        iterateSeveral(m_present, m_next, factor);
        std::swap(m_present, m_next);
        m_ghostsAreOld = true;
    }
    if (iterations > 0)
        renewGhosts();
    for (; iterations > 0; --iterations) {
        iterateOnce(m_present, m_next, factor);
        std::swap(m_present, m_next);
    }
    m_device->iterated.record(m_device->stream);
}

template <typename T>
double CudaPart<T>::advance(std::uint64_t iterations, T factor)
{
    iterate(iterations - 1, factor);
    iterate(1, factor); // alone: its change is asked for
    return lastChange(this->allLayers()).largest;
}

template <typename T>
auto CudaPart<T>::lastChange(const Layers &layers) -> Change
{
    return changeBetween(m_next, m_present, layers);
}

template <typename T>
auto CudaPart<T>::nextChange(const Layers &layers, T factor) -> Change
{
    const OnGpu scope(m_gpu);
    renewGhosts();
    iterateOnce(m_present, m_next, factor);
    return changeBetween(m_present, m_next, layers);
}

template <typename T>
auto CudaPart<T>::changeBetween(const T *before, const T *after, const Layers &layers) -> Change
{
    const OnGpu scope(m_gpu);
    auto grid = m_grid;
    grid.points[layerAxis(this->stencil())] = static_cast<long long>(layers.count);
    const auto first = layers.begin * layerStride();
    const auto found = gpu::changeBetween(before + first, after + first, grid, m_device->reduction,
                                          m_device->stream);
    return {found.largestChange, found.squaredResidual};
}

template class CudaPart<float>;
template class CudaPart<double>;

} // namespace gridhelm::gpu
