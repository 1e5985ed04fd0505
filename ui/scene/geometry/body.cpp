// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/body.h"

#include "core/support/error.h"
#include "ui/scene/geometry/holes.h"

#include <vtkPointData.h>

#include <cmath>

namespace gridhelm::ui {

Body::Body(vtkDataSet &mesh, OuterSurface &surface)
    : m_mesh(&mesh)
    , m_surface(surface)
    , m_box(mesh.GetBounds())
    , m_onMesh(vtkSmartPointer<vtkFloatArray>::New())
{
    m_onMesh->SetName(distanceArray);
}

Body::~Body()
{
    m_mesh->GetPointData()->RemoveArray(distanceArray); // its numbers are ours
}

void Body::require(std::span<const float> displacement, std::span<const float> distance) const
{
    const auto points = static_cast<std::size_t>(m_mesh->GetNumberOfPoints());
    if ((!displacement.empty() && displacement.size() != 3 * points)
        || (!distance.empty() && distance.size() != points))
        throw Error("what the study says of its body has another length than its mesh");
    if (!displacement.empty())
        data::requireMovable(*m_mesh);
}

void Body::set(std::span<const float> displacement, std::span<const float> distance)
{
    if (!displacement.empty()) {
        if (!m_nodes) {
            m_box.Reset();
            m_nodes = std::make_unique<data::MovingNodes>(*m_mesh);
        }
        m_nodes->move(displacement);
        m_surface.follow(*m_mesh);
        m_box.AddBounds(m_mesh->GetBounds());
    }
    if (distance.empty() && !hasHoles())
        return;
    m_distance.assign(distance.begin(), distance.end());
    for (float &value : m_distance)
        if (!std::isfinite(value))
            value = -1; // nothing can be cut where the distance is no number
    m_mesh->GetPointData()->RemoveArray(distanceArray);
    if (!hasHoles())
        return;
    m_onMesh->SetArray(m_distance.data(), static_cast<vtkIdType>(m_distance.size()), 1);
    m_onMesh->Modified();
    m_mesh->GetPointData()->AddArray(m_onMesh);
    m_surface.setBeside(distanceArray, m_distance, data::Association::point);
}

} // namespace gridhelm::ui
