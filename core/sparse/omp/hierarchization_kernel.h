// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/boundary_treatment.h"
#include "core/sparse/transform_part.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gridhelm::sparse::omp {

using sparse::Transform;

/// The values of a pole of blocks in dimension t. The block of level k is an array
/// [outer][2^k][stride], row-major, where `outer` counts the points in the dimensions before t and
/// `stride` those behind it; both are powers of 2.
template <typename T>
struct BlockPole
{
    std::span<T *const> levels; ///< blocks of level 0, 1, ...
    const T *endPoints;         ///< [outer][2][stride], or null without level -1
    std::size_t outer;
    std::size_t stride;
    std::size_t chunkValues = 2048; ///< of the finest block that go through all levels together

    T *row(std::size_t ofOuter, std::size_t level, std::size_t position) const
    {
        return levels[level] + ((ofOuter << level) + position) * stride;
    }

    /// Row of the node at numerator 2^-level, 0 < numerator < 2^level.
    T *node(std::size_t ofOuter, std::size_t level, std::size_t numerator) const
    {
        const auto halvings = static_cast<std::size_t>(std::countr_zero(numerator));
        return row(ofOuter, level - 1 - halvings, numerator >> (halvings + 1));
    }
};

/// Transforms a pole in place, on the calling thread; end points stay as they are.
template <typename T>
using PoleTransform = void (*)(Transform transform, const BlockPole<T> &pole);

/// Poles whose finest level is larger than this, along one pole, do without scratch arrays.
inline constexpr std::size_t maxScratchValues = std::size_t{1} << 16;

/// That of a treatment, for this CPU. Poles are many and small: ask once for all of them.
template <typename T>
PoleTransform<T> poleTransform(BoundaryTreatment treatment);

} // namespace gridhelm::sparse::omp
