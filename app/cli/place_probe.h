// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/study_evaluation.h"
#include "data/mesh/mesh_motion.h"
#include "data/mesh/mesh_probe.h"

#include <vtkDataSet.h>
#include <vtkSmartPointer.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gridhelm::cli {

/// Values at places in space. Where the body depends on the parameters, a place may be outside of
/// it: values there are no numbers (NaN).
class PlaceProbe
{
public:
    /// `mesh`: the study's, which is looked at here alone. `places`: x, y, z of each. Throws Error
    /// for one outside of a mesh that does not move.
    PlaceProbe(const StudyEvaluation &study, vtkDataSet &mesh, std::vector<double> places);

    /// To be called with every result before its fields are sampled.
    void follow(const EvaluatedFields &result);
    /// Of the field's values, those that sample() reads, ascending; for a mesh that does not move.
    std::vector<std::uint32_t> columnsOf(const data::Field &field) const;
    std::vector<float> sample(const data::Field &field, std::span<const float> values) const;

private:
    std::vector<double> m_places;
    vtkSmartPointer<vtkDataSet> m_data; ///< of nodes that move; null otherwise, as
    std::unique_ptr<data::MovingNodes> m_nodes;
    std::unique_ptr<const data::MeshProbe> m_probe;
    std::vector<float> m_distance; ///< of each place; empty: all are in the body
};

} // namespace gridhelm::cli
