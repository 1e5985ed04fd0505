// SPDX-License-Identifier: GPL-3.0-or-later
//
// The field in the plane of a flat mesh, or on a plane through a solid one.
#include "core/support/error.h"
#include "ui/scene/geometry/slice_plane.h"
#include "ui/scene/geometry/slice_surface.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/scene/pictures/pipelines.h"
#include "ui/scene/pictures/plane_options.h"
#include "ui/scene/pictures/warp_options.h"

#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace gridhelm::ui {
namespace {

class FlatSlice : public FieldPicture
{
public:
    FlatSlice(const PictureSource &source, data::Association association,
              const ViewSettings &settings)
        : m_surface(source.surface)
    {
        m_parts.faces = sourceOf(*source.surface.polyData());
        m_parts.association = association;
        m_parts.isStill = isStillOn(source.body);
        cutHoles(m_parts, source.body);
        addWalls(m_parts, source);
        warp(m_parts, settings);
    }

    std::vector<ValueSource> sourcesOf(vtkPolyData &) const override
    {
        return sourcesAt(m_surface.ids(m_parts.association));
    }

private:
    const OuterSurface &m_surface;
};

class SolidSlice : public FieldPicture
{
public:
    SolidSlice(const PictureSource &source, data::Association association,
               const ViewSettings &settings)
    {
        const auto plane = slicePlane(source.shape, settings);
        m_caption = captionOf(plane, settings);
        m_parts.association = association;
        m_parts.faces = cutOf(source, plane);
        m_parts.isStill = isStillOn(source.body);
        if (!settings.tilted)
            m_parts.facing = settings.normal;
        cutHoles(m_parts, source.body);
        warp(m_parts, settings);
    }

    std::string caption() const override { return m_caption; }

    std::vector<ValueSource> sourcesOf(vtkPolyData &) const override
    {
        if (!m_slice)
            return {};
        return sourcesOn(*m_slice, m_parts.association);
    }

private:
    vtkSmartPointer<vtkAlgorithm> cutOf(const PictureSource &source, const SlicePlane &plane)
    {
        if (!source.body.isMoved()) {
            const bool wantsCells = m_parts.association == data::Association::cell;
            auto slice = std::make_shared<SliceSurface>(sliceSurface(
                source.mesh, plane, wantsCells ? SliceCells::known : SliceCells::unknown));
            if (hasSources(*slice, m_parts.association)) {
                m_slice = std::move(slice);
                return valuesOn(m_slice, source.mesh);
            }
        }
        const auto cutter = cutterOf(plane);
        cutter->SetInputConnection(sourceOf(source.mesh)->GetOutputPort());
        return cutter;
    }

    std::shared_ptr<const SliceSurface> m_slice; ///< null: VTK cuts for all new values
    std::string m_caption;
};

constexpr std::array sliceOptions{&normalOption, &positionOption, &warpOption, &warpFactorOption};

void requireSensibleSlice(const ViewSettings &settings, const MeshShape *shape)
{
    if (!std::isfinite(settings.tilt.azimuth) || !std::isfinite(settings.tilt.elevation))
        throw Error("the angles of a slice must be numbers");
    if (shape && !shape->flat && usesPlane(settings))
        slicePlane(*shape, settings);
}

std::unique_ptr<FieldPicture> makeSlice(const PictureSource &source, const data::Field &field,
                                        const ViewSettings &settings)
{
    if (source.shape.flat)
        return std::make_unique<FlatSlice>(source, field.association, settings);
    return std::make_unique<SolidSlice>(source, field.association, settings);
}

} // namespace

constinit const PictureKind sliceKind{
    .id = "slice",
    .name = "slice",
    .summary = "flat meshes: the field in its plane; others: on a plane (--normal, --position)",
    .options = sliceOptions,
    .canMarkLowConfidence = [](const MeshShape &) { return true; },
    .requireSensible = requireSensibleSlice,
    .make = makeSlice,
};

} // namespace gridhelm::ui
