// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calibration of an error indicator node by node: how far a surrogate may be off at a node, for a
// stated share of the nodes of its hold-outs (error-bounds.md, eq:conformal-bound).
#pragma once

#include "core/surrogate/error_band.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm {

/// The scores (scoreOf()) of all nodes of all hold-outs, counted in classes whose ends are at most
/// 1.1 % apart. Nodes of one run are no independent draws: what a share of them promises is no more
/// than what was seen there.
class NodeScores
{
public:
    /// `floor`, at least 0, in the unit of the field. Throws gridhelm::Error for any other.
    explicit NodeScores(double floor);

    /// Of one hold-out: differences and indicators of the field, components adjacent; magnitudes
    /// count. Differences that are no numbers count as infinite.
    void add(std::span<const float> differences, std::span<const float> indicators, int components);

    /// The band with the least factor (where floor is 0: offset) that at least `share`, in (0, 1),
    /// of the nodes are inside of; its coverage is the share that are. Nothing without nodes, and
    /// if no finite factor is enough.
    std::optional<ErrorBand> band(double share) const;

private:
    double m_floor;
    std::vector<std::uint64_t> m_counts; ///< of scores up to the end of each class
    std::uint64_t m_nodes = 0;
    std::size_t m_holdOuts = 0;
};

} // namespace gridhelm
