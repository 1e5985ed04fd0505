// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small meshes of every kind as a study keeps them (mesh_codec.h), written by hand, so that they
// can be made wrong in any way.
#pragma once

#include "data/study/study_types.h"

#include <vtkCellType.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gridhelm::test {

template <typename T>
void appendTo(std::string &bytes, const std::vector<T> &values)
{
    bytes.append(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
}

inline data::Mesh imageMesh(const std::string &points = "[5,4,3]",
                            const std::string &spacing = "[0.5,1.0,1.0]",
                            const std::string &origin = "[0.0,0.0,0.0]")
{
    return {"image",
            R"({"origin":)" + origin + R"(,"points":)" + points + R"(,"spacing":)" + spacing + "}",
            60, 24};
}

inline data::Mesh rectilinearMesh()
{
    data::Mesh mesh{"rectilinear", {}, 60, 24};
    appendTo<std::uint64_t>(mesh.encoded, {5, 4, 3});
    appendTo<double>(mesh.encoded, {0, 1, 2, 4, 8, 0, 1, 2, 3, 0, 0.5, 1});
    return mesh;
}

inline data::Mesh structuredMesh()
{
    data::Mesh mesh{"structured", {}, 60, 24};
    appendTo<std::uint64_t>(mesh.encoded, {5, 4, 3});
    for (int z = 0; z < 3; ++z)
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 5; ++x)
                appendTo<double>(mesh.encoded, {x + 0.1 * y, y + 0.1 * z, z - 0.1 * x});
    return mesh;
}

/// What an unstructured mesh is encoded from; consistent or not.
struct UnstructuredParts
{
    std::vector<double> places;
    std::vector<unsigned char> types;
    std::vector<std::int64_t> offsets{0}, connectivity, faceLocations, faces;

    void addCell(unsigned char type, const std::vector<std::int64_t> &points)
    {
        types.push_back(type);
        connectivity.insert(connectivity.end(), points.begin(), points.end());
        offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
        faceLocations.push_back(-1);
    }
    void addPolyhedron(const std::vector<std::int64_t> &points,
                       const std::vector<std::vector<std::int64_t>> &itsFaces)
    {
        addCell(VTK_POLYHEDRON, points);
        faceLocations.back() = static_cast<std::int64_t>(faces.size());
        faces.push_back(static_cast<std::int64_t>(itsFaces.size()));
        for (const auto &face : itsFaces) {
            faces.push_back(static_cast<std::int64_t>(face.size()));
            faces.insert(faces.end(), face.begin(), face.end());
        }
    }
    data::Mesh encoded() const
    {
        data::Mesh mesh{"unstructured", {}, places.size() / 3, types.size()};
        appendTo<std::uint64_t>(mesh.encoded,
                                {mesh.points, mesh.cells, connectivity.size(), faces.size()});
        appendTo(mesh.encoded, places);
        appendTo(mesh.encoded, types);
        appendTo(mesh.encoded, offsets);
        appendTo(mesh.encoded, connectivity);
        if (!faces.empty()) {
            appendTo(mesh.encoded, faceLocations);
            appendTo(mesh.encoded, faces);
        }
        return mesh;
    }
};

/// Two cubes as polyhedra, and a hexahedron, a wedge, a tetrahedron, a quadratic one, a polygon, a
/// strip, a line and a vertex on the points of a lattice of 4 x 3 x 3.
inline UnstructuredParts polyhedraAndOthers()
{
    UnstructuredParts parts;
    for (int z = 0; z < 3; ++z)
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 4; ++x)
                parts.places.insert(parts.places.end(), {1.0 * x, 1.0 * y, 1.0 * z});
    const auto cube = [](std::int64_t p) {
        return std::vector<std::int64_t>{p, p + 1, p + 5, p + 4, p + 12, p + 13, p + 17, p + 16};
    };
    for (const std::int64_t p : {0, 1}) {
        const auto c = cube(p);
        parts.addPolyhedron(c, {{c[0], c[3], c[2], c[1]},
                                {c[4], c[5], c[6], c[7]},
                                {c[0], c[1], c[5], c[4]},
                                {c[1], c[2], c[6], c[5]},
                                {c[2], c[3], c[7], c[6]},
                                {c[3], c[0], c[4], c[7]}});
    }
    parts.addCell(VTK_HEXAHEDRON, cube(2));
    parts.addCell(VTK_WEDGE, {4, 5, 8, 16, 17, 20});
    parts.addCell(VTK_TETRA, {5, 6, 9, 17});
    parts.addCell(VTK_QUADRATIC_TETRA, {12, 14, 20, 24, 13, 17, 16, 18, 19, 21});
    parts.addCell(VTK_POLYGON, {24, 25, 26, 30, 28});
    parts.addCell(VTK_TRIANGLE_STRIP, {28, 29, 32, 33, 34});
    parts.addCell(VTK_LINE, {34, 35});
    parts.addCell(VTK_VERTEX, {35});
    return parts;
}

} // namespace gridhelm::test
