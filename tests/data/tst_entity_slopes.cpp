// SPDX-License-Identifier: GPL-3.0-or-later
//
// Slopes of fields on meshes: exact for linear fields on cells of every kind, and by hand.
#include "data/mesh/entity_slopes.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_coordinates.h"
#include "data/mesh/place_samples.h"
#include "data/study/image_mesh.h"
#include "tests/core/expect_error.h"
#include "tests/data/plate_meshes.h"
#include "tests/support/test_program.h"

#include <vtkCellType.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>

#include <QTest>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr Vector3 inclined{2, -3, 5};

double linear(const double *x)
{
    return 7 + inclined[0] * x[0] + inclined[1] * x[1] + inclined[2] * x[2];
}

std::vector<double> placesOf(vtkDataSet &mesh, Association of)
{
    return of == Association::point ? placesOfPoints(mesh) : placesOfCells(mesh);
}

Vector3 slopeOf(const std::vector<EntitySlopes::Share> &shares, const std::vector<double> &values)
{
    Vector3 slope{};
    for (const auto &share : shares)
        for (std::size_t axis = 0; axis < 3; ++axis)
            slope[axis] += share.weight[axis] * values[share.entity];
    return slope;
}

/// Of the linear field, at all points (or cells) that have any; how many have.
std::size_t linearOnes(vtkDataSet &mesh, Association of, const Vector3 &expected)
{
    const auto places = placesOf(mesh, of);
    std::vector<double> values;
    for (std::size_t i = 0; i < places.size(); i += 3)
        values.push_back(linear(places.data() + i));
    EntitySlopes slopes(mesh, of);
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto shares = slopes.at(i);
        if (shares.empty())
            continue;
        ++count;
        const auto slope = slopeOf(shares, values);
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (!(std::abs(slope[axis] - expected[axis]) <= 1e-9)) {
                qWarning("entity %zu, axis %zu: %g", i, axis, slope[axis]);
                return 0;
            }
    }
    return count;
}

/// A skew box of 3 x 2 x 2 cells, each of the kind; boxes are cut where it has fewer corners.
vtkSmartPointer<vtkUnstructuredGrid> skewBox(int kind)
{
    const int n[3] = {4, 3, 3};
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i)
                points->InsertNextPoint(i + 0.2 * j, 0.7 * j - 0.1 * k, k + 0.3 * i);
    points->InsertNextPoint(50, 50, 50); // of no cell
    const auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
    grid->SetPoints(points);
    const auto add = [&](int type, const std::vector<vtkIdType> &nodes) {
        if (type != VTK_POLYHEDRON) {
            grid->InsertNextCell(type, static_cast<vtkIdType>(nodes.size()), nodes.data());
            return;
        }
        vtkNew<vtkIdList> faces;
        faces->InsertNextId(6);
        for (const auto &face : {std::array{0, 3, 2, 1},
                                 {4, 5, 6, 7},
                                 {0, 1, 5, 4},
                                 {1, 2, 6, 5},
                                 {2, 3, 7, 6},
                                 {3, 0, 4, 7}}) {
            faces->InsertNextId(4);
            for (const int corner : face)
                faces->InsertNextId(nodes[static_cast<std::size_t>(corner)]);
        }
        grid->InsertNextCell(VTK_POLYHEDRON, faces);
    };
    for (int k = 0; k + 1 < n[2]; ++k)
        for (int j = 0; j + 1 < n[1]; ++j)
            for (int i = 0; i + 1 < n[0]; ++i) {
                const auto at = [&](int a, int b, int c) -> vtkIdType {
                    return ((k + c) * n[1] + j + b) * n[0] + i + a;
                };
                const std::vector<vtkIdType> box{at(0, 0, 0), at(1, 0, 0), at(1, 1, 0),
                                                 at(0, 1, 0), at(0, 0, 1), at(1, 0, 1),
                                                 at(1, 1, 1), at(0, 1, 1)};
                if (kind == VTK_TETRA) {
                    for (const auto &cut : {std::array{0, 1, 3, 4},
                                            {1, 2, 3, 6},
                                            {1, 4, 5, 6},
                                            {3, 4, 6, 7},
                                            {1, 3, 4, 6}})
                        add(VTK_TETRA, {box[cut[0]], box[cut[1]], box[cut[2]], box[cut[3]]});
                } else if (kind == VTK_WEDGE) {
                    add(VTK_WEDGE, {box[0], box[1], box[3], box[4], box[5], box[7]});
                    add(VTK_WEDGE, {box[1], box[2], box[3], box[5], box[6], box[7]});
                } else {
                    add(kind, box);
                }
            }
    return grid;
}

} // namespace

class EntitySlopesTest : public QObject
{
    Q_OBJECT

private slots:
    void linearFieldsAreExactInSolids_data();
    void linearFieldsAreExactInSolids();
    void surfacesKnowSlopesWithinThem();
    void squaresHaveTheSlopesOfTheirNeighbours();
    void placesTakeSlopesAsTheyTakeValues();
    void pointsAloneHaveNoSlopes();
};

void EntitySlopesTest::linearFieldsAreExactInSolids_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("hexahedra") << static_cast<int>(VTK_HEXAHEDRON);
    QTest::newRow("tetrahedra") << static_cast<int>(VTK_TETRA);
    QTest::newRow("wedges") << static_cast<int>(VTK_WEDGE);
    QTest::newRow("polyhedra") << static_cast<int>(VTK_POLYHEDRON);
}

