// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/field_on_mesh.h"

#include "core/support/error.h"
#include "data/mesh/boundary_edges.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_coordinates.h"
#include "data/study/mesh_limits.h"
#include "ui/scene/colour/shown_values.h"
#include "ui/scene/geometry/outline.h"
#include "ui/scene/geometry/warp.h"
#include "ui/scene/pictures/vector_picture.h"
#include "ui/scene/stage/low_confidence_overlay.h"

#include <vtkCellData.h>
#include <vtkPointData.h>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr const char *shownArray = "shown";

} // namespace

std::span<const float> distanceOfEntities(const data::Field &field, std::span<const float> distance)
{
    return field.association == data::Association::point ? distance : std::span<const float>();
}

FieldOnMesh::FieldOnMesh(const data::Mesh &encoded)
    : m_mesh(data::decodeMesh(encoded))
    , m_onMesh(vtkSmartPointer<vtkFloatArray>::New())
    , m_indicatorOnMesh(vtkSmartPointer<vtkFloatArray>::New())
    , m_warpOnMesh(vtkSmartPointer<vtkFloatArray>::New())
{
    if (m_mesh->GetNumberOfCells() == 0)
        throw Error("the mesh has no cells, so there is nothing to draw; its points can be "
                    "exported instead");
    m_surface = std::make_unique<OuterSurface>(*m_mesh);
    m_shape = shapeOf(*m_mesh);
    m_body = std::make_unique<Body>(*m_mesh, *m_surface);
    m_onMesh->SetName(shownArray);
    m_indicatorOnMesh->SetName(LowConfidenceOverlay::arrayName);
    m_warpOnMesh->SetName(warpArray);
    m_warpOnMesh->SetNumberOfComponents(3);
}

FieldOnMesh::~FieldOnMesh()
{
    for (const char *name :
         {shownArray, LowConfidenceOverlay::arrayName, warpArray}) { // their numbers are ours
        m_mesh->GetPointData()->RemoveArray(name);
        m_mesh->GetCellData()->RemoveArray(name);
    }
}

MeshShape FieldOnMesh::shapeNow() const
{
    auto now = m_shape;
    if (m_body->isMoved())
        m_mesh->GetBounds(now.bounds.data());
    return now;
}

MeshShape FieldOnMesh::shapeSeen() const
{
    auto seen = m_shape;
    if (m_body->isMoved())
        m_body->box().GetBounds(seen.bounds.data());
    return seen;
}

vtkSmartPointer<vtkPolyData> FieldOnMesh::outline() const
{
    return m_shape.flat ? data::boundaryEdges(*m_surface->polyData())
                        : linesOfBox(shapeSeen().box());
}

void FieldOnMesh::require(const data::Field &field, const ValuesBeside &beside) const
{
    m_body->require(beside.displacement, beside.distance);
    for (const auto &values : {beside.vectors, beside.indicator})
        if (!values.empty() && values.size() != field.values())
            throw Error("what comes with the field " + field.name
                        + " has another length than its mesh");
}

void FieldOnMesh::move(const ValuesBeside &beside)
{
    m_body->set(beside.displacement, beside.distance);
    if (beside.displacement.empty())
        return;
    m_sampling.reset();
    auto all = m_shape.box();
    all.AddBox(m_body->box());
    all.GetBounds(m_shape.bounds.data()); // slices, seeds and volumes are anywhere in there
}

std::span<const float> FieldOnMesh::prepare(const data::Field &field, Component component,
                                            std::span<const float> values)
{
    const bool atPoints = field.association == data::Association::point;
    const auto entities = atPoints ? m_mesh->GetNumberOfPoints() : m_mesh->GetNumberOfCells();
    if (field.entities != static_cast<std::uint64_t>(entities))
        throw Error("the field " + field.name + " does not belong to this mesh");
    m_next.resize(field.entities);
    showComponent(field, component, values, m_next);
    return m_next;
}

