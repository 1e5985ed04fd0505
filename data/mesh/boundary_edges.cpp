// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/boundary_edges.h"

#include <vtkFeatureEdges.h>
#include <vtkNew.h>

namespace gridhelm::data {

vtkSmartPointer<vtkPolyData> boundaryEdges(vtkPolyData &surface)
{
    vtkNew<vtkPolyData> bare;
    bare->CopyStructure(&surface);
    vtkNew<vtkFeatureEdges> edges;
    edges->SetInputData(bare);
    edges->BoundaryEdgesOn();
    edges->FeatureEdgesOff();
    edges->NonManifoldEdgesOff();
    edges->ManifoldEdgesOff();
    edges->ColoringOff();
    edges->Update();
    return edges->GetOutput();
}

} // namespace gridhelm::data
