// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry.h"

#include "core/support/error.h"

#include <vtkCellDataToPointData.h>
#include <vtkCutter.h>
#include <vtkNew.h>
#include <vtkPlane.h>
#include <vtkPolyDataNormals.h>
#include <vtkTrivialProducer.h>

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::ui {
namespace {

using data::Association;

constexpr std::string_view axisNames = "xyz";

vtkSmartPointer<vtkAlgorithm> sourceOf(vtkDataSet &data)
{
    auto source = vtkSmartPointer<vtkTrivialProducer>::New();
    source->SetOutput(&data);
    return source;
}

/// Contours and reliefs need values at points.
vtkSmartPointer<vtkAlgorithm> pointValuesOf(vtkDataSet &data, Association association)
{
    auto source = sourceOf(data);
    if (association == Association::point)
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

vtkSmartPointer<vtkAlgorithm> shadedSmoothly(vtkAlgorithm &source)
{
    auto normals = vtkSmartPointer<vtkPolyDataNormals>::New();
    normals->SetInputConnection(source.GetOutputPort());
    normals->SetFeatureAngle(40);
    normals->ConsistencyOff();
    return normals;
}

vtkSmartPointer<vtkAlgorithm> cutOf(vtkDataSet &mesh, const MeshShape &shape,
                                    const ViewSettings &settings)
{
    // At the very border the plane would touch cells and cut none.
    const double border = 1e-6 * shape.extent(settings.normal);
    const double position =
        std::clamp(slicePosition(shape, settings), shape.low(settings.normal) + border,
                   shape.high(settings.normal) - border);
    auto origin = unitVector(settings.normal);
    for (double &x : origin)
        x *= position;
    vtkNew<vtkPlane> plane;
    plane->SetNormal(unitVector(settings.normal).data());
    plane->SetOrigin(origin.data());
    auto cutter = vtkSmartPointer<vtkCutter>::New();
    cutter->SetInputConnection(sourceOf(mesh)->GetOutputPort());
    cutter->SetCutFunction(plane);
    return cutter;
}

Geometry flatGeometry(vtkPolyData &surface, const MeshShape &shape, Association association,
                      const ViewSettings &settings)
{
    Geometry geometry;
    geometry.association = association;
    geometry.faces = sourceOf(surface);
    geometry.isStill = settings.kind == ViewKind::slice;
    if (settings.kind == ViewKind::slice)
        return geometry;
    const auto atPoints = pointValuesOf(surface, association);
    geometry.association = Association::point;
    geometry.faces = atPoints;
    if (settings.kind == ViewKind::contour) {
        geometry.contour = contourOf(*atPoints);
        geometry.lines = geometry.contour;
        return geometry;
    }
    geometry.relief = vtkSmartPointer<vtkWarpScalar>::New();
    geometry.relief->SetInputConnection(atPoints->GetOutputPort());
    geometry.relief->UseNormalOn();
    geometry.relief->SetNormal(unitVector(shape.normal).data());
    geometry.faces = shadedSmoothly(*geometry.relief);
    geometry.isLit = true;
    return geometry;
}

} // namespace

double slicePosition(const MeshShape &shape, const ViewSettings &settings)
{
    const double low = shape.low(settings.normal), high = shape.high(settings.normal);
    const double position = settings.position.value_or(0.5 * (low + high));
    if (!(position >= low && position <= high))
        throw Error(fmt::format("a slice at {} = {} is outside of the mesh; choose a position "
                                "between {} and {}",
                                axisNames[static_cast<std::size_t>(settings.normal)], position, low,
                                high));
    return position;
}

Geometry makeGeometry(vtkDataSet &mesh, vtkPolyData &surface, const MeshShape &shape,
                      Association association, const ViewSettings &settings)
{
    if (shape.flat)
        return flatGeometry(surface, shape, association, settings);
    Geometry geometry;
    geometry.association = association;
    switch (settings.kind) {
    case ViewKind::slice:
        geometry.faces = cutOf(mesh, shape, settings);
        geometry.isStill = true;
        break;
    case ViewKind::contour:
        geometry.contour = contourOf(*pointValuesOf(mesh, association));
        geometry.faces = geometry.contour;
        geometry.association = Association::point;
        geometry.isLit = true;
        break;
    case ViewKind::surface:
        geometry.faces = sourceOf(surface);
        geometry.isStill = true;
        geometry.isLit = true;
        break;
    }
    return geometry;
}

} // namespace gridhelm::ui
