// SPDX-License-Identifier: GPL-3.0-or-later
//
// Slices that are cut once and then follow values: the same as VTK cuts anew.
#include "tests/support/test_program.h"
#include "tests/ui/unstructured_image.h"
#include "ui/scene/geometry/sliced_values.h"

#include <vtkCellData.h>
#include <vtkDataSetTriangleFilter.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkMath.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkRectilinearGrid.h>
#include <vtkStaticPointLocator.h>
#include <vtkTransform.h>
#include <vtkTransformFilter.h>
#include <vtkUnstructuredGrid.h>

#include <QTest>

#include <array>
#include <cmath>
#include <random>

using namespace gridhelm;
using namespace gridhelm::ui;

namespace {

vtkSmartPointer<vtkImageData> image()
{
    auto image = vtkSmartPointer<vtkImageData>::New();
    image->SetDimensions(9, 8, 7);
    image->SetOrigin(-1, 2, 0.5);
    image->SetSpacing(0.25, 0.125, 0.5);
    return image;
}

vtkSmartPointer<vtkRectilinearGrid> rectilinear()
{
    auto grid = vtkSmartPointer<vtkRectilinearGrid>::New();
    const auto axis = [](int points, double low, double ratio) {
        auto list = vtkSmartPointer<vtkDoubleArray>::New();
        double x = low, step = 0.1;
        for (int i = 0; i < points; ++i, x += step, step *= ratio)
            list->InsertNextValue(x);
        return list;
    };
    grid->SetDimensions(7, 6, 5);
    grid->SetXCoordinates(axis(7, -0.3, 1.2));
    grid->SetYCoordinates(axis(6, 0, 0.8));
    grid->SetZCoordinates(axis(5, 1, 1.5));
    return grid;
}

/// The image's cells, as hexahedra, turned and sheared.
vtkSmartPointer<vtkUnstructuredGrid> hexahedra()
{
    const auto cells =
        data::decodeMesh(test::unstructured({{9, 8, 7}, {-1, 2, 0.5}, {0.25, 0.125, 0.5}}));
    vtkNew<vtkTransform> transform;
    transform->RotateWXYZ(20, 1, 2, 3);
    const std::array<double, 16> shear{1, 0.2, 0, 0, 0, 1, 0.1, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    transform->Concatenate(shear.data());
    vtkNew<vtkTransformFilter> turn;
    turn->SetTransform(transform);
    turn->SetInputData(cells);
    turn->Update();
    return vtkUnstructuredGrid::SafeDownCast(turn->GetOutput());
}

vtkSmartPointer<vtkUnstructuredGrid> tetrahedra()
{
    vtkNew<vtkDataSetTriangleFilter> divide;
    divide->SetInputData(hexahedra());
    divide->Update();
    return divide->GetOutput();
}

vtkSmartPointer<vtkDataSet> meshOf(const QString &name)
{
    if (name == "image")
        return image();
    if (name == "rectilinear")
        return rectilinear();
    if (name == "hexahedra")
        return hexahedra();
    return tetrahedra();
}

vtkSmartPointer<vtkFloatArray> randomArray(const char *name, int components, vtkIdType tuples)
{
    std::mt19937 random(tuples);
    std::uniform_real_distribution<float> number(-1, 1);
    auto array = vtkSmartPointer<vtkFloatArray>::New();
    array->SetName(name);
    array->SetNumberOfComponents(components);
    array->SetNumberOfTuples(tuples);
    for (vtkIdType i = 0; i < components * tuples; ++i)
        array->SetValue(i, number(random));
    return array;
}

SlicePlane planeOf(vtkDataSet &mesh, std::array<double, 3> normal, double share)
{
    vtkMath::Normalize(normal.data());
    SlicePlane plane{normal, 0, 0, 0};
    const double *bounds = mesh.GetBounds();
    for (std::size_t t = 0; t < 3; ++t) {
        const double a = normal[t] * bounds[2 * t], b = normal[t] * bounds[2 * t + 1];
        plane.low += std::min(a, b);
        plane.high += std::max(a, b);
    }
    plane.position = plane.low + share * (plane.high - plane.low);
    return plane;
}

} // namespace

class TestSliceSurface : public QObject
{
    Q_OBJECT

private slots:
    void valuesAreThoseThatVtkCuts_data()
    {
        QTest::addColumn<QString>("mesh");
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        QTest::addColumn<double>("z");
        QTest::addColumn<double>("share");
        for (const char *mesh : {"image", "rectilinear", "hexahedra", "tetrahedra"}) {
            const auto add = [mesh](const char *plane, std::array<double, 3> n, double share) {
                QTest::addRow("%s, %s", mesh, plane) << mesh << n[0] << n[1] << n[2] << share;
            };
            add("between points", {0, 0, 1}, 0.37);
            add("through points", {1, 0, 0}, 0.5);
            add("at the lower end", {0, 1, 0}, 0);
            add("at the upper end", {0, 0, 1}, 1);
            add("tilted", {1, 1, 1}, 0.4);
            add("tilted through points", {1, -2, 0}, 0.5);
            add("nearly straight", {0.001, 0, 1}, 0.6);
        }
    }
    void valuesAreThoseThatVtkCuts()
    {
        QFETCH(QString, mesh);
        QFETCH(double, x);
        QFETCH(double, y);
        QFETCH(double, z);
        QFETCH(double, share);
        const auto data = meshOf(mesh);
        data->GetPointData()->SetScalars(randomArray("shown", 1, data->GetNumberOfPoints()));
        data->GetPointData()->AddArray(randomArray("beside", 3, data->GetNumberOfPoints()));
        data->GetCellData()->AddArray(randomArray("of cells", 1, data->GetNumberOfCells()));
        const auto plane = planeOf(*data, {x, y, z}, share);
        auto slice = std::make_shared<SliceSurface>(sliceSurface(*data, plane, SliceCells::known));
        QVERIFY(slice->polygons->GetNumberOfCells() > 0);
        QCOMPARE(slice->vertices.size(), std::size_t(slice->polygons->GetNumberOfPoints()));
        QCOMPARE(slice->cells.size(), std::size_t(slice->polygons->GetNumberOfCells()));
        vtkNew<SlicedValues> values;
        values->setSlice(slice);
        values->SetInputData(data);
        values->Update();
        auto &sliced = *values->GetOutput();
        QVERIFY(sliced.GetPointData()->GetScalars());

        const auto cutter = cutterOf(plane);
        cutter->SetInputData(data);
        cutter->Update();
        auto &reference = *cutter->GetOutput();
        QVERIFY(reference.GetNumberOfPoints() > 0);
        vtkNew<vtkStaticPointLocator> locator;
        locator->SetDataSet(&sliced);
        locator->BuildLocator();
        // VTK's slice at the very border is a little inside, and its vertices have round-off.
        const double near = 1e-5 * data->GetLength();
        for (vtkIdType v = 0; v < reference.GetNumberOfPoints(); ++v) {
            const double *at = reference.GetPoint(v);
            double distance2 = 0;
            const auto mine = locator->FindClosestPointWithinRadius(near, at, distance2);
            QVERIFY2(mine >= 0,
                     qPrintable(QString("no vertex at %1 %2 %3").arg(at[0]).arg(at[1]).arg(at[2])));
            for (const char *name : {"shown", "beside"}) {
                auto *theirs = reference.GetPointData()->GetArray(name);
                auto *ours = sliced.GetPointData()->GetArray(name);
                for (int c = 0; c < theirs->GetNumberOfComponents(); ++c)
                    QVERIFY(std::abs(theirs->GetComponent(v, c) - ours->GetComponent(mine, c))
                            < 2e-3);
            }
        }
        // Each polygon has the value of a cell that it lies in.
        auto *ofCells = sliced.GetCellData()->GetArray("of cells");
        QVERIFY(ofCells);
        for (vtkIdType c = 0; c < sliced.GetNumberOfCells(); ++c) {
            const auto cell = slice->cells[std::size_t(c)];
            QCOMPARE(ofCells->GetComponent(c, 0),
                     data->GetCellData()->GetArray("of cells")->GetComponent(cell, 0));
            std::array<double, 6> inner{}, outer{};
            sliced.GetCellBounds(c, inner.data());
            data->GetCellBounds(cell, outer.data());
            for (std::size_t t = 0; t < 3; ++t) {
                QVERIFY(inner[2 * t] >= outer[2 * t] - 10 * near);
                QVERIFY(inner[2 * t + 1] <= outer[2 * t + 1] + 10 * near);
            }
        }
        // The same area: nothing is missing, nothing is twice.
        const auto areaOf = [](vtkPolyData &polygons) {
            double area = 0;
            for (vtkIdType c = 0; c < polygons.GetNumberOfCells(); ++c) {
                auto *points = polygons.GetCell(c)->GetPoints();
                for (vtkIdType i = 1; i + 1 < points->GetNumberOfPoints(); ++i) {
                    std::array<double, 3> a{}, b{}, d{};
                    points->GetPoint(0, a.data());
                    points->GetPoint(i, b.data());
                    points->GetPoint(i + 1, d.data());
                    std::array<double, 3> ab{b[0] - a[0], b[1] - a[1], b[2] - a[2]},
                        ad{d[0] - a[0], d[1] - a[1], d[2] - a[2]}, cross{};
                    vtkMath::Cross(ab.data(), ad.data(), cross.data());
                    area += vtkMath::Norm(cross.data()) / 2;
                }
            }
            return area;
        };
        const double area = areaOf(reference);
        QVERIFY2(std::abs(areaOf(sliced) - area) < 1e-4 * area,
                 qPrintable(QString("%1 instead of %2").arg(areaOf(sliced)).arg(area)));
    }

    void newValuesAreFollowed()
    {
        const auto data = image();
        data->GetPointData()->SetScalars(randomArray("shown", 1, data->GetNumberOfPoints()));
        auto slice = std::make_shared<SliceSurface>(
            sliceSurface(*data, planeOf(*data, {0, 0, 1}, 0.3), SliceCells::unknown));
        vtkNew<SlicedValues> values;
        values->setSlice(slice);
        values->SetInputData(data);
        values->Update();
        auto *shown = vtkFloatArray::SafeDownCast(data->GetPointData()->GetScalars());
        shown->FillValue(7);
        shown->Modified();
        data->Modified();
        values->Update();
        std::array<double, 2> range{};
        values->GetOutput()->GetPointData()->GetScalars()->GetRange(range.data());
        QCOMPARE(range[0], 7.0);
        QCOMPARE(range[1], 7.0);
    }
};

GRIDHELM_TEST(TestSliceSurface)
#include "tst_slice_surface.moc"
