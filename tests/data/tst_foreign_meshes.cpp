// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files as other programs write them: cells by other names, endings that are wrong, parts, and no
// values where there is no body.
#include "core/support/error.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/missing_values.h"
#include "data/mesh/snapshot_file.h"
#include "data/study/geometry_fields.h"
#include "tests/core/expect_error.h"
#include "tests/core/random.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkCellTypeSource.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkUnstructuredGridWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

std::vector<RunSnapshot> snapshotsIn(const std::filesystem::path &path)
{
    std::vector<RunSnapshot> all;
    readSnapshotFile(path, [&all](RunSnapshot &&s) { all.push_back(std::move(s)); });
    return all;
}

/// One block of cells of a type, with a field.
vtkSmartPointer<vtkUnstructuredGrid> cellsOfType(int type, int order = 1)
{
    vtkNew<vtkCellTypeSource> source;
    source->SetCellType(type);
    source->SetCellOrder(order);
    source->SetBlocksDimensions(2, 2, 2);
    source->Update();
    vtkSmartPointer<vtkUnstructuredGrid> grid = source->GetOutput();
    grid->GetPointData()->Initialize(); // of fields of its own
    grid->GetCellData()->Initialize();
    vtkNew<vtkDoubleArray> field;
    field->SetName("T");
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
        std::array<double, 3> x{};
        grid->GetPoint(i, x.data());
        field->InsertNextValue(x[0] + 2 * x[1] + 3 * x[2]);
    }
    grid->GetPointData()->AddArray(field);
    return grid;
}

void writeMesh(const std::filesystem::path &path, const std::string &text)
{
    writeBytes(path, {text.begin(), text.end()});
}

} // namespace

class ForeignMeshesTest : public QObject
{
    Q_OBJECT

private slots:
    void lagrangeCellsAreThePlainOnes_data();
    void lagrangeCellsAreThePlainOnes();
    void higherOrdersAreRefused();
    void endingsMayBeWrong();
    void partsAreOne();
    void polyhedraOfNewerFilesAreNamed();
    void whatHasNoValuesIsOutside();
    void otherGapsStay();
};

void ForeignMeshesTest::lagrangeCellsAreThePlainOnes_data()
{
    QTest::addColumn<int>("lagrange");
    QTest::addColumn<int>("order");
    QTest::addColumn<int>("plain");
    QTest::newRow("curve") << int(VTK_LAGRANGE_CURVE) << 1 << int(VTK_LINE);
    QTest::newRow("curve 2") << int(VTK_LAGRANGE_CURVE) << 2 << int(VTK_QUADRATIC_EDGE);
    QTest::newRow("triangle") << int(VTK_LAGRANGE_TRIANGLE) << 1 << int(VTK_TRIANGLE);
    QTest::newRow("triangle 2") << int(VTK_LAGRANGE_TRIANGLE) << 2 << int(VTK_QUADRATIC_TRIANGLE);
    QTest::newRow("quad") << int(VTK_LAGRANGE_QUADRILATERAL) << 1 << int(VTK_QUAD);
    QTest::newRow("quad 2") << int(VTK_LAGRANGE_QUADRILATERAL) << 2 << int(VTK_BIQUADRATIC_QUAD);
    QTest::newRow("tetra") << int(VTK_LAGRANGE_TETRAHEDRON) << 1 << int(VTK_TETRA);
    QTest::newRow("tetra 2") << int(VTK_LAGRANGE_TETRAHEDRON) << 2 << int(VTK_QUADRATIC_TETRA);
    QTest::newRow("hexahedron") << int(VTK_LAGRANGE_HEXAHEDRON) << 1 << int(VTK_HEXAHEDRON);
    QTest::newRow("hexahedron 2") << int(VTK_LAGRANGE_HEXAHEDRON) << 2
                                  << int(VTK_TRIQUADRATIC_HEXAHEDRON);
    QTest::newRow("wedge") << int(VTK_LAGRANGE_WEDGE) << 1 << int(VTK_WEDGE);
}

