// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/mesh_shape.h"

#include <vtkCellType.h>
#include <vtkCellTypes.h>
#include <vtkGenericCell.h>
#include <vtkNew.h>

#include <algorithm>

namespace gridhelm::ui {
namespace {

bool hasSolidCells(vtkDataSet &data)
{
    vtkNew<vtkCellTypes> types;
    data.GetCellTypes(types);
    vtkNew<vtkGenericCell> cell;
    for (vtkIdType i = 0; i < types->GetNumberOfTypes(); ++i) {
        cell->SetCellType(types->GetCellType(i));
        if (cell->GetCellDimension() == 3)
            return true;
    }
    return false;
}

} // namespace

double MeshShape::longestSide() const
{
    return std::max({extent(Axis::x), extent(Axis::y), extent(Axis::z)});
}

vtkBoundingBox MeshShape::box(double reliefHeight) const
{
    auto room = bounds;
    room[2 * static_cast<std::size_t>(normal) + 1] += reliefHeight;
    return vtkBoundingBox(room.data());
}

MeshShape shapeOf(vtkDataSet &data)
{
    MeshShape shape;
    data.GetBounds(shape.bounds.data());
    shape.flat = false;
    if (hasSolidCells(data))
        return shape;
    for (const Axis axis : {Axis::z, Axis::y, Axis::x}) {
        if (shape.extent(axis) > 1e-6 * shape.longestSide())
            continue;
        shape.flat = true;
        shape.normal = axis;
        break;
    }
    return shape;
}

std::array<double, 3> unitVector(Axis axis)
{
    std::array<double, 3> vector{0, 0, 0};
    vector[static_cast<std::size_t>(axis)] = 1;
    return vector;
}

} // namespace gridhelm::ui
