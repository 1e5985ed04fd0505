// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/entity_finder.h"

#include "core/support/error.h"

#include <vtkGenericCell.h>
#include <vtkNew.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace gridhelm::data {

EntityFinder::EntityFinder(vtkSmartPointer<vtkDataSet> data)
    : m_data(std::move(data))
{
    if (m_data->GetNumberOfPoints() == 0 || m_data->GetNumberOfCells() == 0)
        throw Error("the mesh has no cells, so that nothing can be found in it; export the field "
                    "instead");
}

MeshEntity EntityFinder::pointNear(const std::array<double, 3> &place)
{
    // Images and rectilinear grids find no point for a place outside of them.
    const double *bounds = m_data->GetBounds();
    std::array<double, 3> inside{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        inside[axis] = std::clamp(place[axis], bounds[2 * axis], bounds[2 * axis + 1]);
    const auto point = m_data->FindPoint(inside.data());
    if (point < 0)
        throw Error("the mesh has no point near this position; choose another one");
    MeshEntity found{static_cast<std::uint64_t>(point), {}};
    m_data->GetPoint(point, found.place.data());
    return found;
}

MeshEntity EntityFinder::cellNear(const std::array<double, 3> &place)
{
    if (!m_cells) {
        m_cells = vtkSmartPointer<vtkStaticCellLocator>::New();
        m_cells->SetDataSet(m_data);
        m_cells->BuildLocator();
    }
    // Between two cells it is the upper one, as in pictures of slices: not what round-off says.
    constexpr double pull = 1e-6;
    const double *bounds = m_data->GetBounds();
    auto x = place;
    for (std::size_t axis = 0; axis < 3; ++axis)
        x[axis] += pull * (bounds[2 * axis + 1] - bounds[2 * axis]);
    std::array<double, 3> nearest{};
    vtkIdType cell = -1;
    int part = 0;
    double distance = 0;
    vtkNew<vtkGenericCell> used;
    m_cells->FindClosestPoint(x.data(), nearest.data(), used, cell, part, distance);
    if (cell < 0)
        throw Error("the mesh has no cell near this position; choose another one");
    m_data->GetCell(cell, used);
    std::array<double, 3> parametric{};
    std::vector<double> weights(static_cast<std::size_t>(std::max(m_data->GetMaxCellSize(), 8)));
    used->GetParametricCenter(parametric.data());
    MeshEntity found{static_cast<std::uint64_t>(cell), {}};
    used->EvaluateLocation(part, parametric.data(), found.place.data(), weights.data());
    return found;
}

MeshEntity EntityFinder::near(const std::array<double, 3> &place, Association association)
{
    return association == Association::point ? pointNear(place) : cellNear(place);
}

} // namespace gridhelm::data
