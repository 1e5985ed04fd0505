// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/pictures/streamlines.h"

#include "ui/scene/geometry/spread_places.h"

#include <vtkCellData.h>
#include <vtkCellDataToPointData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTrivialProducer.h>

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

} // namespace

Streamlines::Streamlines(vtkDataSet &mesh, const MeshShape &shape, data::Association association,
                         Seeds seeds, int count)
    : m_shape(shape)
    , m_count(count)
    , m_mesh(vtkSmartPointer<vtkDataSet>::Take(mesh.NewInstance()))
    , m_vectors(vtkSmartPointer<vtkFloatArray>::New())
    , m_shown(vtkSmartPointer<vtkFloatArray>::New())
    , m_tracer(vtkSmartPointer<vtkStreamTracer>::New())
{
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
    vtkNew<vtkTrivialProducer> source;
    source->SetOutput(m_mesh);
    if (atPoints) {
        m_tracer->SetInputConnection(source->GetOutputPort());
    } else {
        vtkNew<vtkCellDataToPointData> filter;
        filter->SetInputConnection(source->GetOutputPort());
        m_tracer->SetInputConnection(filter->GetOutputPort());
    }
    m_tracer->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "vector");
    places().SetInputData(seedsIn(mesh, shape, seeds, count));
    m_tracer->SetSourceConnection(places().GetOutputPort());
    m_tracer->SetIntegrationDirectionToBoth();
    m_tracer->SetIntegratorTypeToRungeKutta4();
    m_tracer->SetIntegrationStepUnit(vtkStreamTracer::LENGTH_UNIT);
    // A line is smooth to the eye with some hundred steps across the picture, however coarse the
    // mesh is; on a fine one, steps of a cell see everything that it has.
    const double longest = shape.longestSide();
    m_tracer->SetInitialIntegrationStep(
        std::min(std::max(cellLength(mesh, shape), longest / 400), longest / 100));
    m_tracer->SetMaximumPropagation(longest);
    m_tracer->SetMaximumNumberOfSteps(2000);
    m_tracer->SetTerminalSpeed(1e-12);
    m_tracer->SetComputeVorticity(false);
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

} // namespace gridhelm::ui
