// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the threads of a walk keep in shared memory, one thread a point.
#pragma once

#include "gpu/sparse/node_program.h"
#include "gpu/sparse/state_ratio.cuh"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gridhelm::gpu {

/// Of a block, unless it has been tuned.
constexpr unsigned maxThreads = 128;

/// Columns of shared memory that belong to one thread: consecutive rows are `width` apart, or as
/// many as there are threads if that is 0.
template <typename V, unsigned width>
class Column
{
public:
    __device__ explicit Column(V *first)
        : m_first(first + threadIdx.x)
    {
    }
    __device__ V &operator[](unsigned row) const
    {
        return m_first[row * (width == 0 ? blockDim.x : width)];
    }

private:
    V *m_first;
};

/// Product and index of a node, where its children find them.
template <typename T>
struct alignas(2 * sizeof(T)) NodeState
{
    T product;
    std::uint32_t index;
};

/// What a thread keeps of its point and of its way through the tree.
template <typename T, unsigned width = 0>
struct PointTables
{
    Column<NodeState<T>, width> nodes;
    Column<T, width> ratios;
    Column<std::uint32_t, width> finest;

    __device__ PointTables(double *memory, const NodeDimensions &dimensions, int slots)
        : nodes(reinterpret_cast<NodeState<T> *>(memory))
        , ratios(reinterpret_cast<T *>(memory) + 2 * slots * blockDim.x)
        , finest(reinterpret_cast<std::uint32_t *>(reinterpret_cast<T *>(memory)
                                                   + (2 * slots + dimensions.rows) * blockDim.x))
    {
    }

    __host__ __device__ static std::size_t bytes(const NodeDimensions &dimensions, int slots)
    {
        return sizeof(T) * static_cast<std::size_t>(dimensions.rows + 2 * slots)
               + sizeof(std::uint32_t) * static_cast<std::size_t>(dimensions.dimension);
    }

    /// Rows of the first `count` dimensions. Returns the product of their functions of state 0.
    template <bool hatsOnly>
    __device__ T tabulate(const NodeDimensions &dimensions, int count, const T *point) const
    {
        T product = 1;
        ratios[0] = 1;
        finest[0] = 0; // the root's, if there is nothing else
        for (int t = 0; t < count; ++t) {
            const T x = point[t];
            finest[t] = sparse::cellOf(dimensions.highestBits[t], x).position;
            const auto basis = dimensions.basis[t];
            if constexpr (!hatsOnly) {
                if (!sparse::hasHats(basis)) {
                    const unsigned before = dimensions.firstRow[t] - 1U;
                    product *= polynomialRatios(
                        basis, dimensions.highestState[t], x,
                        [&](int state, T ratio) { ratios[before + state] = ratio; });
                    continue;
                }
            }
            product *= sparse::withTreatment(basis.treatment, [&](auto type) {
                using Treatment = decltype(type);
                const T zero = stateZero<Treatment>(x);
                const T inverse = T(1) / zero;
                unsigned row = dimensions.firstRow[t];
#pragma unroll 1
                for (int state = 1; state <= dimensions.highestState[t]; ++state)
                    ratios[row++] = stateRatio<Treatment>(state, x, inverse);
                return zero;
            });
        }
        return product;
    }
};

__device__ inline std::uint32_t childIndex(const NodeStep &step, std::uint32_t parentIndex,
                                           std::uint32_t finest)
{
    return (parentIndex << step.bits) | (finest >> step.shift);
}

__device__ inline NodeStep loadStep(const NodeStep *step)
{
    const uint4 words = __ldg(reinterpret_cast<const uint4 *>(step));
    NodeStep result;
    memcpy(&result, &words, sizeof(result));
    return result;
}

} // namespace gridhelm::gpu
