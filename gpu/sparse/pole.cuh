// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the transforms along poles have in common (hierarchization.cu, polynomial_poles.cu).
#pragma once

#include "gpu/sparse/block_pole.h"

#include <cstdint>

namespace gridhelm::gpu {

/// Where the values of one pole are, by levels of cells.
template <typename T>
struct Pole
{
    T *values;
    const std::uint64_t *ends;   ///< offset of the end points' block, if there is one
    const std::uint64_t *levels; ///< offsets of the blocks of the levels of cells 0, 1, ...
    int strideBits;

    __device__ Pole(T *ofGrid, const PoleList &list, const BlockPole &info, bool hasEnds)
        : values(ofGrid)
        , ends(list.offsets + info.firstOffset)
        , levels(ends + (hasEnds ? 1 : 0))
        , strideBits(info.strideBits)
    {
    }

    __device__ T &at(int level, std::uint32_t outer, std::uint32_t position,
                     std::uint32_t inner) const
    {
        return values[levels[level] + ((((outer << level) | position) << strideBits) | inner)];
    }

    __device__ T &endPoint(std::uint32_t outer, std::uint32_t position, std::uint32_t inner) const
    {
        return values[*ends + ((((outer << 1) | position) << strideBits) | inner)];
    }

    /// The value at numerator 2 * half of a level's end() = 2^(level + 1), 0 < half < 2^level: it
    /// is on a coarser level.
    __device__ T coarser(int level, std::uint32_t half, std::uint32_t outer,
                         std::uint32_t inner) const
    {
        const int up = __ffs(static_cast<int>(half)); // half = odd * 2^(up - 1)
        return at(level - up, outer, half >> up, inner);
    }
};

/// Adds sign * predict(outer, position, inner) to the values of a level, from the value `first` on
/// every `step`-th.
template <typename T, typename Predict>
__device__ void addPredictions(const Pole<T> &pole, int level, int outerBits, T sign,
                               std::uint32_t first, std::uint32_t step, Predict predict)
{
    const auto count = std::uint32_t{1} << (outerBits + level + pole.strideBits);
    T *const own = pole.values + pole.levels[level];
#pragma unroll 4
    for (auto i = first; i < count; i += step) {
        const auto inner = i & ((1U << pole.strideBits) - 1);
        const auto position = (i >> pole.strideBits) & ((1U << level) - 1);
        const auto outer = i >> (pole.strideBits + level);
        own[i] += sign * predict(outer, position, inner);
    }
}

/// Waits for the other threads of a pole: those of a block, or of a warp.
template <bool wholeBlock>
__device__ void finishLevel()
{
    if constexpr (wholeBlock)
        __syncthreads();
    else
        __syncwarp();
}

} // namespace gridhelm::gpu
