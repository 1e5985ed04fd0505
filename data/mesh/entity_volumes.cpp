// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/entity_volumes.h"

#include "data/mesh/mesh_codec.h"
#include "data/mesh/vector_3.h"

#include <vtkGenericCell.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPoints.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gridhelm::data {

namespace {

/// Length, area or volume of a simplex.
double volumeOf(vtkPoints &corners, vtkIdType first, int dimension)
{
    std::array<Vector3, 4> at{};
    for (int i = 0; i <= dimension; ++i)
        corners.GetPoint(first + i, at[static_cast<std::size_t>(i)].data());
    const auto edge = [&](std::size_t i) { return minus(at[i], at[0]); };
    const auto norm = [](const Vector3 &a) { return std::sqrt(dot(a, a)); };
    switch (dimension) {
    case 1:
        return norm(edge(1));
    case 2:
        return norm(cross(edge(1), edge(2))) / 2;
    case 3:
        return std::abs(dot(cross(edge(1), edge(2)), edge(3))) / 6;
    default:
        return 0; // a vertex
    }
}

double volumeOf(vtkCell &cell, vtkIdList &ids, vtkPoints &corners)
{
    const int dimension = cell.GetCellDimension();
    if (dimension < 1 || cell.Triangulate(0, &ids, &corners) == 0)
        return 0;
    double volume = 0;
    const auto count = corners.GetNumberOfPoints();
    for (vtkIdType first = 0; first + dimension < count; first += dimension + 1)
        volume += volumeOf(corners, first, dimension);
    return volume;
}

} // namespace

std::vector<double> entityVolumes(vtkDataSet &data, Association of)
{
    std::vector<std::size_t> all(static_cast<std::size_t>(data.GetNumberOfCells()));
    std::iota(all.begin(), all.end(), std::size_t{0});
    return entityVolumes(data, of, all);
}

std::vector<double> entityVolumes(vtkDataSet &data, Association of,
                                  std::span<const std::size_t> cells)
{
    std::vector<double> volumes(static_cast<std::size_t>(data.GetNumberOfCells()), 0.0);
    std::vector<int> dimensions(volumes.size(), 0);
    vtkNew<vtkGenericCell> cell;
    vtkNew<vtkIdList> ids;
    vtkNew<vtkPoints> corners;
    corners->SetDataTypeToDouble();
    for (const auto i : cells) {
        data.GetCell(static_cast<vtkIdType>(i), cell);
        dimensions[i] = cell->GetCellDimension();
        volumes[i] = volumeOf(*cell, *ids, *corners);
    }
    const int highest = dimensions.empty() ? 0 : *std::ranges::max_element(dimensions);
    for (std::size_t i = 0; i < volumes.size(); ++i)
        if (dimensions[i] < highest)
            volumes[i] = 0;
    if (of == Association::cell)
        return volumes;

    std::vector<double> ofPoints(static_cast<std::size_t>(data.GetNumberOfPoints()), 0.0);
    for (const auto i : cells) {
        data.GetCellPoints(static_cast<vtkIdType>(i), ids);
        const auto points = ids->GetNumberOfIds();
        for (vtkIdType k = 0; k < points; ++k)
            ofPoints[static_cast<std::size_t>(ids->GetId(k))] +=
                volumes[i] / static_cast<double>(points);
    }
    return ofPoints;
}

std::vector<double> entityVolumes(const Mesh &mesh, Association of)
{
    return entityVolumes(*decodeMesh(mesh), of);
}

} // namespace gridhelm::data
