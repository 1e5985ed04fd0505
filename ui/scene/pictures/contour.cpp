// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bands of colour between isolines on a flat mesh, isosurfaces in a solid one.
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/scene/pictures/pipelines.h"
#include "ui/scene/pictures/plane_options.h"
#include "ui/scene/pictures/warp_options.h"

#include <fmt/format.h>

#include <vtkCellType.h>
#include <vtkCellTypes.h>
#include <vtkContour3DLinearGrid.h>
#include <vtkExtractVOI.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace gridhelm::ui {
namespace {

template <typename Filter>
void setLevels(Filter &contour, const std::vector<double> &levels)
{
    contour.SetNumberOfContours(static_cast<int>(levels.size()));
    for (std::size_t i = 0; i < levels.size(); ++i)
        contour.SetValue(static_cast<int>(i), levels[i]);
}

class Bands : public FieldPicture
{
public:
    Bands(const PictureSource &source, data::Association association, const ViewSettings &settings)
    {
        const auto atPoints = pointValuesOf(*source.surface.polyData(), association);
        m_contour = contourOf(*atPoints);
        m_parts.faces = atPoints;
        m_parts.lines = m_contour;
        cutHoles(m_parts, source.body);
        addWalls(m_parts, source);
        warp(m_parts, settings);
    }

    void show(const PictureValues &values) override { setLevels(*m_contour, values.colours.steps); }

private:
    vtkSmartPointer<vtkContourFilter> m_contour;
};

/// Of images, and of meshes of linear cells, they are cut by all threads.
class IsosurfaceFilter
{
public:
    IsosurfaceFilter(vtkDataSet &mesh, vtkAlgorithm &source)
    {
        if (vtkImageData::SafeDownCast(&mesh)) {
            take(vtkSmartPointer<vtkFlyingEdges3D>::New())->InterpolateAttributesOn();
        } else if (hasLinearCells(mesh)) {
            const auto filter = take(vtkSmartPointer<vtkContour3DLinearGrid>::New());
            filter->MergePointsOn(); // which normals need
            filter->ComputeNormalsOn();
            filter->InterpolateAttributesOn(); // else it has no scalars
        } else {
            take(vtkSmartPointer<vtkContourFilter>::New());
        }
        m_filter->SetInputConnection(source.GetOutputPort());
    }

    vtkAlgorithm *algorithm() const { return m_filter; }
    void setLevels(const std::vector<double> &levels) { m_setLevels(levels); }

private:
    static bool hasLinearCells(vtkDataSet &mesh)
    {
        constexpr std::array linear{VTK_TETRA, VTK_VOXEL, VTK_HEXAHEDRON, VTK_WEDGE, VTK_PYRAMID};
        if (!vtkUnstructuredGrid::SafeDownCast(&mesh))
            return false;
        vtkNew<vtkCellTypes> types;
        mesh.GetCellTypes(types);
        for (vtkIdType i = 0; i < types->GetNumberOfTypes(); ++i)
            if (std::ranges::find(linear, types->GetCellType(i)) == linear.end())
                return false;
        return true;
    }

    template <typename Filter>
    vtkSmartPointer<Filter> take(vtkSmartPointer<Filter> filter)
    {
        filter->ComputeScalarsOn();
        m_filter = filter;
        m_setLevels = [filter](const std::vector<double> &levels) {
            ui::setLevels(*filter, levels);
        };
        return filter;
    }

    vtkSmartPointer<vtkAlgorithm> m_filter;
    std::function<void(const std::vector<double> &)> m_setLevels;
};

/// While something moves, all levels are there, of an image on fewer of its points; a level that is
/// left out has vanished for whoever looks at it. Of other meshes all is drawn. What a plane cuts
/// away is there and not drawn, since its geometry changes with the values anyway.
class Isosurfaces : public FieldPicture
{
public:
    Isosurfaces(const PictureSource &source, data::Association association,
                const ViewSettings &settings)
        : m_atPoints(pointValuesOf(source.mesh, association))
        , m_contour(source.mesh, *m_atPoints)
    {
        if (auto *image = vtkImageData::SafeDownCast(&source.mesh)) {
            image->GetDimensions(m_points.data());
            m_fewer = vtkSmartPointer<vtkExtractVOI>::New();
            m_fewer->SetInputConnection(m_atPoints->GetOutputPort());
            m_fewer->SetVOI(image->GetExtent());
        }
        m_parts.faces = m_contour.algorithm();
        m_parts.isLit = true;
        cutHoles(m_parts, source.body);
        if (const auto clip = clipPlaneOf(source.shape, settings)) {
            if (warpFactor(settings) == 0)
                m_parts.clip = planeOf(*clip); // no step that would take time
            else
                m_parts.faces = clipped(*m_parts.faces, *clip);
            m_caption = clipCaptionOf(clip->plane, settings);
        }
        warp(m_parts, settings);
    }

