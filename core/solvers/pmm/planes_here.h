// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/field_part.h"
#include "core/solvers/pmm/pmm_run.h"
#include "core/solvers/rank_slabs.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::solvers {

/// The planes of a grid of times that this process has: all of them, or a rank's. What is made of
/// their times is collective among ranks. `T`: float or double.
template <typename T>
class PlanesHere
{
public:
    /// All.
    explicit PlanesHere(const PmmRun &run);
    /// Of slabs of planes. `run` outlives it.
    PlanesHere(const PmmRun &run, std::shared_ptr<Ranks> ranks, std::vector<Slab> slabs);

    /// Null without ranks.
    Ranks *ranks() const { return m_ranks ? &m_ranks->ranks() : nullptr; }
    Slab slab() const;
    std::size_t count() const { return slab().size() * nodesOfPlane(); }

    /// `times` are the count() ones here in what follows. Of the whole grid; of ranks at the first
    /// one alone.
    FieldView field(std::span<const T> times) const;
    FieldPart part(std::span<const T> times) const;
    /// Of the known solution, of all ranks.
    double largestError(std::span<const T> times) const;
    /// Stepper::roundOff(), of all ranks.
    double roundOff(std::span<const T> times) const { return largest(roundOffOf(times)); }
    /// The largest of all ranks.
    double largest(double here) const;

private:
    std::size_t nodesOfPlane() const;

    const PmmRun &m_run;
    std::optional<RankSlabs> m_ranks;
    mutable std::vector<T> m_gathered; ///< from the ranks, on the first one
};

extern template class PlanesHere<float>;
extern template class PlanesHere<double>;

} // namespace gridhelm::solvers
