// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the device does with whole grids of times besides marching.
#pragma once

#include "gpu/support/buffer.h"

#include <cuda_runtime.h>

#include <array>
#include <cstddef>

namespace gridhelm::gpu {

/// Nodes in memory, the first axis fastest; rows start at multiples of 128 bytes.
struct PmmLayout
{
    std::array<std::size_t, 3> points{};
    std::size_t rowStride = 0;
    std::size_t planeStride = 0;

    PmmLayout() = default;
    PmmLayout(const std::array<std::size_t, 3> &points_, std::size_t valueBytes)
        : points(points_)
        , rowStride((points_[0] * valueBytes + 127) / 128 * 128 / valueBytes)
        , planeStride(rowStride * points_[1])
    {
    }
    std::size_t size() const { return planeStride * points[2]; }
};

template <typename Value>
void fillAll(const DeviceBuffer<Value> &buffer, Value value, cudaStream_t stream);

template <typename T>
struct PmmSourceNode
{
    std::size_t node; ///< index, x fastest, without padding
    T time;
};

/// Bricks of nodes (march.h), x fastest.
struct PmmBricks
{
    std::array<std::size_t, 3> count{};
    int *changes = nullptr; ///< the sub-sweep in which each last changed
};

/// Writes the times of the nodes, sorted by node and time: the earliest of a node counts; marks
/// their bricks with `change`.
template <typename T>
void placeSources(const DeviceBuffer<PmmSourceNode<T>> &sources, std::size_t count, T *times,
                  const PmmLayout &layout, const PmmBricks &bricks, int change,
                  cudaStream_t stream);

/// A copy with the first two axes exchanged, of (at least) the bricks that changed after a
/// sub-sweep. `firstAxis` of `from`: 0 (x) or 1 (y).
template <typename T>
void exchangeXY(const T *from, const PmmLayout &fromLayout, T *to, const PmmLayout &toLayout,
                int firstAxis, const PmmBricks &bricks, int changedAfter, cudaStream_t stream);

/// Whole rows of some planes, in one memory and in another, perhaps that of another device; both
/// have rows of the same length.
template <typename T>
struct PmmRows
{
    const T *from = nullptr; ///< first node
    std::size_t fromPlaneStride = 0;
    T *to = nullptr;
    std::size_t toPlaneStride = 0;
    std::size_t rowStride = 0;
    std::size_t width = 0;
    std::size_t rows = 0;
    std::size_t planes = 0;
};

/// Copies (at least) the bricks that changed after a sub-sweep. The first node begins a brick, the
/// first one in `bricks`.
template <typename T>
void copyRows(const PmmRows<T> &rows, const PmmBricks &bricks, int changedAfter,
              cudaStream_t stream);

/// The speed and the advection of some planes, x fastest without padding, or one value if there is
/// no array; and what they are multiplied with.
struct PmmNodeValues
{
    const double *values = nullptr;
    double scale = 1; ///< the value itself, if there is no array
};

struct PmmMediumSlab
{
    PmmNodeValues speed;
    PmmNodeValues advection;
    double spacing = 1;
    double directionSquare = 0; ///< |a|^2
    bool anisotropic = false;
};

/// The coefficients of `planes` planes, from `firstPlane` on; `second` only where anisotropic.
template <typename T>
void setCoefficients(const PmmMediumSlab &slab, std::size_t firstPlane, std::size_t planes,
                     const PmmLayout &layout, T *first, T *second, cudaStream_t stream);

/// `count` times from node `firstNode` on, x fastest, without padding; infinite where not reached.
template <typename T>
void packTimes(const T *times, const PmmLayout &layout, std::size_t firstNode, std::size_t count,
               T *packed, cudaStream_t stream);

/// The inverse of packTimes().
template <typename T>
void unpackTimes(const T *packed, std::size_t firstNode, std::size_t count, T *times,
                 const PmmLayout &layout, cudaStream_t stream);

} // namespace gridhelm::gpu
