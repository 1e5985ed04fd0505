// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/cell_list.h"

#include <vtkCellType.h>
#include <vtkNew.h>
#include <vtkTriangle.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::data {
namespace {

/// Empty if the faces of this polyhedron are sound. VTK looks the points of faces up among those
/// of the cell, and does not ask whether they are there.
std::string problemOfPolyhedron(const CellList &cells, std::size_t c)
{
    if (cells.faceLocations.empty())
        return "a polyhedron without faces";
    const auto size = static_cast<vtkIdType>(cells.faces.size());
    vtkIdType at = cells.faceLocations[c];
    if (at < 0 || at >= size)
        return "a polyhedron without faces";
    constexpr vtkIdType fewest = 4;
    vtkIdType faces = cells.faces[static_cast<std::size_t>(at++)];
    if (faces < fewest)
        return "a polyhedron of fewer than four faces";
    std::vector<vtkIdType> corners(cells.connectivity.begin() + cells.offsets[c],
                                   cells.connectivity.begin() + cells.offsets[c + 1]);
    std::ranges::sort(corners);
    for (; faces > 0; --faces) {
        if (at >= size)
            return "a polyhedron with a broken face";
        const vtkIdType count = cells.faces[static_cast<std::size_t>(at++)];
        if (count < 3 || count > size - at)
            return "a polyhedron with a broken face";
        for (const vtkIdType last = at + count; at < last; ++at)
            if (!std::ranges::binary_search(corners, cells.faces[static_cast<std::size_t>(at)]))
                return "a face with a point that does not belong to its cell";
    }
    return {};
}

/// VTK looks for the nearest of a strip's triangles, and if all of them are lines or points, takes
/// one with a random number. Asked of the very class that decides there.
bool hasArea(const CellList &cells, std::size_t c, vtkPoints &points)
{
    vtkNew<vtkTriangle> triangle;
    for (auto at = cells.offsets[c]; at + 2 < cells.offsets[c + 1]; ++at) {
        std::array<double, 3> x{}, nearest{}, local{}, weights{};
        for (vtkIdType corner = 0; corner < 3; ++corner) {
            points.GetPoint(cells.connectivity[static_cast<std::size_t>(at + corner)], x.data());
            triangle->Points->SetPoint(corner, x.data());
        }
        int part = 0;
        double distance = 0;
        if (triangle->EvaluatePosition(x.data(), nearest.data(), part, local.data(), distance,
                                       weights.data())
                >= 0
            && std::isfinite(distance))
            return true;
    }
    return false;
}

} // namespace

std::array<vtkIdType, 2> pointsOfCell(int type)
{
    constexpr vtkIdType any = std::numeric_limits<vtkIdType>::max();
    switch (type) {
    case VTK_EMPTY_CELL:
        return {0, 0};
    case VTK_VERTEX:
        return {1, 1};
    case VTK_POLY_VERTEX:
        return {1, any};
    case VTK_LINE:
        return {2, 2};
    case VTK_POLY_LINE:
        return {2, any};
    case VTK_TRIANGLE:
        return {3, 3};
    case VTK_TRIANGLE_STRIP:
        return {3, any};
    case VTK_POLYGON:
        return {3, any};
    case VTK_PIXEL:
    case VTK_QUAD:
    case VTK_TETRA:
        return {4, 4};
    case VTK_VOXEL:
    case VTK_HEXAHEDRON:
        return {8, 8};
    case VTK_WEDGE:
        return {6, 6};
    case VTK_PYRAMID:
        return {5, 5};
    case VTK_PENTAGONAL_PRISM:
        return {10, 10};
    case VTK_HEXAGONAL_PRISM:
        return {12, 12};
    case VTK_QUADRATIC_EDGE:
        return {3, 3};
    case VTK_QUADRATIC_TRIANGLE:
        return {6, 6};
    case VTK_QUADRATIC_QUAD:
        return {8, 8};
    case VTK_BIQUADRATIC_QUAD:
        return {9, 9};
    case VTK_QUADRATIC_TETRA:
        return {10, 10};
    case VTK_QUADRATIC_HEXAHEDRON:
        return {20, 20};
    case VTK_QUADRATIC_WEDGE:
        return {15, 15};
    case VTK_QUADRATIC_PYRAMID:
        return {13, 13};
    case VTK_TRIQUADRATIC_HEXAHEDRON:
        return {27, 27};
    case VTK_POLYHEDRON:
        return {4, any};
    default:
        return {1, 0};
    }
}

std::string problemOf(const CellList &cells, vtkPoints &points)
{
    const auto places = points.GetNumberOfPoints();
    const auto size = static_cast<vtkIdType>(cells.connectivity.size());
    if (cells.offsets.size() != cells.types.size() + 1 || cells.offsets.front() != 0
        || cells.offsets.back() != size)
        return "a cell that is out of the list of points";
    for (std::size_t c = 0; c < cells.types.size(); ++c)
        if (cells.offsets[c + 1] < cells.offsets[c] || cells.offsets[c + 1] > size)
            return "a cell that is out of the list of points";
    for (const vtkIdType p : cells.connectivity)
        if (p < 0 || p >= places)
            return "a cell with a point that does not exist";
    if (!cells.faceLocations.empty() && cells.faceLocations.size() != cells.types.size())
        return "a polyhedron without faces";
    for (std::size_t c = 0; c < cells.types.size(); ++c) {
        const auto [least, most] = pointsOfCell(cells.types[c]);
        if (most < least)
            return "a cell of VTK's type " + std::to_string(cells.types[c])
                   + ", which is not supported (cells of first and second order are)";
        const auto count = cells.offsets[c + 1] - cells.offsets[c];
        if (count < least || count > most)
            return "a cell whose number of points does not go with its type";
        if (cells.types[c] == VTK_POLYHEDRON)
            if (auto problem = problemOfPolyhedron(cells, c); !problem.empty())
                return problem;
        if (cells.types[c] == VTK_TRIANGLE_STRIP && !hasArea(cells, c, points))
            return "a strip of triangles without area";
    }
    return {};
}

} // namespace gridhelm::data
