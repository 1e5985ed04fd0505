// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/cartesian.h"

#include "gpu/sparse/any_state.cuh"
#include "gpu/support/device_attribute.h"

#include <algorithm>
#include <map>
#include <span>

namespace gridhelm::gpu {

namespace {

using sparse::DimensionBasis;

constexpr unsigned warp = 32;
constexpr unsigned threads = 256;

/// The one function of every state whose support holds a coordinate of an axis.
template <typename T>
struct AxisTable
{
    const T *values; ///< of state s at coordinate i: [s * length + i]
    const std::uint32_t *positions;
    std::uint32_t length;
    int states;
};

template <typename T>
__global__ void tabulateAxis(DimensionBasis basis, int states, const T *coordinates,
                             std::uint32_t length, T *values, std::uint32_t *positions)
{
    const auto i = blockIdx.x * threads + threadIdx.x;
    if (i >= length)
        return;
    for (int state = 0; state < states; ++state) {
        const auto function = anyState(basis, state, coordinates[i]);
        values[state * length + i] = function.value;
        positions[state * length + i] = function.position;
    }
}

/// Stage 1: a row for every pole of the last dimension.
template <typename T>
__global__ void evaluateRows(const PictureColumn *columns, const std::uint32_t *columnOfRow,
                             const std::uint64_t *offsets, DimensionBasis basis, AxisTable<T> axis,
                             const T *__restrict__ nodeValues, T *rows)
{
    const auto row = blockIdx.x;
    const auto column = columns[columnOfRow[row]];
    const std::uint64_t pole = row - column.firstRow;
    for (auto i = blockIdx.y * blockDim.x + threadIdx.x; i < axis.length;
         i += gridDim.y * blockDim.x) {
        T sum = 0;
        for (int state = 0; state < column.lastStates; ++state) {
            const T *node = nodeValues + offsets[column.firstOffset + state]
                            + (pole << sparse::bitsOfState(basis, state));
            sum += axis.values[state * axis.length + i]
                   * node[axis.positions[state * axis.length + i]];
        }
        rows[static_cast<std::size_t>(row) * axis.length + i] = sum;
    }
}

template <typename T>
struct PictureStage
{
    const PictureColumn *columns;
    const std::uint32_t *columnBegin; ///< by middle state
    const std::uint32_t *entryBegin;
    const std::uint8_t *stateOfEntry;
    std::uint32_t entries;
    AxisTable<T> slow, middle;
    const T *rows;
    std::uint32_t width;
    std::uint32_t firstSlow;
    T *out;
};

/// Stages 2 and 3: a block makes a tile of warp * perThread values wide at one slow coordinate.
template <typename T, int perThread>
__global__ void __launch_bounds__(threads)
    evaluatePicture(const __grid_constant__ PictureStage<T> stage)
{
    extern __shared__ double sharedMemory[];
    T *const pole = reinterpret_cast<T *>(sharedMemory);
    constexpr unsigned tile = warp * perThread;
    const auto lane = threadIdx.x % warp, group = threadIdx.x / warp;
    const auto slow = stage.firstSlow + blockIdx.y;
    const auto begin = blockIdx.x * tile;
    const bool isInside = begin + tile <= stage.width;

    for (auto entry = group; entry < stage.entries; entry += threads / warp) {
        const int state = stage.stateOfEntry[entry];
        const auto position = entry - stage.entryBegin[state];
        T sum[perThread] = {};
        for (auto c = stage.columnBegin[state]; c < stage.columnBegin[state + 1]; ++c) {
            const auto column = stage.columns[c];
            const auto at = column.slowState * stage.slow.length + slow;
            const T factor = stage.slow.values[at];
            const auto row =
                column.firstRow + (stage.slow.positions[at] << column.middleBits) + position;
            const T *source = stage.rows + static_cast<std::size_t>(row) * stage.width + begin;
#pragma unroll
            for (int v = 0; v < perThread; ++v) {
                const auto i = lane + warp * v;
                if (isInside || begin + i < stage.width)
                    sum[v] += factor * source[i];
            }
        }
#pragma unroll
        for (int v = 0; v < perThread; ++v)
            pole[entry * tile + lane + warp * v] = sum[v];
    }
    __syncthreads();
    for (auto j = group; j < stage.middle.length; j += threads / warp) {
        T sum[perThread] = {};
        for (int state = 0; state < stage.middle.states; ++state) {
            const auto at = state * stage.middle.length + j;
            const T factor = __ldg(stage.middle.values + at);
            const auto entry = __ldg(stage.entryBegin + state) + __ldg(stage.middle.positions + at);
#pragma unroll
            for (int v = 0; v < perThread; ++v)
                sum[v] += factor * pole[entry * tile + lane + warp * v];
        }
        T *const target = stage.out
                          + (static_cast<std::size_t>(slow) * stage.middle.length + j) * stage.width
                          + begin;
#pragma unroll
        for (int v = 0; v < perThread; ++v) {
            const auto i = lane + warp * v;
            if (isInside || begin + i < stage.width)
                target[i] = sum[v];
        }
    }
}

std::size_t sharedMemoryPerBlock()
{
    return static_cast<std::size_t>(deviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

template <typename T, int perThread>
void launchPicture(const PictureStage<T> &stage, std::uint32_t slowCount, cudaStream_t stream)
{
    constexpr auto tile = warp * perThread;
    const auto bytes = stage.entries * tile * sizeof(T);
    const auto kernel = evaluatePicture<T, perThread>;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "set aside shared memory");
    kernel<<<dim3((stage.width + tile - 1) / tile, slowCount), threads, bytes, stream>>>(stage);
    checkLaunch("draw a picture");
}

} // namespace

template <typename T>
CartesianPicture<T>::CartesianPicture(const sparse::UnfoldedGrid &nodes)
    : m_dimension(static_cast<std::size_t>(nodes.dimension()))
{
    const auto missing = m_axes.size() - m_dimension;
    for (std::size_t t = 0; t < m_dimension; ++t) {
        m_axes[missing + t].basis = nodes.basis(t);
        m_axes[missing + t].states = nodes.highestState(static_cast<int>(t)) + 1;
    }
    struct Column
    {
        std::vector<std::uint64_t> offsets; // by last state; a downward-closed set has no gaps
    };
    std::map<std::pair<int, int>, Column> columns; // by middle and slow state
    for (std::size_t node = 0; node < nodes.nodes(); ++node) {
        std::array<int, 3> states{};
        std::ranges::copy(nodes.states(node),
                          states.begin() + static_cast<std::ptrdiff_t>(missing));
        auto &offsets = columns[{states[1], states[0]}].offsets;
        offsets.resize(std::max(offsets.size(), static_cast<std::size_t>(states[2]) + 1));
        offsets[static_cast<std::size_t>(states[2])] = nodes.offset(node);
    }
    std::vector<PictureColumn> list;
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> columnOfRow, columnBegin, entryBegin;
    std::vector<std::uint8_t> stateOfEntry;
    for (const auto &[states, column] : columns) {
        const auto [middle, slow] = states;
        const int middleBits = sparse::bitsOfState(m_axes[1].basis, middle);
        const int slowBits = sparse::bitsOfState(m_axes[0].basis, slow);
        if (columnBegin.size() == static_cast<std::size_t>(middle)) {
            columnBegin.push_back(static_cast<std::uint32_t>(list.size()));
            entryBegin.push_back(static_cast<std::uint32_t>(stateOfEntry.size()));
            stateOfEntry.insert(stateOfEntry.end(), std::size_t{1} << middleBits,
                                static_cast<std::uint8_t>(middle));
        }
        columnOfRow.insert(columnOfRow.end(), std::size_t{1} << (slowBits + middleBits),
                           static_cast<std::uint32_t>(list.size()));
        list.push_back({m_rows, static_cast<std::uint8_t>(slow),
                        static_cast<std::uint8_t>(middleBits),
                        static_cast<std::uint8_t>(column.offsets.size()), 0,
                        static_cast<std::uint32_t>(offsets.size())});
        offsets.insert(offsets.end(), column.offsets.begin(), column.offsets.end());
        m_rows = static_cast<std::uint32_t>(columnOfRow.size());
    }
    columnBegin.push_back(static_cast<std::uint32_t>(list.size()));
    entryBegin.push_back(static_cast<std::uint32_t>(stateOfEntry.size()));
    m_entries = entryBegin.back();
    m_columns = DeviceBuffer<PictureColumn>(std::span<const PictureColumn>(list));
    m_offsets = DeviceBuffer<std::uint64_t>(std::span<const std::uint64_t>(offsets));
    m_columnOfRow = DeviceBuffer<std::uint32_t>(std::span<const std::uint32_t>(columnOfRow));
    m_columnBegin = DeviceBuffer<std::uint32_t>(std::span<const std::uint32_t>(columnBegin));
    m_entryBegin = DeviceBuffer<std::uint32_t>(std::span<const std::uint32_t>(entryBegin));
    m_stateOfEntry = DeviceBuffer<std::uint8_t>(std::span<const std::uint8_t>(stateOfEntry));
}

template <typename T>
std::size_t CartesianPicture<T>::widestTile() const
{
    // Three blocks to a multiprocessor hide each other's waiting.
    const auto limit = sharedMemoryPerBlock();
    for (std::size_t perThread : {4U, 2U}) {
        if (m_entries * warp * perThread * sizeof(T) <= limit / 3)
            return perThread;
    }
    return m_entries * warp * sizeof(T) <= limit ? 1 : 0;
}

template <typename T>
bool CartesianPicture<T>::isPossible(const Axes &axes) const
{
    const auto width = axes.back().size();
    if (m_dimension == 1)
        return true;
    // An axis is a dimension of the launch.
    constexpr std::size_t maxBlocks = 65535;
    return widestTile() > 0 && axes.front().size() <= maxBlocks
           && (m_rowValues.size() >= m_rows * width
               || m_rows * width * sizeof(T) <= freeDeviceBytes() / 2);
}

template <typename T>
void CartesianPicture<T>::tabulate(Axis &axis, const std::vector<T> &coordinates,
                                   cudaStream_t stream)
{
    if (axis.known == coordinates)
        return;
    const auto length = coordinates.size();
    axis.known.clear(); // in case of an error
    axis.staged.reserve(length);
    axis.coordinates.reserve(length);
    axis.values.reserve(length * static_cast<std::size_t>(axis.states));
    axis.positions.reserve(length * static_cast<std::size_t>(axis.states));
    check(cudaStreamSynchronize(stream), "finish its work"); // `staged` is free again
    std::ranges::copy(coordinates, axis.staged.data());
    check(cudaMemcpyAsync(axis.coordinates.data(), axis.staged.data(), length * sizeof(T),
                          cudaMemcpyHostToDevice, stream),
          "take the axes");
    tabulateAxis<T>
        <<<static_cast<unsigned>((length + threads - 1) / threads), threads, 0, stream>>>(
            axis.basis, axis.states, axis.coordinates.data(), static_cast<std::uint32_t>(length),
            axis.values.data(), axis.positions.data());
    checkLaunch("draw a picture");
    axis.known = coordinates;
}

template <typename T>
void CartesianPicture<T>::evaluate(const T *nodeValues, const Axes &axes, T *out, int slabs,
                                   const Finished &finished, cudaStream_t stream)
{
    const auto missing = m_axes.size() - m_dimension;
    for (std::size_t t = 0; t < m_axes.size(); ++t)
        tabulate(m_axes[t], t < missing ? std::vector<T>{T(0.5)} : axes[t - missing], stream);
    const auto tableOf = [](const Axis &axis) {
        return AxisTable<T>{axis.values.data(), axis.positions.data(),
                            static_cast<std::uint32_t>(axis.known.size()), axis.states};
    };
    const auto slow = tableOf(m_axes[0]), middle = tableOf(m_axes[1]), last = tableOf(m_axes[2]);
    const std::size_t width = last.length;
    T *rows = out;
    if (m_dimension > 1) {
        m_rowValues.reserve(m_rows * width);
        rows = m_rowValues.data();
    }
    // A single row is shared by many blocks.
    const unsigned parts =
        m_rows >= 256 ? 1 : static_cast<unsigned>((width + threads - 1) / threads);
    evaluateRows<T><<<dim3(m_rows, parts), threads, 0, stream>>>(
        m_columns.data(), m_columnOfRow.data(), m_offsets.data(), m_axes[2].basis, last, nodeValues,
        rows);
    checkLaunch("draw a picture");
    if (m_dimension == 1) {
        finished(0, width);
        return;
    }
    PictureStage<T> stage{m_columns.data(),
                          m_columnBegin.data(),
                          m_entryBegin.data(),
                          m_stateOfEntry.data(),
                          m_entries,
                          slow,
                          middle,
                          rows,
                          static_cast<std::uint32_t>(width),
                          0,
                          out};
    const auto perThread = widestTile();
    const std::uint32_t pieces =
        std::clamp<std::uint32_t>(slow.length, 1, static_cast<std::uint32_t>(slabs));
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
        const auto begin = static_cast<std::uint32_t>(std::uint64_t{slow.length} * piece / pieces);
        const auto end =
            static_cast<std::uint32_t>(std::uint64_t{slow.length} * (piece + 1) / pieces);
        stage.firstSlow = begin;
        if (perThread == 4)
            launchPicture<T, 4>(stage, end - begin, stream);
        else if (perThread == 2)
            launchPicture<T, 2>(stage, end - begin, stream);
        else
            launchPicture<T, 1>(stage, end - begin, stream);
        finished(begin * (middle.length * width), end * (middle.length * width));
    }
}

template <typename T>
std::size_t CartesianPicture<T>::bytes() const
{
    return m_columns.bytes() + m_offsets.bytes() + m_columnOfRow.bytes() + m_columnBegin.bytes()
           + m_entryBegin.bytes() + m_stateOfEntry.bytes() + m_rowValues.bytes();
}

template class CartesianPicture<float>;
template class CartesianPicture<double>;

} // namespace gridhelm::gpu
