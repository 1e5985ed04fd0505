// SPDX-License-Identifier: GPL-3.0-or-later
//
// Evaluated fields as a mesh file: what eval and export write.
#pragma once

#include "app/cli/study_evaluation.h"
#include "data/mesh/mesh_motion.h"

#include <vtkDataSet.h>
#include <vtkSmartPointer.h>

#include <memory>

namespace gridhelm::cli {

enum class IndicatorFields { left, written };

/// One mesh, whose fields and parameters change from evaluation to evaluation.
class EvaluatedMesh
{
public:
    /// Throws Error if a field is called like the indicator of another one ("NAME_indicator") that
    /// is to be written.
    EvaluatedMesh(const StudyEvaluation &study, IndicatorFields indicators);

    vtkDataSet &data() const { return *m_data; }

    /// `values`: the parameters of `result`, which are kept with the mesh as numbers (field data).
    /// Nodes stand where they are for these, and those outside of the body are marked as hidden,
    /// as VTK does it: ParaView draws nothing there.
    void set(const EvaluatedFields &result, std::span<const double> values);

private:
    const StudyEvaluation &m_study;
    IndicatorFields m_indicators;
    vtkSmartPointer<vtkDataSet> m_data;
    std::unique_ptr<data::MovingNodes> m_nodes; ///< null until they have moved
};

} // namespace gridhelm::cli
