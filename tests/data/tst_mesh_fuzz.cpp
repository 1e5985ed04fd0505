// SPDX-License-Identifier: GPL-3.0-or-later
//
// Damaged mesh files of every format: read, or refused with a sentence; no crash, no hang, no
// change. What VTK makes of them happens in a child process, which counts as its own.
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_writer.h"
#include "data/mesh/snapshot_file.h"
#include "tests/core/damage.h"
#include "tests/core/expect_error.h"
#include "tests/core/watchdog.h"
#include "tests/data/study_cases.h"

#include <vtkAppendFilter.h>
#include <vtkCellData.h>
#include <vtkDataSetWriter.h>
#include <vtkDoubleArray.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLDataSetWriter.h>
#include <vtkXMLMultiBlockDataWriter.h>

#include <QElapsedTimer>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// A 5 x 4 x 3 image with a scalar and a vector at points, and a scalar in cells.
vtkSmartPointer<vtkDataSet> image()
{
    const Mesh mesh{"image", R"({"origin":[0.0,0.0,0.0],"points":[5,4,3],"spacing":[0.5,1.0,1.0]})",
                    60, 24};
    const std::vector<Field> fields{{"p", "", 1, Association::point, 60},
                                    {"u", "", 3, Association::point, 60},
                                    {"k", "", 1, Association::cell, 24}};
    std::vector<std::vector<float>> values;
    for (const auto &field : fields) {
        values.emplace_back(field.values());
        for (std::size_t i = 0; i < values.back().size(); ++i)
            values.back()[i] = 0.5F * static_cast<float>(i);
    }
    return dataSetOf(mesh, fields, values);
}

/// The same as every kind of mesh there is.
std::vector<vtkSmartPointer<vtkDataSet>> dataSets()
{
    const auto original = image();
    vtkNew<vtkRectilinearGrid> rectilinear;
    rectilinear->SetDimensions(5, 4, 3);
    const auto axis = [](int count) {
        vtkNew<vtkDoubleArray> values;
        for (int i = 0; i < count; ++i)
            values->InsertNextValue(i * i);
        return vtkSmartPointer<vtkDoubleArray>(values);
    };
    rectilinear->SetXCoordinates(axis(5));
    rectilinear->SetYCoordinates(axis(4));
    rectilinear->SetZCoordinates(axis(3));
    vtkNew<vtkPoints> points;
    for (vtkIdType i = 0; i < original->GetNumberOfPoints(); ++i)
        points->InsertNextPoint(original->GetPoint(i));
    vtkNew<vtkStructuredGrid> structured;
    structured->SetDimensions(5, 4, 3);
    structured->SetPoints(points);
    for (vtkDataSet *other :
         {static_cast<vtkDataSet *>(rectilinear), static_cast<vtkDataSet *>(structured)}) {
        other->GetPointData()->ShallowCopy(original->GetPointData());
        other->GetCellData()->ShallowCopy(original->GetCellData());
    }
    vtkNew<vtkAppendFilter> append;
    append->AddInputData(original);
    append->Update();
    return {original, rectilinear, structured, append->GetOutput()};
}

/// Files of all kinds in this folder; their names.
std::vector<std::string> writeFiles(const Folder &folder)
{
    std::vector<std::string> names;
    const auto all = dataSets();
    const std::vector<std::string> endings{".vti", ".vtr", ".vts", ".vtu"};
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const bool isText : {true, false}) {
            const auto xml = (isText ? "text" : "binary") + endings[i];
            vtkNew<vtkXMLDataSetWriter> writer;
            writer->SetFileName((folder / xml).c_str());
            writer->SetInputData(all[i]);
            if (isText)
                writer->SetDataModeToAscii();
            else
                writer->SetDataModeToAppended();
            writer->Write();
            names.push_back(xml);
            const auto legacy = xml + ".vtk";
            vtkNew<vtkDataSetWriter> legacyWriter;
            legacyWriter->SetFileName((folder / legacy).c_str());
            legacyWriter->SetInputData(all[i]);
            if (isText)
                legacyWriter->SetFileTypeToASCII();
            else
                legacyWriter->SetFileTypeToBinary();
            legacyWriter->Write();
            names.push_back(legacy);
        }
    }
    vtkNew<vtkMultiBlockDataSet> blocks;
    blocks->SetBlock(0, all[0]);
    blocks->SetBlock(1, all[3]);
    vtkNew<vtkXMLMultiBlockDataWriter> writer;
    writer->SetFileName((folder / "blocks.vtm").c_str());
    writer->SetInputData(blocks);
    writer->Write();
    names.emplace_back("blocks.vtm");
    const std::string series = R"({"file-series-version":"1.0","files":[
{"name":"text.vti","time":0.5},
{"name":"text.vti","time":2}
]})";
    writeBytes(folder / "a.vti.series", {series.begin(), series.end()});
    const std::string collection = R"(<?xml version="1.0"?>
