// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/sparse/unfolded/unfolded_grid.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::sparse {

/// How the nodes of a grid fall together when some dimensions are fixed. Depends on which
/// dimensions are fixed, not on where, so moving a slider reuses it.
class ContractionPlan
{
public:
    /// At least one dimension must stay free.
    ContractionPlan(const UnfoldedGrid &nodes, const std::vector<bool> &isFixed);

    const UnfoldedGrid &freeNodes() const { return m_freeNodes; }
    const std::vector<bool> &isFixed() const { return m_isFixed; }
    /// Nodes that contribute to a free node, ascending.
    std::span<const std::uint32_t> sources(std::size_t freeNode) const
    {
        return std::span(m_sources).subspan(m_sourceBegin[freeNode],
                                            m_sourceBegin[freeNode + 1] - m_sourceBegin[freeNode]);
    }

    enum class Part { all, lastGroup };

    /// Values of the free nodes, with the fixed dimensions at x (all d coordinates, free ones
    /// unused). `nodes` and `values` as in the constructor; `freeValues` has freeNodes().storage()
    /// entries and is overwritten.
    template <typename T>
    void apply(const UnfoldedGrid &nodes, const T *values, std::span<const T> x, Part part,
               T *freeValues, const CpuDevice &cpu) const;

    std::size_t bytes() const
    {
        return m_freeNodes.bytes() + m_sourceBegin.capacity() * sizeof(std::size_t)
               + m_sources.capacity() * sizeof(std::uint32_t);
    }

private:
    std::vector<bool> m_isFixed;
    UnfoldedGrid m_freeNodes;
    std::vector<std::size_t> m_sourceBegin; // per free node, range in m_sources; one more
    std::vector<std::uint32_t> m_sources;   // nodes that contribute, ascending
};

} // namespace gridhelm::sparse
