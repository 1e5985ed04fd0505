// SPDX-License-Identifier: GPL-3.0-or-later
//
// Volumes of cells and around points, by hand.
#include "data/compress/node_volumes.h"
#include "data/mesh/entity_volumes.h"
#include "data/mesh/mesh_codec.h"
#include "data/study/image_mesh.h"
#include "tests/data/plate_meshes.h"
#include "tests/support/test_program.h"

#include <vtkCellType.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>

#include <QTest>

#include <cmath>
#include <numeric>

using namespace gridhelm;
using namespace gridhelm::data;

namespace {

bool areNear(const std::vector<double> &found, const std::vector<double> &expected)
{
    return std::ranges::equal(found, expected,
                              [](double a, double b) { return std::abs(a - b) <= 1e-12; });
}

double sum(const std::vector<double> &values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// The corners of a box of 2 x 3 x 4, and one more beside it.
vtkNew<vtkPoints> corners()
{
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    for (const double z : {0.0, 4.0})
        for (const auto &[x, y] : {std::pair{0.0, 0.0}, {2.0, 0.0}, {2.0, 3.0}, {0.0, 3.0}})
            points->InsertNextPoint(x, y, z);
    points->InsertNextPoint(9, 9, 9);
    return points;
}

} // namespace

class EntityVolumesTest : public QObject
{
    Q_OBJECT

private slots:
    void imagesAgreeWithWhatNeedsNoVtk();
    void anAnnulusHasItsArea();
    void solidsAreMeasured();
    void onlyTheHighestDimensionCounts();
    void insideOutIsNotNegative();
};

void EntityVolumesTest::imagesAgreeWithWhatNeedsNoVtk()
{
    for (const auto &image : {ImageMesh{{5, 4, 1}, {1, 2, 3}, {0.5, 2, 1}},
                              ImageMesh{{3, 4, 2}, {0, 0, 0}, {0.25, 2, 3}},
                              ImageMesh{{6, 1, 1}, {0, 0, 0}, {2, 1, 1}}}) {
        for (const auto of : {Association::point, Association::cell})
            QVERIFY(areNear(entityVolumes(encodeImageMesh(image), of), imageVolumes(image, of)));
    }
}

void EntityVolumesTest::anAnnulusHasItsArea()
{
    const int around = 64, rings = 5;
    const auto mesh = test::plateWithHole(0.5, around, rings);
    // A regular polygon is cut out.
    const double hole = around * 0.5 * 0.25 * std::sin(2 * std::numbers::pi / around);
    const auto cells = entityVolumes(mesh, Association::cell);
    const auto points = entityVolumes(mesh, Association::point);
    QCOMPARE(cells.size(), static_cast<std::size_t>(around * rings));
    QCOMPARE(points.size(), static_cast<std::size_t>(around * (rings + 1)));
    QVERIFY(std::abs(sum(cells) - (4 - hole)) <= 1e-12);
    QVERIFY(std::abs(sum(points) - (4 - hole)) <= 1e-12);
    QVERIFY(std::abs(points[0] - (cells[0] + cells[around - 1]) / 4) <= 1e-12);
}

void EntityVolumesTest::solidsAreMeasured()
{
    vtkNew<vtkUnstructuredGrid> grid;
    grid->SetPoints(corners());
    const std::array<vtkIdType, 8> box{0, 1, 2, 3, 4, 5, 6, 7};
    grid->InsertNextCell(VTK_HEXAHEDRON, 8, box.data());
    const std::array<vtkIdType, 4> corner{0, 1, 3, 4};
    grid->InsertNextCell(VTK_TETRA, 4, corner.data());
    QVERIFY(areNear(entityVolumes(*grid, Association::cell), {24, 4}));
    QVERIFY(areNear(entityVolumes(*grid, Association::point), {4, 4, 3, 4, 4, 3, 3, 3, 0}));
}

void EntityVolumesTest::onlyTheHighestDimensionCounts()
{
    vtkNew<vtkUnstructuredGrid> grid;
    grid->SetPoints(corners());
    const std::array<vtkIdType, 4> face{0, 1, 2, 3}, triangle{0, 1, 4, 0}, line{0, 8, 0, 0};
    grid->InsertNextCell(VTK_QUAD, 4, face.data());
    grid->InsertNextCell(VTK_TRIANGLE, 3, triangle.data());
    grid->InsertNextCell(VTK_LINE, 2, line.data());
    grid->InsertNextCell(VTK_VERTEX, 1, line.data());
    QVERIFY(areNear(entityVolumes(*grid, Association::cell), {6, 4, 0, 0}));
}

void EntityVolumesTest::insideOutIsNotNegative()
{
    vtkNew<vtkUnstructuredGrid> grid;
    grid->SetPoints(corners());
    const std::array<vtkIdType, 4> turned{1, 0, 3, 4};
    grid->InsertNextCell(VTK_TETRA, 4, turned.data());
    QVERIFY(areNear(entityVolumes(*grid, Association::cell), {4}));
}

GRIDHELM_TEST(EntityVolumesTest)
#include "tst_entity_volumes.moc"
