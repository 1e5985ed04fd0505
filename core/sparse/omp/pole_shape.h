// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/boundary_treatment.h"
#include "core/sparse/unfolded/unfolded_grid.h"

#include <cstddef>

namespace gridhelm::sparse::omp {

/// The states 0 .. highestState of one dimension, and the equidistant nodes, ends included, between
/// which their functions are linear.
class PoleShape
{
public:
    PoleShape() = default;
    PoleShape(BoundaryTreatment treatment, int highestState)
        : m_treatment(treatment)
        , m_highestState(highestState)
    {
    }

    BoundaryTreatment treatment() const { return m_treatment; }
    int highestState() const { return m_highestState; }
    /// Level of the finest hats; -1 if there are only the states 1 and 2x - 1.
    int highestLevel() const { return levelOfState(m_treatment, m_highestState); }
    bool hasLinearState() const { return hasEndPoints(m_treatment) && m_highestState >= 1; }

    std::size_t nodes() const { return (std::size_t{1} << (highestLevel() + 1)) + 1; }
    /// Distance between the nodes of a level and those that it refines.
    std::size_t step(int level) const { return std::size_t{1} << (highestLevel() - level); }
    /// Node in the middle of function `position` of a level.
    std::size_t node(int level, std::size_t position) const
    {
        return (2 * position + 1) * step(level);
    }

private:
    BoundaryTreatment m_treatment = BoundaryTreatment::modified;
    int m_highestState = 0;
};

} // namespace gridhelm::sparse::omp
