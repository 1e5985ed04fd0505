// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/pictures/pipelines.h"

#include "ui/scene/geometry/holes.h"
#include "ui/scene/geometry/sliced_values.h"

#include <vtkCellDataToPointData.h>
#include <vtkTrivialProducer.h>

#include <utility>

namespace gridhelm::ui {

vtkSmartPointer<vtkAlgorithm> sourceOf(vtkDataSet &data)
{
    auto source = vtkSmartPointer<vtkTrivialProducer>::New();
    source->SetOutput(&data);
    return source;
}

vtkSmartPointer<vtkAlgorithm> pointValuesOf(vtkDataSet &data, data::Association association)
{
    auto source = sourceOf(data);
    if (association == data::Association::point)
        return source;
    auto filter = vtkSmartPointer<vtkCellDataToPointData>::New();
    filter->SetInputConnection(source->GetOutputPort());
    return filter;
}

vtkSmartPointer<vtkContourFilter> contourOf(vtkAlgorithm &source)
{
    auto contour = vtkSmartPointer<vtkContourFilter>::New();
    contour->SetInputConnection(source.GetOutputPort());
    contour->ComputeScalarsOn();
    return contour;
}

vtkSmartPointer<vtkAlgorithm> valuesOn(std::shared_ptr<const SliceSurface> cut, vtkDataSet &mesh)
{
    auto values = vtkSmartPointer<SlicedValues>::New();
    values->setSlice(std::move(cut));
    values->SetInputConnection(sourceOf(mesh)->GetOutputPort());
    return values;
}

bool hasSources(const SliceSurface &cut, data::Association association)
{
    return !cut.vertices.empty() && (association == data::Association::point || !cut.cells.empty());
}

std::vector<ValueSource> sourcesOn(const SliceSurface &cut, data::Association association)
{
    return association == data::Association::cell ? sourcesAt(cut.cells) : cut.vertices;
}

bool isStillOn(const Body &body)
{
    return !body.hasHoles() && !body.isMoved();
}

void cutHoles(FieldPicture::Parts &parts, const Body &body)
{
    if (!body.hasHoles())
        return;
    if (parts.faces)
        parts.faces = withoutHoles(*parts.faces);
    if (parts.lines)
        parts.lines = withoutHoles(*parts.lines);
}

void addWalls(FieldPicture::Parts &parts, const PictureSource &source)
{
    if (!source.body.hasHoles() || !source.shape.flat)
        return;
    const auto walls = wallsOf(*sourceOf(*source.surface.polyData()));
    parts.lines = parts.lines ? joined(*parts.lines, *walls) : walls;
}

} // namespace gridhelm::ui
