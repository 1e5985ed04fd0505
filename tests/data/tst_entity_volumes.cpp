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
#include <vtkCellTypeSource.h>
#include <vtkGenericCell.h>
#include <vtkIdList.h>
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
    void everyTypeIsMeasured_data();
    void everyTypeIsMeasured();
    void aCurvedSolidIsMeasured();
    void everyDimensionWeighs();
};

void EntityVolumesTest::imagesAgreeWithWhatNeedsNoVtk()
{
    for (const auto &image : {ImageMesh{{5, 4, 1}, {1, 2, 3}, {0.5, 2, 1}},
                              ImageMesh{{3, 4, 2}, {0, 0, 0}, {0.25, 2, 3}},
                              ImageMesh{{6, 1, 1}, {0, 0, 0}, {2, 1, 1}}}) {
        for (const auto of : {Association::point, Association::cell})
            QVERIFY(areNear(entityVolumes(*decodeMesh(encodeImageMesh(image)), of),
                            imageVolumes(image, of)));
    }
}

void EntityVolumesTest::anAnnulusHasItsArea()
{
    const int around = 64, rings = 5;
    const auto mesh = test::plateWithHole(0.5, around, rings);
    // A regular polygon is cut out.
    const double hole = around * 0.5 * 0.25 * std::sin(2 * std::numbers::pi / around);
    const auto cells = entityVolumes(*decodeMesh(mesh), Association::cell);
    const auto points = entityVolumes(*decodeMesh(mesh), Association::point);
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

void EntityVolumesTest::everyTypeIsMeasured_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("order");
    for (const int type :
         {VTK_LINE, VTK_TRIANGLE, VTK_QUAD, VTK_TETRA, VTK_HEXAHEDRON, VTK_WEDGE, VTK_PYRAMID,
          VTK_PENTAGONAL_PRISM, VTK_HEXAGONAL_PRISM, VTK_QUADRATIC_EDGE, VTK_QUADRATIC_TRIANGLE,
          VTK_QUADRATIC_QUAD, VTK_QUADRATIC_TETRA, VTK_QUADRATIC_HEXAHEDRON, VTK_QUADRATIC_WEDGE,
          VTK_QUADRATIC_PYRAMID})
        QTest::addRow("%d", type) << type << 1;
    for (const int type : {VTK_LAGRANGE_CURVE, VTK_LAGRANGE_TRIANGLE, VTK_LAGRANGE_QUADRILATERAL,
                           VTK_LAGRANGE_TETRAHEDRON, VTK_LAGRANGE_HEXAHEDRON, VTK_LAGRANGE_WEDGE,
                           VTK_BEZIER_TRIANGLE, VTK_BEZIER_QUADRILATERAL, VTK_BEZIER_TETRAHEDRON,
                           VTK_BEZIER_HEXAHEDRON, VTK_BEZIER_WEDGE})
        for (const int order : {1, 2, 3})
            QTest::addRow("%d of order %d", type, order) << type << order;
}

void EntityVolumesTest::everyTypeIsMeasured()
{
    QFETCH(int, type);
    QFETCH(int, order);
    vtkNew<vtkCellTypeSource> source; // blocks of 1 x 1 x 1
    source->SetCellType(type);
    source->SetCellOrder(order);
    source->SetCompleteQuadraticSimplicialElements(false);
    source->SetBlocksDimensions(2, 3, 2);
    source->SetOutputPrecision(vtkAlgorithm::DOUBLE_PRECISION);
    source->Update();
    auto &grid = *source->GetOutput();
    QVERIFY(grid.GetNumberOfCells() > 0);
    const int dimension = grid.GetCell(0)->GetCellDimension();
    const double whole = dimension == 3 ? 12 : dimension == 2 ? 6 : 2;
    const auto volumes = entityVolumes(grid, Association::cell);
    if (type == VTK_PENTAGONAL_PRISM || type == VTK_HEXAGONAL_PRISM)
        QVERIFY(std::ranges::all_of(volumes, [](double volume) { return volume > 0; }));
    QVERIFY2(std::abs(sum(volumes) - whole) <= 1e-9 * whole, QByteArray::number(sum(volumes)));
}

/// The types that the source does not make: a box with the nodes of 29, 31, 32, 33 where the cells
/// have them.
void EntityVolumesTest::aCurvedSolidIsMeasured()
{
    for (const auto &[type, volume] : {std::pair{VTK_TRIQUADRATIC_HEXAHEDRON, 1.0},
                                       {VTK_BIQUADRATIC_QUADRATIC_HEXAHEDRON, 1.0},
                                       {VTK_QUADRATIC_LINEAR_WEDGE, 0.5},
                                       {VTK_BIQUADRATIC_QUADRATIC_WEDGE, 0.5}}) {
        vtkNew<vtkGenericCell> cell;
        cell->SetCellType(type);
        const double *places = cell->GetParametricCoords();
        vtkNew<vtkPoints> points;
        points->SetDataTypeToDouble();
        vtkNew<vtkIdList> ids;
        for (vtkIdType i = 0; i < cell->GetNumberOfPoints(); ++i)
            ids->InsertNextId(points->InsertNextPoint(places + 3 * i));
        vtkNew<vtkUnstructuredGrid> grid;
        grid->SetPoints(points);
        grid->InsertNextCell(type, ids);
        QVERIFY2(areNear(entityVolumes(*grid, Association::cell), {volume}),
                 QByteArray::number(type));
    }
}

void EntityVolumesTest::everyDimensionWeighs()
{
    vtkNew<vtkUnstructuredGrid> grid;
    grid->SetPoints(corners());
    const std::array<vtkIdType, 8> box{0, 1, 2, 3, 4, 5, 6, 7};
    const std::array<vtkIdType, 4> corner{0, 1, 3, 4}, flat{0, 1, 2, 3};
    grid->InsertNextCell(VTK_HEXAHEDRON, 8, box.data()); // 24
    grid->InsertNextCell(VTK_TETRA, 4, corner.data());   // 4
    grid->InsertNextCell(VTK_TETRA, 4, flat.data());     // 0
    grid->InsertNextCell(VTK_QUAD, 4, box.data());       // 6
    const auto mesh = encodeMesh(*grid);
    const double mean = 2.0 / 3;
    QVERIFY(areNear(entityWeights(mesh, Association::cell), {24.0 / 28, 4.0 / 28, mean, 1}));
    const auto points = entityWeights(mesh, Association::point);
    QVERIFY(std::abs(points[2] - (24.0 / 28 / 8 + 1.0 / 4)) <= 1e-12);
    QVERIFY(std::abs(points[8] - 2.0 / 8) <= 1e-12); // in no cell
}

GRIDHELM_TEST(EntityVolumesTest)
#include "tst_entity_volumes.moc"
