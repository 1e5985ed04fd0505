// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/cell_edges.h"

#include <vtkCell.h>
#include <vtkGenericCell.h>
#include <vtkNew.h>
#include <vtkPoints.h>

namespace gridhelm::data {
namespace {

constexpr vtkIdType mostPoints = 512;

/// From point to point of a line; VTK puts both ends of a curved one before what is between them.
void addLine(vtkCell &line, std::vector<MeshEdge> &edges)
{
    const auto count = line.GetNumberOfPoints();
    const auto inOrder = [&](vtkIdType i) {
        if (line.IsLinear() != 0 || i == 0)
            return i;
        return i + 1 < count ? i + 1 : vtkIdType{1};
    };
    for (vtkIdType i = 0; i + 1 < count; ++i) {
        auto &edge = edges.emplace_back();
        line.GetPoints()->GetPoint(inOrder(i), edge[0].data());
        line.GetPoints()->GetPoint(inOrder(i + 1), edge[1].data());
    }
}

} // namespace

std::vector<MeshEdge> cellEdges(vtkDataSet &mesh, std::uint64_t cell)
{
    std::vector<MeshEdge> edges;
    vtkNew<vtkGenericCell> found;
    mesh.GetCell(static_cast<vtkIdType>(cell), found);
    if (found->GetNumberOfPoints() > mostPoints)
        return edges;
    if (found->GetCellDimension() == 1)
        addLine(*found, edges);
    for (int i = 0; i < found->GetNumberOfEdges(); ++i)
        addLine(*found->GetEdge(i), edges);
    return edges;
}

} // namespace gridhelm::data
