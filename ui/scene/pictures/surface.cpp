// SPDX-License-Identifier: GPL-3.0-or-later
//
// The outer surface of a solid mesh, and of a flat one a relief whose height is the value.
#include "ui/scene/geometry/holes.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/scene/pictures/pipelines.h"
#include "ui/scene/pictures/plane_options.h"
#include "ui/scene/pictures/warp_options.h"

#include <vtkPolyDataNormals.h>
#include <vtkWarpScalar.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace gridhelm::ui {
namespace {

vtkSmartPointer<vtkAlgorithm> shadedSmoothly(vtkAlgorithm &source)
{
    auto normals = vtkSmartPointer<vtkPolyDataNormals>::New();
    normals->SetInputConnection(source.GetOutputPort());
    normals->SetFeatureAngle(40);
    normals->ConsistencyOff();
    return normals;
}

class Relief : public FieldPicture
{
public:
    Relief(const PictureSource &source, data::Association association, const ViewSettings &settings)
        : m_shape(source.shape)
        , m_warp(vtkSmartPointer<vtkWarpScalar>::New())
    {
        const auto atPoints = pointValuesOf(*source.surface.polyData(), association);
        m_warp->SetInputConnection(atPoints->GetOutputPort());
        m_warp->UseNormalOn();
        m_warp->SetNormal(unitVector(source.shape.normal).data());
        m_parts.faces = m_warp;
        cutHoles(m_parts, source.body);
        warp(m_parts, settings);
        m_parts.faces = shadedSmoothly(*m_parts.faces);
        m_parts.isLit = true;
        m_parts.isRaised = true;
    }

    void show(const PictureValues &values) override
    {
        const auto &[low, high] = values.colours.range;
        const double factor = height(values.settings) / (high - low);
        m_warp->SetScaleFactor(factor);
        // The lowest value lies in the mesh's plane.
        m_offset = unitVector(m_shape.normal);
        for (double &x : m_offset)
            x *= -factor * low;
    }
    std::array<double, 3> offset() const override { return m_offset; }
    double height(const ViewSettings &settings) const override
    {
        return settings.relief * m_shape.longestSide();
    }

private:
    const MeshShape &m_shape;
    vtkSmartPointer<vtkWarpScalar> m_warp;
    std::array<double, 3> m_offset{};
};

class SolidSurface : public FieldPicture
{
public:
    SolidSurface(const PictureSource &source, data::Association association,
                 const ViewSettings &settings)
        : m_surface(source.surface)
        , m_clip(clipPlaneOf(source.shape, settings))
    {
        m_parts.association = association;
        m_parts.faces = m_clip ? clippedOf(source) : sourceOf(*source.surface.polyData());
        m_parts.isLit = true;
        m_parts.isStill = isStillOn(source.body);
        cutHoles(m_parts, source.body);
        if (source.body.hasHoles())
            m_parts.faces = joined(*m_parts.faces, *wallsIn(source));
        warp(m_parts, settings);
        if (m_clip)
            m_caption = clipCaptionOf(m_clip->plane, settings);
    }

    std::string caption() const override { return m_caption; }

    std::vector<ValueSource> sourcesOf(vtkPolyData &) const override
    {
        if (!m_clip)
            return sourcesAt(m_surface.ids(m_parts.association));
        return m_clipped ? sourcesOn(*m_clipped, m_parts.association) : std::vector<ValueSource>();
    }

private:
    vtkSmartPointer<vtkAlgorithm> clippedOf(const PictureSource &source)
    {
        if (!source.body.isMoved()) {
            const bool wantsCells = m_parts.association == data::Association::cell;
            auto surface = std::make_shared<SliceSurface>(
                clippedSurface(source.mesh, source.surface, *m_clip,
                               wantsCells ? SliceCells::known : SliceCells::unknown));
            if (hasSources(*surface, m_parts.association)) {
                m_clipped = std::move(surface);
                return valuesOn(m_clipped, source.mesh);
            }
        }
        const auto cut = cutterOf(m_clip->plane);
        cut->SetInputConnection(sourceOf(source.mesh)->GetOutputPort());
        return joined(*clipped(*sourceOf(*source.surface.polyData()), *m_clip), *cut);
    }

    vtkSmartPointer<vtkAlgorithm> wallsIn(const PictureSource &source) const
    {
        auto walls = wallsOf(*sourceOf(source.mesh));
        return m_clip ? clipped(*walls, *m_clip) : walls;
    }

    const OuterSurface &m_surface;
    std::optional<ClipPlane> m_clip;
    std::shared_ptr<const SliceSurface> m_clipped; ///< null: VTK clips for all new values
    std::string m_caption;
};

constinit const PictureOption reliefOption{
    .key = "relief",
    .help = "Height of a relief, in parts of the mesh's longer side",
    .placeholder = "X",
    .isLive = true,
    .name = "Height",
    .step = "height",
    .low = 0,
    .high = 1,
    .isUsed = [](const MeshShape &shape) { return shape.flat; },
    .least = -anyNumber,
    .most = anyNumber,
    .refusal = "the height of the relief must be a number",
    .get = [](const ViewSettings &settings) { return settings.relief; },
    .set = [](ViewSettings &settings, double value) { settings.relief = value; },
};
constexpr std::array surfaceOptions{&reliefOption,   &clipOption, &clipInvertOption, &normalOption,
                                    &positionOption, &warpOption, &warpFactorOption};

std::unique_ptr<FieldPicture> makeSurface(const PictureSource &source, const data::Field &field,
                                          const ViewSettings &settings)
{
    if (source.shape.flat)
        return std::make_unique<Relief>(source, field.association, settings);
    return std::make_unique<SolidSurface>(source, field.association, settings);
}

} // namespace

constinit const PictureKind surfaceKind{
    .id = "surface",
    .name = "surface",
    .summary = "the outer surface (--clip, --warp); flat meshes: a relief whose height is the "
               "value (--relief)",
    .options = surfaceOptions,
    .canMarkLowConfidence = [](const MeshShape &) { return true; },
    .make = makeSurface,
};

} // namespace gridhelm::ui
