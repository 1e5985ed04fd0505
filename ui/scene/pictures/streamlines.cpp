// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lines along a vector field.
#include "ui/scene/geometry/spread_places.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/scene/pictures/pipelines.h"
#include "ui/scene/pictures/vector_picture.h"

#include <vtkCellData.h>
#include <vtkCleanPolyData.h>
#include <vtkDataSet.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkStreamTracer.h>
#include <vtkTubeFilter.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gridhelm::ui {
namespace {

vtkSmartPointer<vtkPolyData> seedsIn(vtkDataSet &mesh, const MeshShape &shape, Seeds seeds,
                                     int count)
{
    vtkNew<vtkPoints> places;
    places->SetDataTypeToDouble();
    if (seeds == Seeds::everywhere) {
        // In the middle of cells: at points of the border a flow often rests.
        for (const auto &place : spreadOver(mesh, shape, data::Association::cell, count).places)
            places->InsertNextPoint(place.data());
    } else {
        const auto along =
            static_cast<std::size_t>(seeds) - static_cast<std::size_t>(Seeds::alongX);
        for (int i = 0; i < count; ++i) {
            std::array<double, 3> place{};
            for (std::size_t t = 0; t < 3; ++t) {
                const double part = t == along ? (i + 0.5) / count : 0.5;
                place[t] = shape.bounds[2 * t] + part * shape.extent(static_cast<Axis>(t));
            }
            places->InsertNextPoint(place.data());
        }
    }
    auto points = vtkSmartPointer<vtkPolyData>::New();
    points->SetPoints(places);
    return points;
}

/// A number that does not depend on where the mesh is coarse.
double cellLength(vtkDataSet &mesh, const MeshShape &shape)
{
    double size = 1;
    int dimensions = 0;
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
        if (shape.extent(axis) > 1e-6 * shape.longestSide()) {
            size *= shape.extent(axis);
            ++dimensions;
        }
    }
    return std::pow(size / static_cast<double>(mesh.GetNumberOfCells()),
                    1.0 / std::max(dimensions, 1));
}

constinit const PictureOption tubesOption{
    .key = "tubes",
    .help = "Draws streamlines as tubes, shaded by their shape; on flat meshes they look like "
            "thicker lines, not shaded",
    .type = PictureOption::Type::flag,
    .name = "Tubes",
    .step = "tubes",
};
constinit const PictureOption thicknessOption{
    .key = "tube-thickness",
    .help = "With --tubes: their diameter, as a share of the mesh's longest side",
    .placeholder = "X",
    .name = "Thickness",
    .step = "thickness of tubes",
    .low = 0.001,
    .high = 0.1,
    .isLogarithmic = true,
    .flag = &tubesOption,
    .least = 1e-4,
    .most = 0.5,
    .refusal = "the thickness of tubes must be from {0:g} to {1:g} of the mesh's longest side",
    .usual = 0.01,
};

vtkSmartPointer<vtkAlgorithm> tubesAround(vtkAlgorithm &lines, double diameter)
{
    // A tube has no direction from a point to itself.
    vtkNew<vtkCleanPolyData> distinct;
    distinct->SetInputConnection(lines.GetOutputPort());
    distinct->SetTolerance(0);
    auto tubes = vtkSmartPointer<vtkTubeFilter>::New();
    tubes->SetInputConnection(distinct->GetOutputPort());
    tubes->SetRadius(0.5 * diameter);
    tubes->SetNumberOfSides(10);
    tubes->CappingOn();
    return tubes;
}

/// Lines along the vectors, through evenly spread places or places on a line, both ways: until they
/// leave the mesh, come to rest, or are twice as long as the mesh. Where vectors are no numbers,
/// they end.
class Streamlines : public VectorPicture
{
public:
    /// About ViewSettings::streamlineCount lines. The mesh is not changed; its points and cells are
    /// shared.
    Streamlines(const PictureSource &source, data::Association association,
                const ViewSettings &settings);

    Pieces pieces() const override { return {m_count, m_tubes ? 20 : 60}; }

private:
    void setValues(const VectorValues &values) override;

    MeshShape m_shape;
    int m_count;
    vtkSmartPointer<vtkDataSet> m_mesh; ///< with values of its own
    vtkSmartPointer<vtkFloatArray> m_vectors, m_shown;
    vtkSmartPointer<vtkStreamTracer> m_tracer;
    vtkSmartPointer<vtkAlgorithm> m_tubes; ///< null: lines are drawn
};