/// Cell by cell, a point of the file's is where the plain cell has it, at any local coordinates.
void ForeignMeshesTest::lagrangeCellsAreThePlainOnes()
{
    QFETCH(int, lagrange);
    QFETCH(int, order);
    QFETCH(int, plain);
    const Folder folder;
    const auto grid = cellsOfType(lagrange, order);
    Random random(3);
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) { // curved
        std::array<double, 3> x{};
        grid->GetPoint(i, x.data());
        for (double &coordinate : x)
            coordinate += random.real(-0.03, 0.03);
        grid->GetPoints()->SetPoint(i, x.data());
    }
    vtkNew<vtkXMLUnstructuredGridWriter> writer;
    writer->SetFileName((folder / "a.vtu").c_str());
    writer->SetInputData(grid);
    writer->Write();
    const auto read = snapshotsIn(folder / "a.vtu").at(0);
    const auto mesh = decodeMesh(read.mesh);
    QCOMPARE(mesh->GetNumberOfCells(), grid->GetNumberOfCells());
    for (vtkIdType c = 0; c < mesh->GetNumberOfCells(); ++c) {
        QCOMPARE(mesh->GetCellType(c), plain);
        for (int i = 0; i < 20; ++i) {
            std::array<double, 3> local{random.real(0, 0.33), random.real(0, 0.33),
                                        random.real(0, 0.33)};
            std::array<double, 3> expected{}, found{};
            std::array<double, 64> weights{};
            int part = 0;
            grid->GetCell(c)->EvaluateLocation(part, local.data(), expected.data(), weights.data());
            mesh->GetCell(c)->EvaluateLocation(part, local.data(), found.data(), weights.data());
            for (std::size_t axis = 0; axis < 3; ++axis)
                QVERIFY(std::abs(found[axis] - expected[axis]) < 1e-12);
        }
    }
}

void ForeignMeshesTest::higherOrdersAreRefused()
{
    const Folder folder;
    vtkNew<vtkXMLUnstructuredGridWriter> writer;
    writer->SetFileName((folder / "a.vtu").c_str());
    writer->SetInputData(cellsOfType(VTK_LAGRANGE_TETRAHEDRON, 3));
    writer->Write();
    QVERIFY(isRefused(
        [&] { snapshotsIn(folder / "a.vtu"); },
        "a cell of VTK's type 71, which is not supported (cells of first and second order "
        "are)"));
}

void ForeignMeshesTest::endingsMayBeWrong()
{
    const Folder folder;
    const auto grid = cellsOfType(VTK_TETRA);
    vtkNew<vtkXMLUnstructuredGridWriter> xml;
    xml->SetFileName((folder / "right.vtu").c_str());
    xml->SetInputData(grid);
    xml->Write();
    vtkNew<vtkUnstructuredGridWriter> legacy;
    legacy->SetFileName((folder / "right.vtk").c_str());
    legacy->SetInputData(grid);
    legacy->SetFileTypeToBinary(); // with all digits
    legacy->Write();
    std::filesystem::copy_file(folder / "right.vtu", folder / "wrong.vtk");
    std::filesystem::copy_file(folder / "right.vtk", folder / "wrong.vtu");
    const auto expected = snapshotsIn(folder / "right.vtu").at(0);
    for (const auto *name : {"wrong.vtk", "wrong.vtu"}) {
        const auto read = snapshotsIn(folder / name).at(0);
        QVERIFY(read.mesh == expected.mesh && read.fields == expected.fields);
        QVERIFY(read.values == expected.values);
    }
}

void ForeignMeshesTest::partsAreOne()
{
    const Folder folder;
    vtkNew<vtkXMLUnstructuredGridWriter> writer;
    writer->SetFileName((folder / "part.vtu").c_str());
    writer->SetInputData(cellsOfType(VTK_TETRA));
    writer->Write();
    const std::string text = R"(<?xml version="1.0"?>
<VTKFile type="PUnstructuredGrid" version="1.0" byte_order="LittleEndian">
<PUnstructuredGrid GhostLevel="0">
<PPointData><PDataArray type="Float64" Name="T"/></PPointData>
<PPoints><PDataArray type="Float32" Name="Points" NumberOfComponents="3"/></PPoints>
<Piece Source="part.vtu"/><Piece Source="part.vtu"/>
</PUnstructuredGrid></VTKFile>)";
    writeMesh(folder / "a.pvtu", text);
    writeMesh(folder / "a.vtk", text);
    const auto one = snapshotsIn(folder / "part.vtu").at(0);
    for (const auto *name : {"a.pvtu", "a.vtk"}) {
        const auto read = snapshotsIn(folder / name).at(0);
        QCOMPARE(read.mesh.cells, 2 * one.mesh.cells);
        QCOMPARE(read.fields.at(0).name, std::string("T"));
    }
}

