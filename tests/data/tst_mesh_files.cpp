// SPDX-License-Identifier: GPL-3.0-or-later
//
// Mesh files of every format, written by VTK here and read back.
#include "core/support/error.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_writer.h"
#include "data/mesh/snapshot_file.h"
#include "tests/data/study_cases.h"

#include <vtkAppendFilter.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUnstructuredGrid.h>

#include <random>

using namespace gridhelm;
using namespace gridhelm::data;

namespace {

/// A 3 x 2 x 2 image with a scalar and a vector at points, and a scalar in cells.
FileSnapshot small()
{
    FileSnapshot s;
    s.mesh = {"image", R"({"origin":[0.0,0.0,0.0],"points":[3,2,2],"spacing":[0.5,1.0,1.0]})", 12,
              2};
    s.fields = {{"p", "", 1, Association::point, 12},
                {"u", "", 3, Association::point, 12},
                {"k", "", 1, Association::cell, 2}};
    for (const auto &field : s.fields) {
        std::vector<float> values(field.values());
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = 0.5F * static_cast<float>(i);
        s.values.push_back(values);
    }
    return s;
}

std::vector<FileSnapshot> readAll(const std::filesystem::path &path)
{
    std::vector<FileSnapshot> all;
    readSnapshotFile(path, [&all](FileSnapshot &&s) { all.push_back(std::move(s)); });
    return all;
}

} // namespace

class MeshFilesTest : public QObject
{
    Q_OBJECT

private slots:
    void anImageComesBack()
    {
        const test::Folder folder;
        const auto s = small();
        writeDataSet(folder / "a.vti", *dataSetOf(s.mesh, s.fields, s.values));
        const auto all = readAll(folder / "a.vti");
        QCOMPARE(all.size(), std::size_t{1});
        QVERIFY(all[0].mesh == s.mesh);
        QVERIFY(all[0].fields == s.fields);
        QVERIFY(all[0].values == s.values);
        QCOMPARE(differenceOfMeshes(s.mesh, all[0].mesh), std::string());
    }

    void aSeriesComesBackWithItsTimes()
    {
        const test::Folder folder;
        const auto s = small();
        writeDataSet(folder / "a.vti", *dataSetOf(s.mesh, s.fields, s.values));
        const std::string series =
            R"({"files":[{"name":"a.vti","time":0.5},{"name":"a.vti","time":2}]})";
        test::writeBytes(folder / "a.vti.series", {series.begin(), series.end()});
        const auto all = readAll(folder / "a.vti.series");
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[0].time, 0.5);
        QCOMPARE(all[1].time, 2.0);
    }

    void anotherMeshIsNamedAndResampled()
    {
        const auto s = small();
        auto coarse = s.mesh;
        coarse.encoded = R"({"origin":[0.25,0.0,0.0],"points":[2,2,2],"spacing":[0.5,1.0,1.0]})";
        coarse.points = 8;
        coarse.cells = 1;
        QVERIFY(differenceOfMeshes(coarse, s.mesh).find("12 points") != std::string::npos);
        const auto r = resampleOnto(coarse, s);
        QCOMPARE(r.values[0][0], 0.25F); // between points 0 and 1
        QVERIFY_THROWS_EXCEPTION(Error, resampleOnto(s.mesh, r));
    }

    /// Every other kind: the codec's bytes, through a file and back, twice.
    void otherKindsComeBack()
    {
        const test::Folder folder;
        const auto image = decodeMesh(small().mesh);
        vtkNew<vtkRectilinearGrid> rectilinear;
        rectilinear->SetDimensions(3, 2, 1);
        vtkNew<vtkDoubleArray> x, y, z;
        for (const double v : {0.0, 0.1, 1.0})
            x->InsertNextValue(v);
        for (const double v : {0.0, 2.0})
            y->InsertNextValue(v);
        z->InsertNextValue(0);
        rectilinear->SetXCoordinates(x);
        rectilinear->SetYCoordinates(y);
        rectilinear->SetZCoordinates(z);
        vtkNew<vtkPoints> points;
        for (vtkIdType i = 0; i < image->GetNumberOfPoints(); ++i)
            points->InsertNextPoint(image->GetPoint(i));
        vtkNew<vtkStructuredGrid> structured;
        structured->SetDimensions(3, 2, 2);
        structured->SetPoints(points);
        vtkNew<vtkAppendFilter> append;
        append->AddInputData(image);
        append->Update();
        const std::vector<std::pair<std::string, vtkDataSet *>> cases{
            {"rectilinear", rectilinear},
            {"structured", structured},
            {"unstructured", append->GetOutput()}};
        for (const auto &[kind, data] : cases) {
            const auto mesh = encodeMesh(*data);
            QCOMPARE(mesh.kind, kind);
            const auto path = folder / ("a" + extensionFor(mesh));
            writeDataSet(path, *decodeMesh(mesh));
            const auto all = readAll(path);
            QCOMPARE(all.size(), std::size_t{1});
            QVERIFY(all[0].mesh == mesh);
        }
    }

    void damagedFilesAreRefusedOrRead()
    {
        const test::Folder folder;
        const auto s = small();
        writeDataSet(folder / "a.vti", *dataSetOf(s.mesh, s.fields, s.values));
        const auto good = test::bytesOf(folder / "a.vti");
        std::mt19937 random(1);
        for (int i = 0; i < 200; ++i) {
            auto bytes = good;
            if (i % 4 == 0)
                bytes.resize(random() % bytes.size());
            else
                for (int k = 0; k < 3; ++k)
                    bytes[random() % bytes.size()] = static_cast<char>(random());
            test::writeBytes(folder / "b.vti", bytes);
            try {
                readAll(folder / "b.vti");
            } catch (const Error &error) {
                QVERIFY(*error.what() != '\0');
            }
            QVERIFY(test::bytesOf(folder / "b.vti") == bytes);
        }
    }
};

QTEST_GUILESS_MAIN(MeshFilesTest)
#include "tst_mesh_files.moc"