Streamlines::Streamlines(const PictureSource &source, data::Association association,
                         const ViewSettings &settings)
    : m_shape(source.shape)
    , m_count(settings.streamlineCount)
    , m_mesh(vtkSmartPointer<vtkDataSet>::Take(source.mesh.NewInstance()))
    , m_vectors(vtkSmartPointer<vtkFloatArray>::New())
    , m_shown(vtkSmartPointer<vtkFloatArray>::New())
    , m_tracer(vtkSmartPointer<vtkStreamTracer>::New())
{
    auto &mesh = source.mesh;
    m_mesh->CopyStructure(&mesh);
    const bool atPoints = association == data::Association::point;
    const auto entities = atPoints ? mesh.GetNumberOfPoints() : mesh.GetNumberOfCells();
    m_vectors->SetName("vector");
    m_vectors->SetNumberOfComponents(3);
    m_vectors->SetNumberOfTuples(entities);
    m_vectors->FillValue(0);
    m_shown->SetName("shown");
    m_shown->SetNumberOfTuples(entities);
    m_shown->FillValue(0);
    vtkDataSetAttributes &attributes =
        atPoints ? static_cast<vtkDataSetAttributes &>(*m_mesh->GetPointData())
                 : static_cast<vtkDataSetAttributes &>(*m_mesh->GetCellData());
    attributes.SetVectors(m_vectors);
    attributes.SetScalars(m_shown);
    m_tracer->SetInputConnection(pointValuesOf(*m_mesh, association)->GetOutputPort());
    m_tracer->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "vector");
    places().SetInputData(seedsIn(mesh, m_shape, settings.seeds, m_count));
    m_tracer->SetSourceConnection(places().GetOutputPort());
    m_tracer->SetIntegrationDirectionToBoth();
    m_tracer->SetIntegratorTypeToRungeKutta4();
    m_tracer->SetIntegrationStepUnit(vtkStreamTracer::LENGTH_UNIT);
    // A line is smooth to the eye with some hundred steps across the picture, however coarse the
    // mesh is; on a fine one, steps of a cell see everything that it has.
    const double longest = m_shape.longestSide();
    m_tracer->SetInitialIntegrationStep(
        std::min(std::max(cellLength(mesh, m_shape), longest / 400), longest / 100));
    m_tracer->SetMaximumPropagation(longest);
    m_tracer->SetMaximumNumberOfSteps(2000);
    m_tracer->SetTerminalSpeed(1e-12);
    m_tracer->SetComputeVorticity(false);
    if (isOn(tubesOption, settings)) {
        m_tubes = tubesAround(*m_tracer, valueOf(thicknessOption, settings) * longest);
        m_parts.isLit = !m_shape.flat;
    }
    finish(m_tubes ? *m_tubes : *m_tracer, source);
}

void Streamlines::setValues(const VectorValues &values)
{
    // Streamlines know directions only: vectors of any unit become ones of length 1 and less, so
    // that one threshold tells which of them rest.
    for (vtkIdType i = 0; i < m_vectors->GetNumberOfTuples(); ++i) {
        auto vector = vectorAt(values, static_cast<std::size_t>(i), m_shape);
        for (double &x : vector)
            x /= values.longest;
        m_vectors->SetTuple(i, vector.data());
        m_shown->SetValue(i, values.shown[static_cast<std::size_t>(i)]);
    }
    m_vectors->Modified();
    m_shown->Modified();
    m_mesh->Modified();
}

constinit const PictureOption seedCountOption{
    .key = "streamlines",
    .help = "About so many streamlines",
    .placeholder = "N",
    .type = PictureOption::Type::whole,
    .name = "Streamlines",
    .step = "streamlines",
    .low = 1,
    .high = maxStreamlines,
    .isLogarithmic = true,
    .least = 1,
    .most = maxStreamlines,
    .refusal = "a picture has {0} to {1} streamlines; choose a number between them",
    .get = [](const ViewSettings &settings) { return double(settings.streamlineCount); },
    .set = [](ViewSettings &settings,
              double value) { settings.streamlineCount = static_cast<int>(value); },
};

template <Axis axis>
bool hasExtent(const MeshShape &shape)
{
    return shape.extent(axis) > 0;
}

constexpr double number(Seeds seeds)
{
    return static_cast<double>(seeds);
}

constexpr std::array seedChoices{
    OptionChoice{number(Seeds::everywhere), "everywhere", nullptr},
    OptionChoice{number(Seeds::alongX), "a line along x", hasExtent<Axis::x>},
    OptionChoice{number(Seeds::alongY), "a line along y", hasExtent<Axis::y>},
    OptionChoice{number(Seeds::alongZ), "a line along z", hasExtent<Axis::z>},
};

constinit const PictureOption seedsOption{
    .key = "seeds",
    .help = "Where streamlines pass: everywhere, or on a line along x, y or z through the middle",
    .placeholder = "WHERE",
    .type = PictureOption::Type::choice,
    .name = "Through",
    .step = "streamlines",
    .subject = "Where streamlines pass",
    .choices = seedChoices,
    .least = number(Seeds::everywhere),
    .most = number(Seeds::alongZ),
    .get = [](const ViewSettings &settings) { return number(settings.seeds); },
    .set = [](ViewSettings &settings,
              double value) { settings.seeds = static_cast<Seeds>(std::lround(value)); },
    .parse = [](std::string_view text, std::string_view,
                ViewSettings &settings) { settings.seeds = parseSeeds(text); },
    .defaultText = "everywhere",
};
constexpr std::array streamlinesOptions{&seedCountOption, &seedsOption, &tubesOption,
                                        &thicknessOption};

} // namespace

constinit const PictureKind streamlinesKind{
    .id = "streamlines",
    .name = "streamlines",
    .summary = "of a vector field (--streamlines, --seeds, --tubes)",
    .options = streamlinesOptions,
    .unavailableReason =
        [](bool, const data::Field &field) { return needsVectors("Streamlines", field); },
    .make = [](const PictureSource &source, const data::Field &field,
               const ViewSettings &settings) -> std::unique_ptr<FieldPicture> {
        return std::make_unique<Streamlines>(source, field.association, settings);
    },
};

} // namespace gridhelm::ui
