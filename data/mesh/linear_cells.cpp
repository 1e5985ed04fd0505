// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/linear_cells.h"

#include <vtkCellType.h>
#include <vtkCellTypes.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkUnstructuredGrid.h>

namespace gridhelm::data {
namespace {

struct Corners
{
    int type;        ///< of the linear cell
    vtkIdType count; ///< 0: the cell is linear itself
};

/// Corners come first in VTK's cells.
Corners cornersOf(int type)
{
    switch (type) {
    case VTK_QUADRATIC_EDGE:
        return {VTK_LINE, 2};
    case VTK_QUADRATIC_TRIANGLE:
        return {VTK_TRIANGLE, 3};
    case VTK_QUADRATIC_QUAD:
    case VTK_BIQUADRATIC_QUAD:
        return {VTK_QUAD, 4};
    case VTK_QUADRATIC_TETRA:
        return {VTK_TETRA, 4};
    case VTK_QUADRATIC_PYRAMID:
        return {VTK_PYRAMID, 5};
    case VTK_QUADRATIC_WEDGE:
        return {VTK_WEDGE, 6};
    case VTK_QUADRATIC_HEXAHEDRON:
    case VTK_TRIQUADRATIC_HEXAHEDRON:
        return {VTK_HEXAHEDRON, 8};
    default:
        return {type, 0};
    }
}

bool isLinear(vtkUnstructuredGrid &grid)
{
    vtkNew<vtkCellTypes> types;
    grid.GetCellTypes(types);
    for (vtkIdType t = 0; t < types->GetNumberOfTypes(); ++t)
        if (cornersOf(types->GetCellType(t)).count > 0)
            return false;
    return true;
}

} // namespace

vtkSmartPointer<vtkDataSet> withLinearCells(vtkDataSet &mesh)
{
    auto *grid = vtkUnstructuredGrid::SafeDownCast(&mesh);
    if (!grid || isLinear(*grid)) {
        auto bare = vtkSmartPointer<vtkDataSet>::Take(mesh.NewInstance());
        bare->CopyStructure(&mesh);
        return bare;
    }
    auto linear = vtkSmartPointer<vtkUnstructuredGrid>::New();
    linear->SetPoints(grid->GetPoints());
    linear->Allocate(grid->GetNumberOfCells());
    vtkNew<vtkIdList> points;
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
        const auto corners = cornersOf(grid->GetCellType(c));
        if (corners.type == VTK_POLYHEDRON)
            grid->GetFaceStream(c, points);
        else
            grid->GetCellPoints(c, points);
        if (corners.count > 0)
            points->SetNumberOfIds(corners.count);
        linear->InsertNextCell(corners.type, points);
    }
    return linear;
}

} // namespace gridhelm::data
