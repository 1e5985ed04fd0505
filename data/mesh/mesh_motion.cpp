// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/mesh_motion.h"

#include "core/support/error.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_coordinates.h"
#include "data/mesh/mesh_difference.h"
#include "data/mesh/vector_3.h"
#include "data/study/mesh_limits.h"

#include <vtkGenericCell.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkStructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::data {

namespace {

Vector3 placeOf(vtkDataSet &data, vtkIdType node)
{
    Vector3 place{};
    data.GetPoint(node, place.data());
    return place;
}

double lengthOf(const std::array<Vector3, 4> &corners, std::size_t from, std::size_t to)
{
    const auto edge = minus(corners.at(to), corners.at(from));
    return std::sqrt(dot(edge, edge));
}

} // namespace

Mesh movable(const Mesh &mesh)
{
    if (mesh.kind != "image" && mesh.kind != "rectilinear")
        return mesh;
    const auto data = decodeMesh(mesh);
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    points->SetNumberOfPoints(data->GetNumberOfPoints());
    for (vtkIdType i = 0; i < data->GetNumberOfPoints(); ++i)
        points->SetPoint(i, placeOf(*data, i).data());
    vtkNew<vtkStructuredGrid> structured;
    const auto along = *gridDimensions(*data);
    structured->SetDimensions(static_cast<int>(along[0]), static_cast<int>(along[1]),
                              static_cast<int>(along[2]));
    structured->SetPoints(points);
    return encodeMesh(*structured);
}

MeshMotion motionBetween(const Mesh &mesh, const Mesh &moved)
{
    if (auto difference = differenceOfCounts(mesh, moved); !difference.empty())
        return {std::move(difference), {}};
    if (mesh == moved)
        return {{}, std::vector<float>(3 * mesh.points)};
    const auto from = decodeMesh(mesh), to = decodeMesh(moved);
    if (gridDimensions(*from) != gridDimensions(*to))
        return {"The mesh is of kind " + moved.kind + " and of another shape than the study's, of "
                    + "kind " + mesh.kind,
                {}};
    MeshMotion motion{differenceOfCells(*from, *to), {}};
    if (!motion.difference.empty())
        return motion;
    motion.displacement.reserve(3 * mesh.points);
    for (vtkIdType i = 0; i < from->GetNumberOfPoints(); ++i) {
        for (const double part : minus(placeOf(*to, i), placeOf(*from, i)))
            motion.displacement.push_back(static_cast<float>(part));
    }
    return motion;
}

void requireMovable(vtkDataSet &data)
{
    if (!vtkPointSet::SafeDownCast(&data))
        throw Error("the nodes of the study's mesh cannot move, as it is a regular grid");
}

MovingNodes::MovingNodes(vtkDataSet &data)
    : m_data(vtkPointSet::SafeDownCast(&data))
{
    requireMovable(data);
    m_original = m_data->GetPoints();
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    points->DeepCopy(m_original);
    m_data->SetPoints(points);
}

void MovingNodes::move(std::span<const float> displacement)
{
    auto &points = *m_data->GetPoints();
    const auto count = m_original->GetNumberOfPoints();
    if (displacement.size() != 3 * static_cast<std::size_t>(count))
        throw Error("The displacement of the mesh has another length than the mesh: the study is "
                    "damaged; restore it from a copy");
    for (vtkIdType i = 0; i < count; ++i) {
        Vector3 place{};
        m_original->GetPoint(i, place.data());
        auto moved = place;
        for (std::size_t t = 0; t < 3; ++t)
            moved[t] += displacement[3 * static_cast<std::size_t>(i) + t];
        const bool isSound = std::ranges::all_of(moved, isSoundCoordinate);
        points.SetPoint(i, (isSound ? moved : place).data());
    }
    points.Modified();
    m_data->Modified(); // bounds, and what was found in it
}

InvertedCells::InvertedCells(vtkDataSet &data)
{
    for (vtkIdType i = 0; i < data.GetNumberOfPoints(); ++i)
        m_places.push_back(placeOf(data, i));
    const double *bounds = data.GetBounds();
    bool isFlat = false;
    for (std::size_t t = 0; t < 3; ++t)
        isFlat = isFlat || bounds[2 * t + 1] - bounds[2 * t] <= 1e-6 * data.GetLength();
    vtkNew<vtkGenericCell> cell;
    vtkNew<vtkIdList> ids;
    vtkNew<vtkPoints> ignored;
    for (vtkIdType c = 0; c < data.GetNumberOfCells(); ++c) {
        data.GetCell(c, cell);
        const int corners = cell->GetCellDimension() + 1;
        // In space a shell may turn round without being inverted.
        if (corners == 4 || (corners == 3 && isFlat)) {
            cell->Triangulate(0, ids, ignored);
            for (vtkIdType i = 0; i + corners <= ids->GetNumberOfIds(); i += corners) {
                Simplex simplex;
                simplex.corners = corners;
                for (int k = 0; k < corners; ++k)
                    simplex.nodes.at(static_cast<std::size_t>(k)) =
                        static_cast<std::size_t>(ids->GetId(i + k));
                m_simplices.push_back(simplex);
            }
        }
        m_firstSimplex.push_back(m_simplices.size());
    }
}

bool InvertedCells::isInverted(const Simplex &simplex, std::span<const float> displacement) const
{
    std::array<Vector3, 4> before{}, after{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(simplex.corners); ++k) {
        before[k] = after[k] = m_places[simplex.nodes[k]];
        for (std::size_t t = 0; t < 3; ++t)
            after[k][t] += displacement[3 * simplex.nodes[k] + t];
    }
    const auto normal = [](const std::array<Vector3, 4> &x) {
        return cross(minus(x[1], x[0]), minus(x[2], x[0]));
    };
    double longest = 0;
    for (std::size_t k = 1; k < static_cast<std::size_t>(simplex.corners); ++k)
        longest = std::max(longest, lengthOf(before, 0, k));
    // Of slivers, round-off decides which way they lie.
    constexpr double sliver = 1e-6;
    if (simplex.corners == 3) // against how it lay: a flat cell has no inside
        return !(dot(normal(before), normal(after)) > 0)
               && dot(normal(before), normal(before)) > std::pow(sliver * longest * longest, 2);
    const auto volume = [&](const std::array<Vector3, 4> &x) {
        return dot(normal(x), minus(x[3], x[0]));
    };
    return !(volume(before) * volume(after) > 0)
           && std::abs(volume(before)) > sliver * std::pow(longest, 3);
}

std::size_t InvertedCells::count(std::span<const float> displacement) const
{
    std::size_t count = 0;
    for (std::size_t c = 0; c < cells(); ++c) {
        const auto begin = m_simplices.begin() + static_cast<std::ptrdiff_t>(m_firstSimplex[c]);
        const auto end = m_simplices.begin() + static_cast<std::ptrdiff_t>(m_firstSimplex[c + 1]);
        count += std::any_of(
            begin, end, [&](const Simplex &simplex) { return isInverted(simplex, displacement); });
    }
    return count;
}

} // namespace gridhelm::data