    std::string caption() const override { return m_caption; }

    void show(const PictureValues &values) override
    {
        const auto &settings = values.settings;
        m_levels = settings.levels.empty()
                       ? evenLevels(values.colours.range, settings.scale, settings.levelCount)
                       : settings.levels;
        m_contour.setLevels(m_levels);
    }
    double opacity(const ViewSettings &settings) const override { return settings.opacity; }

    /// Points of the image, for each level.
    Pieces pieces() const override
    {
        if (!m_fewer)
            return {};
        constexpr double pointsOfAPiece = 1 << 15;
        double points = static_cast<double>(m_levels.size());
        for (const int along : m_points)
            points *= along;
        return {.all = static_cast<int>(std::min(std::ceil(points / pointsOfAPiece), 1e9)),
                .ratio = lessByHalving};
    }
    void showEach(int number) override
    {
        if (!m_fewer)
            return;
        int apart = 1;
        for (; number > 1; number /= lessByHalving)
            apart *= 2;
        std::array<int, 3> rates{};
        for (std::size_t t = 0; t < 3; ++t) // what is thin keeps its shape
            rates[t] = std::clamp((m_points[t] - 1) / fewest, 1, apart);
        m_fewer->SetSampleRate(rates.data());
        const bool isWhole = rates == std::array{1, 1, 1};
        m_contour.algorithm()->SetInputConnection(isWhole ? m_atPoints->GetOutputPort()
                                                          : m_fewer->GetOutputPort());
    }

private:
    /// Work of half the points along each axis: between that of surfaces (4) and of points (8).
    static constexpr int lessByHalving = 6;
    static constexpr int fewest = 8; ///< cells along an axis

    vtkSmartPointer<vtkAlgorithm> m_atPoints;
    IsosurfaceFilter m_contour;
    vtkSmartPointer<vtkExtractVOI> m_fewer; ///< null: not of an image
    std::array<int, 3> m_points{1, 1, 1};
    std::vector<double> m_levels;
    std::string m_caption;
};

constinit const PictureOption levelCountOption{
    .key = "levels",
    .help = "Of a contour view: at most so many, at round values",
    .placeholder = "N",
    .type = PictureOption::Type::whole,
    .isLive = true,
    .least = 1,
    .most = maxLevels,
    .refusal = "a contour view has {0} to {1} levels; choose a number between them",
    .get = [](const ViewSettings &settings) { return static_cast<double>(settings.levelCount); },
    .set = [](ViewSettings &settings,
              double value) { settings.levelCount = static_cast<int>(value); },
    .defaultText = "9",
};

void parseLevels(std::string_view text, std::string_view what, ViewSettings &settings)
{
    parseReals(text, what, settings.levels);
}

constinit const PictureOption levelsOption{
    .key = "isovalues",
    .help = "Of a contour view: these values instead",
    .placeholder = "V,...",
    .type = PictureOption::Type::text,
    .isLive = true,
    .parse = parseLevels,
};
constexpr std::array contourOptions{&levelCountOption, &levelsOption,     &opacityOption,
                                    &clipOption,       &clipInvertOption, &normalOption,
                                    &positionOption,   &warpOption,       &warpFactorOption};

void requireSensibleContour(const ViewSettings &settings, const MeshShape *)
{
    if (settings.levels.size() > static_cast<std::size_t>(maxLevels))
        throw Error(fmt::format("a contour view has 1 to {} levels; choose a number between them",
                                maxLevels));
}

std::vector<double> stepsOf(const MeshShape &shape, const ViewSettings &settings,
                            const ValueRange &range)
{
    if (!shape.flat)
        return {};
    auto steps = settings.levels.empty() ? evenLevels(range, settings.scale, settings.levelCount)
                                         : settings.levels;
    std::ranges::sort(steps);
    std::erase_if(steps, [&](double level) { return !(level > range.low && level < range.high); });
    if (steps.empty())
        throw Error(fmt::format("none of the levels is in the range of the colours ({} .. {}); "
                                "choose others",
                                range.low, range.high));
    return steps;
}

std::unique_ptr<FieldPicture> makeContour(const PictureSource &source, const data::Field &field,
                                          const ViewSettings &settings)
{
    if (source.shape.flat)
        return std::make_unique<Bands>(source, field.association, settings);
    return std::make_unique<Isosurfaces>(source, field.association, settings);
}

} // namespace

constinit const PictureKind contourKind{
    .id = "contour",
    .name = "contour",
    .summary =
        "flat meshes: bands between isolines; others: isosurfaces (--levels, --isovalues, --clip)",
    .options = contourOptions,
    .canMarkLowConfidence = [](const MeshShape &shape) { return shape.flat; },
    .requireSensible = requireSensibleContour,
    .colourSteps = stepsOf,
    .make = makeContour,
};

} // namespace gridhelm::ui