void FieldOnMesh::take(const data::Field &field, std::span<const float> values,
                       const ValuesBeside &beside)
{
    m_field = field;
    m_values.assign(values.begin(), values.end());
    m_vectors.assign(beside.vectors.begin(), beside.vectors.end());
    m_band = beside.band;
    m_indicator.resize(beside.indicator.empty() ? 0 : field.entities);
    if (!m_indicator.empty())
        showComponent(field, {}, beside.indicator, m_indicator);
    takePrepared();
}

void FieldOnMesh::takeSome(std::span<const std::uint32_t> entities, std::span<const float> values,
                           std::span<const float> numbers)
{
    const auto components = static_cast<std::size_t>(m_field.components);
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const std::size_t entity = entities[i];
        m_shown[entity] = numbers[i];
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(components * i), components,
                    m_values.begin() + static_cast<std::ptrdiff_t>(components * entity));
    }
}

void FieldOnMesh::show(bool withIndicator)
{
    m_onMesh->SetArray(m_shown.data(), static_cast<vtkIdType>(m_shown.size()), 1);
    m_onMesh->Modified();
    const bool atPoints = m_field.association == data::Association::point;
    m_mesh->GetPointData()->SetScalars(atPoints ? m_onMesh.Get() : nullptr);
    m_mesh->GetCellData()->SetScalars(atPoints ? nullptr : m_onMesh.Get());
    m_mesh->Modified();
    m_surface->setValues(m_shown, m_field.association);
    m_mesh->GetPointData()->RemoveArray(LowConfidenceOverlay::arrayName);
    m_mesh->GetCellData()->RemoveArray(LowConfidenceOverlay::arrayName);
    if (!withIndicator || m_indicator.empty())
        return;
    m_indicatorOnMesh->SetArray(m_indicator.data(), static_cast<vtkIdType>(m_indicator.size()), 1);
    m_indicatorOnMesh->Modified();
    if (atPoints)
        m_mesh->GetPointData()->AddArray(m_indicatorOnMesh);
    else
        m_mesh->GetCellData()->AddArray(m_indicatorOnMesh);
    m_surface->setBeside(LowConfidenceOverlay::arrayName, m_indicator, m_field.association);
}

void FieldOnMesh::showWarp(double factor)
{
    if (factor != m_warpFactor)
        m_warpedBox.Reset();
    m_warpFactor = factor;
    m_warp.clear();
    m_mesh->GetPointData()->RemoveArray(warpArray);
    if (factor == 0) {
        m_surface->removeBeside(warpArray);
        return;
    }
    m_warp.reserve(3 * m_field.entities);
    const VectorValues values{m_shown, vectors(), m_field.components};
    for (std::size_t i = 0; i < m_field.entities; ++i) {
        auto moved = vectorAt(values, i, m_shape);
        for (double &part : moved)
            part *= factor;
        if (!std::ranges::all_of(moved, data::isSoundCoordinate))
            moved = {}; // what cannot be drawn stays
        std::array<double, 3> place{};
        m_mesh->GetPoint(static_cast<vtkIdType>(i), place.data());
        for (std::size_t t = 0; t < 3; ++t) {
            m_warp.push_back(static_cast<float>(moved[t]));
            place[t] += moved[t];
        }
        m_warpedBox.AddPoint(place.data());
    }
    m_warpOnMesh->SetArray(m_warp.data(), static_cast<vtkIdType>(m_warp.size()), 1);
    m_warpOnMesh->Modified();
    m_mesh->GetPointData()->AddArray(m_warpOnMesh);
    m_surface->setBeside(warpArray, m_warp, data::Association::point, 3);
}

std::array<double, 3> FieldOnMesh::warpOf(std::size_t point) const
{
    if (3 * point + 2 >= m_warp.size())
        return {};
    return {m_warp[3 * point], m_warp[3 * point + 1], m_warp[3 * point + 2]};
}

std::vector<double> FieldOnMesh::places() const
{
    if (m_field.association == data::Association::cell)
        return data::placesOfCells(*m_mesh);
    auto places = data::placesOfPoints(*m_mesh);
    for (std::size_t i = 0; i < m_warp.size() && i < places.size(); ++i)
        places[i] += m_warp[i];
    return places;
}

std::span<const float> FieldOnMesh::distance() const
{
    return distanceOfEntities(m_field, m_body->distance());
}

} // namespace gridhelm::ui