void EntitySlopesTest::linearFieldsAreExactInSolids()
{
    QFETCH(int, kind);
    const auto mesh = skewBox(kind);
    QCOMPARE(linearOnes(*mesh, Association::point, inclined), std::size_t{36});
    QCOMPARE(linearOnes(*mesh, Association::cell, inclined),
             static_cast<std::size_t>(mesh->GetNumberOfCells()));
}

void EntitySlopesTest::surfacesKnowSlopesWithinThem()
{
    const auto plate = decodeMesh(plateWithHole(0.4, 16, 3));
    const Vector3 within{inclined[0], inclined[1], 0};
    QCOMPARE(linearOnes(*plate, Association::point, within), std::size_t{16 * 4});
    QCOMPARE(linearOnes(*plate, Association::cell, within), std::size_t{16 * 3});
}

void EntitySlopesTest::squaresHaveTheSlopesOfTheirNeighbours()
{
    // x^2 on 5 points, a half apart: 2 x inside, and at the ends the slope of the cell.
    const auto mesh = decodeMesh(encodeImageMesh({{5, 3, 1}, {1, 0, 0}, {0.5, 1, 1}}));
    const auto places = placesOfPoints(*mesh);
    std::vector<double> values;
    for (std::size_t i = 0; i < places.size(); i += 3)
        values.push_back(places[i] * places[i]);
    EntitySlopes slopes(*mesh, Association::point);
    for (std::size_t j = 0; j < 3; ++j) {
        const std::vector expected{2.5, 3.0, 4.0, 5.0, 5.5};
        for (std::size_t i = 0; i < 5; ++i) {
            const auto shares = slopes.at(5 * j + i);
            const auto slope = slopeOf(shares, values);
            QVERIFY(std::abs(slope[0] - expected[i]) <= 1e-12);
            QVERIFY(std::abs(slope[1]) <= 1e-12 && slope[2] == 0);
            QVERIFY(shares.size() <= 5); // along the axes alone
        }
    }
}

void EntitySlopesTest::placesTakeSlopesAsTheyTakeValues()
{
    const auto mesh = decodeMesh(encodeImageMesh({{5, 3, 1}, {1, 0, 0}, {0.5, 1, 1}}));
    const auto places = placesOfPoints(*mesh);
    const auto sumsOf = [&](const WeightedSums &sums, std::size_t place, std::size_t axis) {
        double sum = 0;
        for (auto k = sums.first[place]; k < sums.first[place + 1]; ++k) {
            const double *x = places.data() + 3 * sums.shares[k].entity;
            sum += sums.shares[k].weight * (axis == 0 ? x[0] * x[0] : x[1] * 3);
        }
        return sum;
    };
    const auto point = samplesAt(*mesh, Association::point, answers::parsePlace("point 1.75,0.5,0"),
                                 {true, true, false});
    QCOMPARE(point.places(), std::size_t{1});
    QVERIFY(std::abs(sumsOf(point.slopes[0], 0, 0) - 3.5) <= 1e-9);
    QVERIFY(std::abs(sumsOf(point.slopes[1], 0, 1) - 3) <= 1e-9);
    QCOMPARE(point.slopes[2].first.size(), std::size_t{1}); // not asked for
    const auto box = samplesAt(*mesh, Association::point,
                               answers::parsePlace("box 1.4,0,0,2.6,2,0"), {true, false, false});
    QCOMPARE(box.places(), std::size_t{9});
    for (std::size_t place = 0; place < 9; ++place) {
        const double x = places[3 * box.shares[box.first[place]].entity];
        QVERIFY(std::abs(sumsOf(box.slopes[0], place, 0) - 2 * x) <= 1e-12);
    }
    const auto cells = samplesAt(*mesh, Association::cell, answers::parsePlace("point 1.8,0.5,0"),
                                 {true, false, false});
    const auto centres = placesOfCells(*mesh);
    double slope = 0;
    for (const auto &share : cells.slopes[0].shares)
        slope += share.weight * 4 * centres[3 * share.entity];
    QVERIFY(std::abs(slope - 4) <= 1e-9);
}

void EntitySlopesTest::pointsAloneHaveNoSlopes()
{
    vtkNew<vtkPoints> points;
    points->InsertNextPoint(0, 0, 0);
    points->InsertNextPoint(1, 0, 0);
    vtkNew<vtkUnstructuredGrid> cloud;
    cloud->SetPoints(points);
    for (vtkIdType p = 0; p < 2; ++p)
        cloud->InsertNextCell(VTK_VERTEX, 1, &p);
    QVERIFY(isRefused([&] { EntitySlopes(*cloud, Association::point); }, "cells between"));
    // Cells upon each other, and cells without volume, are no reason for numbers that are none.
    vtkNew<vtkUnstructuredGrid> flat;
    vtkNew<vtkPoints> same;
    for (int i = 0; i < 4; ++i)
        same->InsertNextPoint(1, 1, 1);
    flat->SetPoints(same);
    const vtkIdType nodes[4] = {0, 1, 2, 3};
    flat->InsertNextCell(VTK_TETRA, 4, nodes);
    EntitySlopes none(*flat, Association::point);
    for (const auto &share : none.at(0))
        for (const double weight : share.weight)
            QVERIFY(std::isfinite(weight));
}

GRIDHELM_TEST(EntitySlopesTest)
#include "tst_entity_slopes.moc"
