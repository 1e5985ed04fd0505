// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/pictures/pipelines.h"

#include "ui/scene/geometry/holes.h"

#include <vtkCellDataToPointData.h>
#include <vtkTrivialProducer.h>

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