void ForeignMeshesTest::polyhedraOfNewerFilesAreNamed()
{
    const Folder folder;
    writeMesh(folder / "a.vtu", R"(<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="2.3" byte_order="LittleEndian" header_type="UInt64">
<UnstructuredGrid><Piece NumberOfPoints="4" NumberOfCells="1">
<PointData><DataArray type="Float64" Name="T" format="ascii">1 2 3 4</DataArray></PointData>
<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">
0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points>
<Cells>
<DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">4</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">42</DataArray>
<DataArray type="Int64" Name="face_connectivity" format="ascii">0 2 1 0 1 3 0 3 2 1 2 3</DataArray>
<DataArray type="Int64" Name="face_offsets" format="ascii">3 6 9 12</DataArray>
<DataArray type="Int64" Name="polyhedron_to_faces" format="ascii">0 1 2 3</DataArray>
<DataArray type="Int64" Name="polyhedron_offsets" format="ascii">4</DataArray>
</Cells></Piece></UnstructuredGrid></VTKFile>)");
    QVERIFY(isRefused([&] { snapshotsIn(folder / "a.vtu"); }, "in the form of VTK 9.4 and newer"));
}

void ForeignMeshesTest::whatHasNoValuesIsOutside()
{
    const Folder folder;
    const auto grid = cellsOfType(VTK_HEXAHEDRON);
    auto *array = vtkDoubleArray::SafeDownCast(grid->GetPointData()->GetArray("T"));
    std::vector<double> expected;
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
        expected.push_back(array->GetValue(i));
        if (grid->GetPoint(i)[0] > 1.5)
            array->SetValue(i, std::numeric_limits<double>::quiet_NaN());
    }
    vtkNew<vtkXMLUnstructuredGridWriter> writer;
    writer->SetFileName((folder / "a.vtu").c_str());
    writer->SetInputData(grid);
    writer->Write();
    auto read = snapshotsIn(folder / "a.vtu").at(0);
    const auto missing = leaveOutMissing(read);
    QCOMPARE(missing, std::size_t{9}); // of 27: x = 2
    const auto distance = geometryFieldsOf(read.fields).distance;
    QVERIFY(distance.has_value());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double x = grid->GetPoint(static_cast<vtkIdType>(i))[0];
        QCOMPARE(read.values[*distance][i], static_cast<float>(x > 1.5 ? -1 : 2 - x));
        const double value = x > 1.5 ? expected[i] - 1 : expected[i]; // of the nearest one inside
        QCOMPARE(static_cast<double>(read.values[0][i]), value);
    }
    auto again = read;
    QCOMPARE(leaveOutMissing(again), std::size_t{0});
}

void ForeignMeshesTest::otherGapsStay()
{
    const Folder folder;
    const auto grid = cellsOfType(VTK_HEXAHEDRON);
    vtkNew<vtkXMLUnstructuredGridWriter> writer;
    writer->SetFileName((folder / "a.vtu").c_str());
    writer->SetInputData(grid);
    writer->Write();
    const auto read = snapshotsIn(folder / "a.vtu").at(0);
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    auto whole = read, nothing = read, different = read;
    QCOMPARE(leaveOutMissing(whole), std::size_t{0});
    std::ranges::fill(nothing.values[0], none);
    QCOMPARE(leaveOutMissing(nothing), std::size_t{0});
    different.fields.push_back({"p", "", 1, Association::point, read.mesh.points});
    different.values.push_back(read.values[0]);
    different.values[0][3] = none; // T lacks what p has
    QCOMPARE(leaveOutMissing(different), std::size_t{0});
    QVERIFY(std::isnan(different.values[0][3]));
}

GRIDHELM_TEST(ForeignMeshesTest)
#include "tst_foreign_meshes.moc"
