// SPDX-License-Identifier: GPL-3.0-or-later
//
// The field in the plane of a flat mesh, or on a plane through a solid one.
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "ui/scene/geometry/slice_plane.h"
#include "ui/scene/geometry/slice_surface.h"
#include "ui/scene/geometry/sliced_values.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/scene/pictures/pipelines.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace gridhelm::ui {
namespace {

class FlatSlice : public FieldPicture
{
public:
    FlatSlice(const PictureSource &source, data::Association association)
        : m_surface(source.surface)
    {
        m_parts.faces = sourceOf(*source.surface.polyData());
        m_parts.association = association;
        m_parts.isStill = isStillOn(source.body);
        cutHoles(m_parts, source.body);
        addWalls(m_parts, source);
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
    }

    std::string caption() const override { return m_caption; }

    std::vector<ValueSource> sourcesOf(vtkPolyData &) const override
    {
        if (!m_slice)
            return {};
        return m_parts.association == data::Association::cell ? sourcesAt(m_slice->cells)
                                                              : m_slice->vertices;
    }

private:
    vtkSmartPointer<vtkAlgorithm> cutOf(const PictureSource &source, const SlicePlane &plane)
    {
        const auto mesh = sourceOf(source.mesh);
        if (!source.body.isMoved()) {
            const bool wantsCells = m_parts.association == data::Association::cell;
            auto slice = std::make_shared<SliceSurface>(sliceSurface(
                source.mesh, plane, wantsCells ? SliceCells::known : SliceCells::unknown));
            if (!slice->vertices.empty() && !(wantsCells && slice->cells.empty())) {
                m_slice = std::move(slice);
                const auto sliced = vtkSmartPointer<SlicedValues>::New();
                sliced->setSlice(m_slice);
                sliced->SetInputConnection(mesh->GetOutputPort());
                return sliced;
            }
        }
        const auto cutter = cutterOf(plane);
        cutter->SetInputConnection(mesh->GetOutputPort());
        return cutter;
    }

    std::shared_ptr<const SliceSurface> m_slice; ///< null: VTK cuts for all new values
    std::string m_caption;
};

void parseNormal(std::string_view text, std::string_view what, ViewSettings &settings)
{
    constexpr std::string_view axes = "xyz";
    if (const auto at = axes.find(text); text.size() == 1 && at != axes.npos) {
        settings.normal = static_cast<Axis>(at);
        return;
    }
    std::vector<double> parts;
    if (text.find(',') != text.npos)
        parseReals(text, what, parts);
    if (parts.size() != 3)
        throw Error(fmt::format("{} {}: choose x, y or z, or give three numbers", what, text));
    settings.tilted = true;
    settings.tilt = directionOf({parts[0], parts[1], parts[2]});
}

void parsePosition(std::string_view text, std::string_view what, ViewSettings &settings)
{
    if (!text.empty())
        settings.position = parseReal(text, what);
}

constinit const PictureOption normalOption{
    .key = "normal",
    .help = "Of a slice: x, y, z, or a vector",
    .placeholder = "AXIS|X,Y,Z",
    .type = PictureOption::Type::text,
    .parse = parseNormal,
    .defaultText = "z",
};
constinit const PictureOption positionOption{
    .key = "position",
    .help = "Of a slice, along its normal (default: the middle)",
    .placeholder = "X",
    .type = PictureOption::Type::text,
    .parse = parsePosition,
};
constexpr std::array options{&normalOption, &positionOption};

void requireSensible(const ViewSettings &settings, const MeshShape *shape)
{
    if (!std::isfinite(settings.tilt.azimuth) || !std::isfinite(settings.tilt.elevation))
        throw Error("the angles of a slice must be numbers");
    if (shape && !shape->flat && settings.kind == ViewKind::slice)
        slicePlane(*shape, settings);
}

std::unique_ptr<FieldPicture> makeSlice(const PictureSource &source, const data::Field &field,
                                        const ViewSettings &settings)
{
    if (source.shape.flat)
        return std::make_unique<FlatSlice>(source, field.association);
    return std::make_unique<SolidSlice>(source, field.association, settings);
}

} // namespace

constinit const PictureKind sliceKind{
    .id = "slice",
    .name = "slice",
    .summary = "flat meshes: the field in its plane; others: on a plane (--normal, --position)",
    .options = options,
    .canMarkLowConfidence = [](const MeshShape &) { return true; },
    .requireSensible = requireSensible,
    .make = makeSlice,
};

} // namespace gridhelm::ui
