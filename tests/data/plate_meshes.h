// SPDX-License-Identifier: GPL-3.0-or-later
//
// Meshes of a square plate, with and without a hole, and a beam, with fields whose exact values are
// known: what a program with a geometry parameter delivers.
#pragma once

#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_coordinates.h"
#include "data/mesh/snapshot_reader.h"

#include <vtkCellType.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace gridhelm::test {

using Place = std::array<double, 3>;
using Function = std::function<double(const Place &)>;

/// Quadrilaterals between `along` by `across` nodes, placed by `place(i, j)`; closed: the last
/// column of cells joins the first nodes again.
inline data::Mesh quadMesh(int along, int across, bool isClosed,
                           const std::function<Place(int, int)> &place)
{
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    for (int j = 0; j < across; ++j)
        for (int i = 0; i < along; ++i)
            points->InsertNextPoint(place(i, j).data());
    vtkNew<vtkUnstructuredGrid> grid;
    grid->SetPoints(points);
    for (int j = 0; j + 1 < across; ++j) {
        for (int i = 0; i + (isClosed ? 0 : 1) < along; ++i) {
            const int next = (i + 1) % along;
            const std::array<vtkIdType, 4> nodes{j * along + i, j * along + next,
                                                 (j + 1) * along + next, (j + 1) * along + i};
            grid->InsertNextCell(VTK_QUAD, 4, nodes.data());
        }
    }
    return data::encodeMesh(*grid);
}

/// The square [-1, 1]^2 without a circle of this radius around its middle. `around`: a multiple of
/// 8, so that the corners are nodes.
inline data::Mesh plateWithHole(double radius, int around, int rings)
{
    return quadMesh(around, rings + 1, true, [=](int i, int j) -> Place {
        const double angle = 2 * std::numbers::pi * i / around;
        const double c = std::cos(angle), s = std::sin(angle);
        const double side = 1 / std::max(std::abs(c), std::abs(s));
        const double t = std::pow(static_cast<double>(j) / rings, 1.5);
        const double r = radius + t * (side - radius);
        return {r * c, r * s, 0};
    });
}

/// [0, 1]^2, with nodes that stand where they like, differently for each `seed`.
inline data::Mesh unevenSquare(int cells, int seed)
{
    return quadMesh(cells + 1, cells + 1, false, [=](int i, int j) -> Place {
        const double h = 1.0 / cells;
        const auto shift = [&](int k) {
            const bool isInside = i > 0 && i < cells && j > 0 && j < cells;
            return isInside ? 0.3 * h * std::sin(12.9 * i + 78.2 * j + 3.7 * k + 5.1 * seed) : 0;
        };
        return {i * h + shift(0), j * h + shift(1), 0};
    });
}

/// A fixture: `length` by `height`, with its cells where they always are.
inline data::Mesh beam(double length, double height, int cells = 12)
{
    return quadMesh(cells + 1, 4, false, [=](int i, int j) -> Place {
        return {length * i / cells, height * (j / 3.0 - 0.5), 0};
    });
}

/// The stress along x of an infinite plate that is pulled along x with 1, around a circular hole
/// (Kirsch 1898).
inline double kirsch(const Place &place, double radius)
{
    const double r = std::max(std::hypot(place[0], place[1]), 1e-9);
    const double angle = std::atan2(place[1], place[0]);
    const double q = radius * radius / (r * r), c2 = std::cos(2 * angle);
    const double rr = 0.5 * (1 - q) + 0.5 * (1 - 4 * q + 3 * q * q) * c2;
    const double tt = 0.5 * (1 + q) - 0.5 * (1 + 3 * q * q) * c2;
    const double rt = -0.5 * (1 + 2 * q - 3 * q * q) * std::sin(2 * angle);
    const double c = std::cos(angle), s = std::sin(angle);
    return rr * c * c + tt * s * s - 2 * rt * s * c;
}

/// The function as a field at points, "p", and one in cells, "c".
inline data::RunSnapshot onMesh(const data::Mesh &mesh, const Function &function)
{
    data::RunSnapshot snapshot;
    snapshot.mesh = mesh;
    snapshot.fields = {{"p", "", 1, data::Association::point, mesh.points},
                       {"c", "", 1, data::Association::cell, mesh.cells}};
    snapshot.values.resize(2);
    const auto decoded = data::decodeMesh(mesh);
    for (vtkIdType i = 0; i < decoded->GetNumberOfPoints(); ++i) {
        Place place{};
        decoded->GetPoint(i, place.data());
        snapshot.values[0].push_back(static_cast<float>(function(place)));
    }
    const auto centres = data::placesOfCells(*decoded);
    for (std::size_t i = 0; i + 2 < centres.size(); i += 3)
        snapshot.values[1].push_back(
            static_cast<float>(function({centres[i], centres[i + 1], centres[i + 2]})));
    return snapshot;
}

} // namespace gridhelm::test
