// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/entity_volumes.h"

#include "data/mesh/mesh_codec.h"
#include "data/mesh/vector_3.h"

#include <vtkCellType.h>
#include <vtkGenericCell.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPoints.h>

#include <algorithm>
#include <array>
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

/// Of the simplices that a cell is cut into; 0 if VTK cannot cut it.
double sumOfSimplices(vtkCell &cell, vtkIdList &ids, vtkPoints &corners)
{
    const int dimension = cell.GetCellDimension();
    cell.Triangulate(0, &ids, &corners); // what it returns is wrong for pyramids
    double volume = 0;
    const auto count = corners.GetNumberOfPoints();
    for (vtkIdType first = 0; first + dimension < count; first += dimension + 1)
        volume += volumeOf(corners, first, dimension);
    return volume;
}

/// By the divergence theorem, of the triangles of its surface: VTK cuts some solids with curved
/// faces into tetrahedra that are not all of them.
double insideFaces(vtkCell &cell, vtkIdList &ids, vtkPoints &corners)
{
    Vector3 origin{};
    cell.GetPoints()->GetPoint(0, origin.data());
    double six = 0;
    for (int f = 0; f < cell.GetNumberOfFaces(); ++f) {
        cell.GetFace(f)->Triangulate(0, &ids, &corners);
        for (vtkIdType first = 0; first + 2 < corners.GetNumberOfPoints(); first += 3) {
            std::array<Vector3, 3> at{};
            for (int k = 0; k < 3; ++k) {
                auto &corner = at[static_cast<std::size_t>(k)];
                corners.GetPoint(first + k, corner.data());
                corner = minus(corner, origin);
            }
            six += dot(at[0], cross(at[1], at[2]));
        }
    }
    return std::abs(six) / 6;
}

/// 0 of a vertex.
double volumeOf(vtkCell &cell, vtkIdList &ids, vtkPoints &corners)
{
    const int dimension = cell.GetCellDimension();
    if (dimension < 1 || cell.GetNumberOfPoints() == 0)
        return 0;
    const bool isCurved = cell.IsLinear() == 0 || cell.GetCellType() == VTK_POLYHEDRON;
    return dimension == 3 && isCurved ? insideFaces(cell, ids, corners)
                                      : sumOfSimplices(cell, ids, corners);
}

struct CellSizes
{
    std::vector<double> volumes; ///< of each cell of the mesh; 0 of those that were not asked for
    std::vector<int> dimensions;
};

CellSizes sizesOf(vtkDataSet &data, std::span<const std::size_t> cells)
{
    const auto count = static_cast<std::size_t>(data.GetNumberOfCells());
    CellSizes sizes{std::vector<double>(count, 0.0), std::vector<int>(count, 0)};
    vtkNew<vtkGenericCell> cell;
    vtkNew<vtkIdList> ids;
    vtkNew<vtkPoints> corners;
    corners->SetDataTypeToDouble();
    for (const auto i : cells) {
        data.GetCell(static_cast<vtkIdType>(i), cell);
        sizes.dimensions[i] = cell->GetCellDimension();
        sizes.volumes[i] = volumeOf(*cell, *ids, *corners);
    }
    return sizes;
}

/// An equal share of each cell for each of its points.
std::vector<double> atPoints(vtkDataSet &data, std::span<const std::size_t> cells,
                             std::span<const double> ofCells)
{
    std::vector<double> ofPoints(static_cast<std::size_t>(data.GetNumberOfPoints()), 0.0);
    vtkNew<vtkIdList> ids;
    for (const auto i : cells) {
        data.GetCellPoints(static_cast<vtkIdType>(i), ids);
        const auto points = ids->GetNumberOfIds();
        for (vtkIdType k = 0; k < points; ++k)
            ofPoints[static_cast<std::size_t>(ids->GetId(k))] +=
                ofCells[i] / static_cast<double>(points);
    }
    return ofPoints;
}

std::vector<std::size_t> cellsOf(vtkDataSet &data)
{
    std::vector<std::size_t> all(static_cast<std::size_t>(data.GetNumberOfCells()));
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

} // namespace

std::vector<double> entityVolumes(vtkDataSet &data, Association of)
{
    return entityVolumes(data, of, cellsOf(data));
}

std::vector<double> entityVolumes(vtkDataSet &data, Association of,
                                  std::span<const std::size_t> cells)
{
    auto [volumes, dimensions] = sizesOf(data, cells);
    const int highest = dimensions.empty() ? 0 : *std::ranges::max_element(dimensions);
    for (std::size_t i = 0; i < volumes.size(); ++i)
        if (dimensions[i] < highest)
            volumes[i] = 0;
    return of == Association::cell ? volumes : atPoints(data, cells, volumes);
}

std::vector<double> entityWeights(const Mesh &mesh, Association of)
{
    const auto data = decodeMesh(mesh);
    const auto cells = cellsOf(*data);
    auto [weights, dimensions] = sizesOf(*data, cells);
    std::array<double, 4> totals{};
    for (const auto i : cells) {
        if (dimensions[i] == 0)
            weights[i] = 1;
        totals[static_cast<std::size_t>(dimensions[i])] += weights[i];
    }
    for (const auto i : cells)
        if (const double total = totals[static_cast<std::size_t>(dimensions[i])]; total > 0)
            weights[i] /= total;
    if (of == Association::point)
        weights = atPoints(*data, cells, weights);
    const auto sized = std::ranges::count_if(weights, [](double weight) { return weight > 0; });
    const double mean = std::accumulate(weights.begin(), weights.end(), 0.0)
                        / static_cast<double>(std::max<std::ptrdiff_t>(sized, 1));
    std::ranges::replace(weights, 0.0, sized > 0 ? mean : 1.0);
    return weights;
}

} // namespace gridhelm::data
