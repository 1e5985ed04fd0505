// SPDX-License-Identifier: GPL-3.0-or-later
//
// Damaged mesh files of every format: read, or refused with a sentence; no crash, no hang, no
// change. What VTK makes of them happens in a child process, which counts as its own. And meshes in
// studies, which are right but for their numbers: what is not refused goes through all that is
// computed with a mesh, in this process.
#include "data/mesh/cell_edges.h"
#include "data/mesh/cell_list.h"
#include "data/mesh/entity_finder.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_probe.h"
#include "data/mesh/mesh_writer.h"
#include "data/mesh/snapshot_file.h"
#include "data/mesh/vtk_messages.h"
#include "tests/core/damage.h"
#include "tests/core/expect_error.h"
#include "tests/core/watchdog.h"
#include "tests/data/encoded_meshes.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <vtkAppendFilter.h>
#include <vtkCellCenters.h>
#include <vtkCellData.h>
#include <vtkCellDataToPointData.h>
#include <vtkContourFilter.h>
#include <vtkCutter.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkDataSetWriter.h>
#include <vtkDoubleArray.h>
#include <vtkFeatureEdges.h>
#include <vtkGeometryFilter.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkNew.h>
#include <vtkPlane.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLDataSetWriter.h>
#include <vtkXMLMultiBlockDataWriter.h>

#include <fmt/format.h>

#include <QElapsedTimer>