<VTKFile type="Collection" version="0.1">
<Collection>
<DataSet timestep="0" file="text.vti"/>
<DataSet timestep="1.5" part="0" file="binary.vti"/>
</Collection>
</VTKFile>
)";
    writeBytes(folder / "a.pvd", {collection.begin(), collection.end()});
    names.insert(names.end(), {"a.vti.series", "a.pvd"});
    return names;
}

int readAll(const std::filesystem::path &path)
{
    int snapshots = 0;
    readSnapshotFile(path, [&](FileSnapshot &&snapshot) {
        ++snapshots;
        for (std::size_t f = 0; f < snapshot.fields.size(); ++f) {
            if (snapshot.values.at(f).size() != snapshot.fields[f].values())
                throw std::runtime_error("a field has another number of values than it says");
        }
        if (!differenceOfMeshes(snapshot.mesh, snapshot.mesh).empty())
            throw std::runtime_error("a mesh differs from itself");
    });
    return snapshots;
}

} // namespace

class MeshFuzzTest : public QObject
{
    Q_OBJECT

private slots:
    void filesOfEveryKindAreRead()
    {
        const Folder folder;
        for (const auto &name : writeFiles(folder))
            QCOMPARE(readAll(folder / name), name == "a.pvd" || name == "a.vti.series" ? 2 : 1);
    }

    void damagedFilesAreReadOrRefused()
    {
        const Folder folder;
        const auto names = writeFiles(folder);
        Random random(isLong() ? 21 : 22);
        const int cases = isLong() ? 1500 : 60;
        int accepted = 0, ended = 0;
        qint64 slowest = 0;
        for (int i = 0; i < cases; ++i) {
            const auto &name = names[static_cast<std::size_t>(i) % names.size()];
            const auto good = bytesOf(folder / name);
            auto bytes = good;
            if (random.chance(0.5)) {
                const auto text = damageText(random, {good.begin(), good.end()});
                bytes.assign(text.begin(), text.end());
            } else {
                damageBytes(random, bytes);
            }
            const auto path =
                folder / ("damaged" + std::filesystem::path(name).extension().string());
            writeBytes(path, bytes);
            QElapsedTimer timer;
            timer.start();
            {
                const Watchdog watchdog("file " + std::to_string(i) + " of " + name, 90);
                try {
                    readAll(path);
                    ++accepted;
                } catch (const Error &error) {
                    const std::string sentence = error.what();
                    QVERIFY(sentence.size() >= 10);
                    if (sentence.find("VTK's reader failed") != std::string::npos) {
                        ++ended;
                        qInfo("file %d of %s: %s after %lld ms", i, name.c_str(), sentence.c_str(),
                              timer.elapsed());
                        if (qEnvironmentVariableIsSet("GRIDHELM_KEEP_DAMAGED"))
                            writeBytes("damaged-" + std::to_string(i) + "-" + name, bytes);
                    }
                }
            }
            slowest = std::max(slowest, timer.elapsed());
            QVERIFY(bytesOf(path) == bytes);
            std::filesystem::remove(path);
        }
        qInfo("%d damaged files, of which %d can be read; VTK's reader failed on %d; at most %lld "
              "ms",
              cases, accepted, ended, slowest);
        QVERIFY(accepted > 0 && accepted < cases);
    }
};

QTEST_GUILESS_MAIN(MeshFuzzTest)
#include "tst_mesh_fuzz.moc"
