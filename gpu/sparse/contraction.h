// SPDX-License-Identifier: GPL-3.0-or-later
//
// Contraction of fixed dimensions on the device: core/sparse/unfolded/contraction_plan.h applied
// there.
#pragma once

#include "core/sparse/unfolded/contraction_plan.h"
#include "gpu/support/buffer.h"

#include <cstdint>
#include <span>

namespace gridhelm::gpu {

struct FreeNode
{
    std::uint64_t offset; ///< of its values
    std::uint32_t sourceBegin, sourceEnd;
    std::uint32_t bits;          ///< of its values
    std::uint32_t lanesPerValue; ///< threads that share the sources of a value, a power of two
};

/// Values of one free node for one warp.
struct ContractionTask
{
    std::uint32_t freeNode;
    std::uint32_t firstValue;
};

/// Where the fixed dimensions are; a kernel argument.
template <typename T>
struct FixedPoint
{
    T x[sparse::maximumDimension] = {};
    sparse::DimensionBasis basis[sparse::maximumDimension] = {};
    std::uint32_t isFixed = 0; ///< one bit for each dimension
    int dimension = 0;
};

template <typename T>
class Contraction
{
public:
    Contraction(const sparse::UnfoldedGrid &nodes, const std::vector<bool> &isFixed);

    const sparse::UnfoldedGrid &freeNodes() const { return m_plan.freeNodes(); }
    const std::vector<bool> &isFixed() const { return m_plan.isFixed(); }

    using Part = sparse::ContractionPlan::Part;
    /// As ContractionPlan::apply(), with the values of the nodes and of the free nodes on the
    /// device. One call at a time.
    void apply(const T *values, std::span<const T> x, Part part, T *freeValues,
               cudaStream_t stream);

    std::size_t bytes() const;

private:
    sparse::ContractionPlan m_plan;
    std::uint32_t m_nodes;
    std::uint32_t m_lastGroupBegin;
    FixedPoint<T> m_point;
    DeviceBuffer<sparse::State> m_states; // dimension after dimension
    DeviceBuffer<std::uint64_t> m_offsets;
    DeviceBuffer<std::uint32_t> m_freeMasks; // which bits of a position are free dimensions'
    DeviceBuffer<FreeNode> m_freeNodes;
    DeviceBuffer<std::uint32_t> m_sources;
    DeviceBuffer<ContractionTask> m_tasks;
    DeviceBuffer<T> m_weights;            // of the nodes at x
    DeviceBuffer<std::uint64_t> m_begins; // of their values with the fixed positions of x
};

} // namespace gridhelm::gpu
