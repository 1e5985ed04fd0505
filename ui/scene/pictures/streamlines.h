// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/pictures/vector_view.h"

#include <vtkDataSet.h>
#include <vtkFloatArray.h>
#include <vtkSmartPointer.h>
#include <vtkStreamTracer.h>

namespace gridhelm::ui {

/// Lines along the vectors, through evenly spread places or places on a line, both ways: until they
/// leave the mesh, come to rest, or are twice as long as the mesh. Where vectors are no numbers,
/// they end.
class Streamlines : public VectorView
{
public:
    /// About `count` lines. The mesh is not changed; its points and cells are shared.
    Streamlines(vtkDataSet &mesh, const MeshShape &shape, data::Association association,
                Seeds seeds, int count);

    void setValues(const VectorValues &values) override;
    vtkAlgorithm &output() const override { return *m_tracer; }
    Count count() const override { return {m_count, 60}; }

private:
    MeshShape m_shape;
    int m_count;
    vtkSmartPointer<vtkDataSet> m_mesh; ///< with values of its own
    vtkSmartPointer<vtkFloatArray> m_vectors, m_shown;
    vtkSmartPointer<vtkStreamTracer> m_tracer;
};

} // namespace gridhelm::ui
