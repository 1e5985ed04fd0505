// SPDX-License-Identifier: GPL-3.0-or-later
//
// Evaluation at scattered points that are on the device.
#pragma once

#include "core/sparse/unfolded/unfolded_grid.h"
#include "gpu/sparse/launch_constants.h"
#include "gpu/sparse/node_program.h"
#include "gpu/sparse/point_order.h"
#include "gpu/support/buffer.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gridhelm::gpu {

/// The values of a node set on the device; the clusters, which the fast path for regular grids
/// reads, are made of them when they are needed.
template <typename T>
struct NodeValues
{
    const T *nodes = nullptr;
    DeviceBuffer<T> clusters;
    bool hasClusters = false;
};

/// Memory of one evaluation at a time.
template <typename T>
struct PointScratch
{
    PointOrder order;
    DeviceBuffer<T> parts;
};

/// The programs of a node set, on the device.
class RandomPoints
{
public:
    /// From so many points on the sum at one does not depend on how many there are: each is summed
    /// in one piece.
    static constexpr std::uint32_t plentyOfPoints = 32768;
    /// Blocks of threads that fill a device: with fewer the work of a point is cut.
    static constexpr std::uint32_t enoughBlocks = 2048;

    /// Throws gridhelm::Error if the node set is too large for 32-bit positions.
    explicit RandomPoints(const sparse::UnfoldedGrid &nodes, const PointLaunch &launch = {});

    /// Arranges the values for the fast path, if `count` points are worth it, there is one, and it
    /// fits. True if work has been enqueued that interpolate() on other streams must wait for.
    template <typename T>
    bool prepare(NodeValues<T> &values, std::size_t count, cudaStream_t stream) const;

    /// Writes values, and |the part of the last group| unless that is null. All pointers are the
    /// device's; `points` row-major.
    template <typename T>
    void interpolate(const NodeValues<T> &values, const T *points, std::uint32_t count, T *out,
                     T *indicator, PointScratch<T> &scratch, cudaStream_t stream) const;

    template <typename T>
    void gradients(const NodeValues<T> &values, const T *points, std::uint32_t count, T *gradients,
                   cudaStream_t stream) const;

    int dimension() const { return m_general.dimensions.dimension; }
    std::size_t bytes() const;

private:
    struct Cut
    {
        std::uint32_t count;
        DeviceBuffer<StepRange> ranges;
        DeviceBuffer<std::uint32_t> path;
    };
    struct Program
    {
        explicit Program(const NodeProgram &program);

        NodeDimensions dimensions;
        int slots;
        std::size_t stepCount;
        DeviceBuffer<NodeStep> steps;
        std::vector<Cut> cuts; // coarsest first
    };
    struct Tail
    {
        Program program;
        DeviceBuffer<std::uint64_t> clusterNodes;
        DeviceBuffer<std::uint32_t> firstNode; // in clusterNodes, of each step
        std::uint64_t storage;
        int highestBits;
    };

    /// In how many pieces so few points are summed, or one.
    const Cut &cutFor(const Program &program, std::uint32_t count) const;

    PointLaunch m_launch;
    Program m_general;
    std::optional<Tail> m_tail;
};

} // namespace gridhelm::gpu
