// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/pictures/geometry.h"

#include "core/support/error.h"
#include "ui/scene/geometry/holes.h"
#include "ui/scene/geometry/slice_plane.h"
#include "ui/scene/pictures/glyphs.h"
#include "ui/scene/pictures/streamlines.h"
#include "ui/scene/pictures/view_choice.h"

#include <vtkCellDataToPointData.h>
#include <vtkCutter.h>
#include <vtkNew.h>
#include <vtkPlane.h>
#include <vtkPolyDataNormals.h>
#include <vtkTrivialProducer.h>

#include <algorithm>

namespace gridhelm::ui {
namespace {

using data::Association;

/// Points of the image that is laid over a mesh that is none itself, for a volume.
constexpr std::size_t volumePoints = 300000;

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
    const auto wanted = slicePlane(shape, settings);
    // At the very border the plane would touch cells and cut none.
    const double border = 1e-6 * (wanted.high - wanted.low);
    const double position = std::clamp(wanted.position, wanted.low + border, wanted.high - border);
    auto origin = wanted.normal;
    for (double &x : origin)
        x *= position;
    vtkNew<vtkPlane> plane;
    plane->SetNormal(wanted.normal.data());
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

bool haveSameGeometry(const ViewSettings &one, const ViewSettings &other)
{
    auto like = other;
    like.component = one.component;
    like.colours = one.colours;
    like.range = one.range;
    like.scale = one.scale;
    like.levelCount = one.levelCount;
    like.levels = one.levels;
    like.opacity = one.opacity;
    like.relief = one.relief;
    like.markDoubtful = one.markDoubtful;
    like.doubtfulAbove = one.doubtfulAbove;
    like.edges = one.edges;
    like.outline = one.outline;
    like.dark = one.dark;
    like.projection = one.projection;
    return like == one;
}

namespace {

Geometry wholeGeometry(const MeshParts &parts, const data::Field &field,
                       const ViewSettings &settings)
{
    auto &mesh = parts.mesh;
    auto &surface = parts.surface;
    const auto &shape = parts.shape;
    auto &sampling = parts.sampling;
    const auto association = field.association;
    if (const auto reason = whyNot(settings.kind, shape.flat, field); !reason.empty())
        throw Error(reason);
    Geometry geometry;
    geometry.association = association;
    switch (settings.kind) {
    case ViewKind::slice:
        if (shape.flat)
            return flatGeometry(surface, shape, association, settings);
        geometry.faces = cutOf(mesh, shape, settings);
        geometry.isStill = true;
        return geometry;
    case ViewKind::contour:
        if (shape.flat)
            return flatGeometry(surface, shape, association, settings);
        geometry.contour = contourOf(*pointValuesOf(mesh, association));
        geometry.faces = geometry.contour;
        geometry.association = Association::point;
        geometry.isLit = true;
        return geometry;
    case ViewKind::surface:
        if (shape.flat)
            return flatGeometry(surface, shape, association, settings);
        geometry.faces = sourceOf(surface);
        geometry.isStill = true;
        geometry.isLit = true;
        return geometry;
    case ViewKind::glyphs:
        geometry.vectors = std::make_unique<Glyphs>(mesh, shape, association, settings.glyphCount,
                                                    settings.glyphScale);
        geometry.isLit = !shape.flat;
        break;
    case ViewKind::streamlines:
        geometry.vectors = std::make_unique<Streamlines>(mesh, shape, association, settings.seeds,
                                                         settings.streamlineCount);
        break;
    case ViewKind::volume:
        if (!sampling)
            sampling = std::make_shared<const MeshSampling>(mesh, shape, volumePoints);
        geometry.volume = std::make_unique<Volume>(mesh, sampling, association);
        return geometry;
    }
    geometry.faces = &geometry.vectors->output();
    geometry.association = Association::point;
    return geometry;
}

/// Arrows and streamlines have no vectors in holes, and a volume no values.
void cutHoles(Geometry &geometry, const MeshParts &parts, const ViewSettings &settings)
{
    const bool isCut = geometry.faces && !geometry.vectors;
    if (isCut)
        geometry.faces = withoutHoles(*geometry.faces);
    if (geometry.lines)
        geometry.lines = withoutHoles(*geometry.lines);
    if (settings.kind != ViewKind::surface && parts.shape.flat) {
        const auto walls = wallsOf(*sourceOf(parts.surface));
        geometry.lines = geometry.lines ? joined(*geometry.lines, *walls) : walls;
    }
    if (settings.kind == ViewKind::surface && !parts.shape.flat)
        geometry.faces = joined(*geometry.faces, *wallsOf(*sourceOf(parts.mesh)));
}

} // namespace

Geometry makeGeometry(const MeshParts &parts, const data::Field &field,
                      const ViewSettings &settings)
{
    auto geometry = wholeGeometry(parts, field, settings);
    if (parts.hasHoles)
        cutHoles(geometry, parts, settings);
    geometry.isStill = geometry.isStill && !parts.hasHoles && !parts.isMoved;
    return geometry;
}

} // namespace gridhelm::ui