#include <array>
#include <cmath>
#include <limits>

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
    readSnapshotFile(path, [&](RunSnapshot &&snapshot) {
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

double anyReal(Random &random)
{
    static constexpr std::array special{0.0,  -0.0,  1e-320, -1e-300, 1e-30, 1e-18,
                                        1e29, -1e30, 1e31,   1e300,   0.5,   1.0,
                                        2.0,  1e9,   3.0e38, 1.0e38,  -1.0};
    if (random.chance(0.1))
        return random.chance(0.5) ? std::numeric_limits<double>::quiet_NaN()
                                  : std::numeric_limits<double>::infinity();
    return random.chance(0.5) ? special[random.index(special.size())] : random.real(-3, 3);
}

/// An entry of a list, with a number that is more or less like the others of it.
void damageList(Random &random, std::vector<std::int64_t> &list)
{
    if (list.empty())
        return;
    auto &entry = list[random.index(list.size())];
    switch (random.integer(0, 5)) {
    case 0:
        entry += random.integer(-2, 2);
        break;
    case 1:
        entry = list[random.index(list.size())];
        break;
    case 2:
        std::swap(entry, list[random.index(list.size())]);
        break;
    case 3:
        entry = std::int64_t{1} << random.integer(0, 62);
        break;
    case 4:
        entry = random.integer(-1, 40);
        break;
    default:
        entry = -entry;
    }
}

/// A cell of any type, whose points are any.
void addCell(Random &random, UnstructuredParts &parts)
{
    const int type = random.integer(0, VTK_TRIQUADRATIC_HEXAHEDRON);
    const auto [least, most] = pointsOfCell(type);
    if (most < least || type == VTK_POLYHEDRON)
        return;
    const auto count = least == most ? least : least + random.integer(0, 5);
    std::vector<std::int64_t> points;
    const bool isOrdered = random.chance(0.5);
    for (vtkIdType i = 0; i < count; ++i)
        points.push_back(isOrdered ? i : random.integer(0, 35));
    parts.addCell(static_cast<unsigned char>(type), points);
}

Mesh damagedUnstructured(Random &random)
{
    auto parts = polyhedraAndOthers();
    for (int more = random.integer(0, 4); more > 0; --more)
        addCell(random, parts);
    for (int changes = random.integer(1, 6); changes > 0; --changes) {
        switch (random.integer(0, 5)) {
        case 0:
            parts.places[random.index(parts.places.size())] = anyReal(random);
            break;
        case 1: { // all of them on a plane, or at a point
            for (auto axis = random.index(3); axis < parts.places.size(); axis += 3)
                parts.places[axis] = 1;
            break;
        }
        case 2:
            parts.types[random.index(parts.types.size())] = parts.types[random.index(10)];
            break;
        case 3:
            damageList(random, random.chance(0.8) ? parts.connectivity : parts.offsets);
            break;
        case 4:
            damageList(random, random.chance(0.8) ? parts.faces : parts.faceLocations);
            break;
        default: { // a permutation of a cell's points, or some of them twice
            const auto c = random.index(parts.types.size());
            const auto begin = static_cast<std::size_t>(parts.offsets[c] & 31);
            std::swap(parts.connectivity[begin], parts.connectivity[begin + 1]);
            if (random.chance(0.5))
                parts.connectivity[begin] = parts.connectivity[begin + 1];
        }
        }
    }
    return parts.encoded();
}

/// All numbers at their places, and some of them wrong.
Mesh damagedMesh(Random &random)
{
    const auto axes = [&random] {
        return fmt::format("[{},{},{}]", random.chance(0.5) ? 1.0 : std::abs(anyReal(random)),
                           random.chance(0.5) ? 1.0 : std::abs(anyReal(random)), 1.0);
    };
    switch (random.integer(0, 3)) {
    case 0:
        return imageMesh("[5,4,3]", axes(), axes());
    case 1:
    case 2: {
        auto mesh = random.chance(0.5) ? rectilinearMesh() : structuredMesh();
        constexpr std::size_t head = 24;
        for (int changes = random.integer(1, 5); changes > 0; --changes) {
            const double value = anyReal(random);
            const auto at = head + 8 * random.index((mesh.encoded.size() - head) / 8);
            std::memcpy(mesh.encoded.data() + at, &value, sizeof value);
        }
        return mesh;
    }
    default:
        return damagedUnstructured(random);
    }
}

template <typename Filter>
void run(Filter &filter, vtkDataSet &data)
{
    filter.SetInputData(&data);
    filter.Update();
}

/// What the program does with a mesh when it shows, probes, compares and exports fields.
void use(const Mesh &mesh, Random &random)
{
    const std::vector<Field> fields{{"p", "", 1, Association::point, mesh.points},
                                    {"k", "", 1, Association::cell, mesh.cells}};
    std::vector<std::vector<float>> values;
    for (const auto &field : fields) {
        values.emplace_back(field.values());
        for (auto &value : values.back())
            value = static_cast<float>(random.real(-1, 1));
    }
    const auto data = dataSetOf(mesh, fields, values);
    data->GetPointData()->SetActiveScalars("p");
    vtkNew<vtkDataSetSurfaceFilter> surface;
    run(*surface, *data);
    vtkNew<vtkFeatureEdges> edges;
    run(*edges, *surface->GetOutput());
    vtkNew<vtkGeometryFilter> geometry;
    run(*geometry, *data);
    vtkNew<vtkContourFilter> contour;
    contour->SetValue(0, 0);
    run(*contour, *data);
    vtkNew<vtkCutter> cutter;
    vtkNew<vtkPlane> plane;
    plane->SetOrigin(data->GetCenter());
    plane->SetNormal(random.real(-1, 1), random.real(-1, 1), 1);
    cutter->SetCutFunction(plane);
    run(*cutter, *data);
    vtkNew<vtkCellCenters> centres;
    run(*centres, *data);
    vtkNew<vtkCellDataToPointData> toPoints;
    run(*toPoints, *data);
    std::vector<double> places;
    const double *bounds = data->GetBounds();
    for (int i = 0; i < 30; ++i)
        places.push_back(random.real(bounds[2 * (i % 3)], bounds[2 * (i % 3) + 1]));
    EntityFinder finder(data);
    const MeshProbe probe(*data, places, OutsideMesh::empty);
    for (std::size_t f = 0; f < fields.size(); ++f) {
        probe.sample(fields[f], values[f]);
        finder.near({places[0], places[1], places[2]}, fields[f].association);
        cellEdges(*data, finder.cellNear({places[0], places[1], places[2]}).number);
    }
    if (!differenceOfMeshes(mesh, mesh).empty())
        throw std::runtime_error("a mesh differs from itself");
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

    void meshesWithWrongNumbersAreRefusedOrUsable()
    {
        const VtkMessages quiet;
        Random random(isLong() ? 31 : 32);
        const int cases = isLong() ? 4000 : 300;
        int accepted = 0;
        for (int i = 0; i < cases; ++i) {
            const auto mesh = damagedMesh(random);
            const Watchdog watchdog("mesh " + std::to_string(i), 90);
            try {
                use(mesh, random);
                ++accepted;
            } catch (const Error &error) {
                QVERIFY(std::string(error.what()).size() >= 10);
            }
        }
        qInfo("%d meshes with wrong numbers, of which %d can be used", cases, accepted);
        QVERIFY(accepted > cases / 20 && accepted < cases);
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

GRIDHELM_TEST(MeshFuzzTest)
#include "tst_mesh_fuzz.moc"
