// SPDX-License-Identifier: GPL-3.0-or-later
//
// The outer surface knows of which points and cells of the mesh it consists, whatever the cells
// are.
#include "data/mesh/mesh_codec.h"
#include "tests/data/encoded_meshes.h"
#include "tests/support/test_program.h"
#include "ui/scene/geometry/outer_surface.h"

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkPointData.h>

#include <QTest>

#include <algorithm>
#include <array>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::test;

namespace {

using Points = std::vector<std::int64_t>;

/// Points of an even number of cells in each direction: every second one is a corner.
struct Lattice
{
    std::int64_t nx, ny, nz;

    std::vector<double> places() const
    {
        std::vector<double> all;
        for (std::int64_t z = 0; z < nz; ++z)
            for (std::int64_t y = 0; y < ny; ++y)
                for (std::int64_t x = 0; x < nx; ++x)
                    all.insert(all.end(), {double(x), double(y), double(z)});
        return all;
    }
    std::int64_t at(std::int64_t x, std::int64_t y, std::int64_t z = 0) const
    {
        return (z * ny + y) * nx + x;
    }
    /// Corners of the cell of two by two (by two) points that begins at x.
    Points square(std::int64_t x, std::int64_t z = 0) const
    {
        return {at(x, 0, z), at(x + 2, 0, z), at(x + 2, 2, z), at(x, 2, z)};
    }
    Points cube(std::int64_t x) const
    {
        auto corners = square(x, 0);
        for (const auto p : square(x, 2))
            corners.push_back(p);
        return corners;
    }
};

/// With the points in the middle of these edges.
Points quadratic(Points corners, const std::vector<std::array<std::size_t, 2>> &edges)
{
    for (const auto &[a, b] : edges)
        corners.push_back((corners[a] + corners[b]) / 2); // a lattice's numbers are linear
    return corners;
}

/// Four cubes in a row: quadratic, linear, polyhedron, quadratic.
data::Mesh solidMesh()
{
    const Lattice lattice{9, 3, 3};
    UnstructuredParts parts;
    parts.places = lattice.places();
    const std::vector<std::array<std::size_t, 2>> edges{{0, 1}, {1, 2}, {2, 3}, {3, 0},
                                                        {4, 5}, {5, 6}, {6, 7}, {7, 4},
                                                        {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    parts.addCell(VTK_QUADRATIC_HEXAHEDRON, quadratic(lattice.cube(0), edges));
    parts.addCell(VTK_HEXAHEDRON, lattice.cube(2));
    const auto c = lattice.cube(4);
    parts.addPolyhedron(c, {{c[0], c[3], c[2], c[1]},
                            {c[4], c[5], c[6], c[7]},
                            {c[0], c[1], c[5], c[4]},
                            {c[1], c[2], c[6], c[5]},
                            {c[2], c[3], c[7], c[6]},
                            {c[3], c[0], c[4], c[7]}});
    parts.addCell(VTK_QUADRATIC_HEXAHEDRON, quadratic(lattice.cube(6), edges));
    return parts.encoded();
}

/// A square, and two triangles beside it, all quadratic.
data::Mesh flatMesh()
{
    const Lattice lattice{5, 3, 1};
    UnstructuredParts parts;
    parts.places = lattice.places();
    parts.addCell(VTK_QUADRATIC_QUAD,
                  quadratic(lattice.square(0), {{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
    const auto s = lattice.square(2);
    for (const auto &corners : {Points{s[0], s[1], s[3]}, Points{s[1], s[2], s[3]}})
        parts.addCell(VTK_QUADRATIC_TRIANGLE, quadratic(corners, {{0, 1}, {1, 2}, {2, 0}}));
    return parts.encoded();
}

} // namespace

class TestOuterSurface : public QObject
{
    Q_OBJECT

private slots:
    void valuesOfPointsAndCellsAreTheMeshs_data()
    {
        QTest::addColumn<bool>("solid");
        QTest::addColumn<int>("faces");
        QTest::newRow("cubes in a row") << true << 18;
        QTest::newRow("square and triangles") << false << 3;
    }
    void valuesOfPointsAndCellsAreTheMeshs()
    {
        QFETCH(bool, solid);
        QFETCH(int, faces);
        const auto mesh = data::decodeMesh(solid ? solidMesh() : flatMesh());
        ui::OuterSurface surface(*mesh);
        auto &drawn = *surface.polyData();
        QCOMPARE(drawn.GetNumberOfCells(), vtkIdType(faces));

        std::vector<float> values;
        for (vtkIdType i = 0; i < mesh->GetNumberOfPoints(); ++i)
            values.push_back(static_cast<float>(mesh->GetPoint(i)[0] + 10 * mesh->GetPoint(i)[1]));
        const auto &points = surface.ids(data::Association::point);
        QVERIFY(std::ranges::all_of(
            points, [&](vtkIdType id) { return id >= 0 && id < mesh->GetNumberOfPoints(); }));
        surface.setValues(values, data::Association::point);
        for (vtkIdType i = 0; i < drawn.GetNumberOfPoints(); ++i)
            QCOMPARE(drawn.GetPointData()->GetScalars()->GetComponent(i, 0),
                     drawn.GetPoint(i)[0] + 10 * drawn.GetPoint(i)[1]);

        values.clear();
        for (vtkIdType c = 0; c < mesh->GetNumberOfCells(); ++c)
            values.push_back(static_cast<float>(mesh->GetCell(c)->GetBounds()[0]));
        const auto &cells = surface.ids(data::Association::cell);
        QVERIFY(std::ranges::all_of(
            cells, [&](vtkIdType id) { return id >= 0 && id < mesh->GetNumberOfCells(); }));
        surface.setValues(values, data::Association::cell);
        for (vtkIdType c = 0; c < drawn.GetNumberOfCells(); ++c) {
            const double *bounds = drawn.GetCell(c)->GetBounds();
            const double begin = drawn.GetCellData()->GetScalars()->GetComponent(c, 0);
            QVERIFY(bounds[0] >= begin && bounds[1] <= begin + 2);
        }
    }
};

GRIDHELM_TEST(TestOuterSurface)
#include "tst_outer_surface.moc"
