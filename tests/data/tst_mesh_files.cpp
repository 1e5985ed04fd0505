// SPDX-License-Identifier: GPL-3.0-or-later
//
// Mesh files of every format, written by VTK here and read back.
#include "core/support/error.h"
#include "data/mesh/isolated_reader.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_writer.h"
#include "data/mesh/snapshot_file.h"
#include "data/mesh/snapshot_reader.h"
#include "data/support/isolated_process.h"
#include "tests/core/expect_error.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <vtkAppendFilter.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <QElapsedTimer>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <mutex>
#include <new>
#include <random>
#include <stop_token>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace gridhelm;
using namespace gridhelm::data;

namespace {

/// A 3 x 2 x 2 image with a scalar and a vector at points, and a scalar in cells.
RunSnapshot small()
{
    RunSnapshot s;
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

std::vector<RunSnapshot> readAll(const std::filesystem::path &path)
{
    std::vector<RunSnapshot> all;
    readSnapshotFile(path, [&all](RunSnapshot &&s) { all.push_back(std::move(s)); });
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
        QCOMPARE(all[0].time.value(), 0.5);
        QCOMPARE(all[1].time.value(), 2.0);
    }

    void hiddenCellsAreLeftOut_data()
    {
        using Flags = vtkDataSetAttributes;
        QTest::addColumn<bool>("ofPoints");
        QTest::addColumn<int>("flag");
        QTest::addColumn<std::size_t>("cells");
        QTest::newRow("copy of another part's")
            << false << int(Flags::DUPLICATECELL) << std::size_t{1};
        QTest::newRow("hidden") << false << int(Flags::HIDDENCELL) << std::size_t{1};
        QTest::newRow("refined") << false << int(Flags::REFINEDCELL) << std::size_t{1};
        QTest::newRow("at the border") << false << int(Flags::EXTERIORCELL) << std::size_t{2};
        QTest::newRow("hidden point") << true << int(Flags::HIDDENPOINT) << std::size_t{1};
        QTest::newRow("shared point") << true << int(Flags::DUPLICATEPOINT) << std::size_t{2};
    }
    void hiddenCellsAreLeftOut()
    {
        QFETCH(bool, ofPoints);
        QFETCH(int, flag);
        QFETCH(std::size_t, cells);
        const test::Folder folder;
        const auto s = small();
        const auto data = dataSetOf(s.mesh, s.fields, s.values);
        vtkNew<vtkUnsignedCharArray> flags; // of the second cell, or of a point that only that has
        flags->SetName(vtkDataSetAttributes::GhostArrayName());
        for (std::uint64_t i = 0; i < (ofPoints ? s.mesh.points : s.mesh.cells); ++i)
            flags->InsertNextValue(static_cast<unsigned char>(i == (ofPoints ? 2 : 1) ? flag : 0));
        if (ofPoints)
            data->GetPointData()->AddArray(flags);
        else
            data->GetCellData()->AddArray(flags);
        writeDataSet(folder / "a.vti", *data);
        const auto all = readAll(folder / "a.vti");
        QCOMPARE(all[0].mesh.cells, static_cast<std::uint64_t>(cells));
        QCOMPARE(all[0].mesh.points, std::uint64_t{cells == 2 ? 12U : 8U});
        QCOMPARE(all[0].fields.size(), s.fields.size());
        QCOMPARE(all[0].values[2].size(), cells);
        QCOMPARE(all[0].values[2][0], s.values[2][0]);
        QCOMPARE(all[0].notes.size(), std::size_t{cells == 2 ? 0U : 1U});
        if (cells == 1)
            QCOMPARE(all[0].values[0], (std::vector<float>{0, 0.5F, 1.5F, 2, 3, 3.5F, 4.5F, 5}));
    }

    void capitalsInAnEndingDoNotMatter()
    {
        const test::Folder folder;
        const auto s = small();
        writeDataSet(folder / "a.vti", *dataSetOf(s.mesh, s.fields, s.values));
        std::filesystem::rename(folder / "a.vti", folder / "A.VTI");
        QVERIFY(readAll(folder / "A.VTI").at(0).values == s.values);
    }

    void casesOfOpenFoamThatCannotBeReadSayWhy()
    {
        const test::Folder folder;
        std::filesystem::create_directories(folder / "case/system");
        std::filesystem::create_directories(folder / "case/processor0/1");
        std::ofstream(folder / "case/system/controlDict")
            << "FoamFile { format ascii; class dictionary; object controlDict; }\n"
               "startFrom startTime; startTime 0; stopAt endTime; endTime 1; deltaT 1;\n"
               "writeControl timeStep; writeInterval 1;\n";
        const auto isRefused = [](const std::filesystem::path &path, const char *why) {
            return test::isRefused([&] { readAll(path); }, why);
        };
        QVERIFY(isRefused(folder / "case", "give its system/controlDict"));
        QVERIFY(isRefused(folder / "case/system/controlDict", "reconstructPar"));
    }

    void anArrayWithoutANameIsSaid()
    {
        const test::Folder folder;
        const auto s = small();
        writeDataSet(folder / "a.vti", *dataSetOf(s.mesh, s.fields, s.values));
        const auto bytes = test::bytesOf(folder / "a.vti");
        std::string text(bytes.begin(), bytes.end());
        const std::string name = "Name=\"p\"";
        text.replace(text.find(name), name.size(), "");
        test::writeBytes(folder / "b.vti", {text.begin(), text.end()});
        QVERIFY(test::isRefused([&] { readAll(folder / "b.vti"); }, "has an array without a name"));
    }

    void blocksOfOtherPrecisionAreJoined()
    {
        const test::Folder folder;
        const auto s = small();
        const auto data = dataSetOf(s.mesh, s.fields, s.values);
        writeDataSet(folder / "a.vti", *data);
        vtkNew<vtkDoubleArray> doubles;
        doubles->DeepCopy(data->GetPointData()->GetArray("p"));
        data->GetPointData()->AddArray(doubles);
        vtkNew<vtkIntArray> wholes;
        wholes->SetName("k");
        wholes->InsertNextValue(3);
        wholes->InsertNextValue(4);
        data->GetCellData()->AddArray(wholes);
        data->GetPointData()->GetArray("u")->SetName("v");
        writeDataSet(folder / "b.vti", *data);
        std::ofstream(folder / "both.pvd")
            << R"(<VTKFile type="Collection"><Collection><DataSet part="0" file="a.vti"/>)"
               R"(<DataSet part="1" file="b.vti"/></Collection></VTKFile>)";
        const auto all = readAll(folder / "both.pvd");
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all[0].mesh.points, std::uint64_t{24});
        QCOMPARE(all[0].fields.size(), std::size_t{2}); // p and k
        QCOMPARE(all[0].values[0][14], 1.0F);
        QCOMPARE(all[0].values[1], (std::vector<float>{0, 0.5F, 3, 4}));
        QCOMPARE(all[0].notes.size(), std::size_t{2}); // about u and v
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

    /// Joined, they are one mesh; broken cells are refused before they are joined.
    void blocksAreJoined()
    {
        const test::Folder folder;
        const auto tetrahedron = [&](const std::string &name, double x, vtkIdType last) {
            vtkNew<vtkPoints> points;
            for (const auto &p : {std::array{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}})
                points->InsertNextPoint(p[0] + x, p[1], p[2]);
            vtkNew<vtkUnstructuredGrid> grid;
            grid->SetPoints(points);
            const vtkIdType corners[] = {0, 1, 2, last};
            grid->InsertNextCell(VTK_TETRA, 4, corners);
            vtkNew<vtkDoubleArray> values;
            values->SetName("k");
            values->InsertNextValue(x);
            grid->GetCellData()->AddArray(values);
            writeDataSet(folder / name, *grid);
        };
        tetrahedron("a.vtu", 1, 3);
        tetrahedron("b.vtu", 2, 3);
        const std::string list = "<VTKFile type=\"vtkMultiBlockDataSet\" version=\"1.0\">"
                                 "<vtkMultiBlockDataSet><DataSet index=\"0\" file=\"a.vtu\"/>"
                                 "<DataSet index=\"1\" file=\"b.vtu\"/></vtkMultiBlockDataSet>"
                                 "</VTKFile>";
        test::writeBytes(folder / "a.vtm", {list.begin(), list.end()});
        const auto all = readAll(folder / "a.vtm");
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all[0].mesh.kind, std::string("unstructured"));
        QCOMPARE(all[0].mesh.points, std::uint64_t{8});
        QCOMPARE(all[0].values, (std::vector<std::vector<float>>{{1, 2}}));
        tetrahedron("b.vtu", 2, 4); // there are points 0 .. 3
        QVERIFY_THROWS_EXCEPTION(Error, readAll(folder / "a.vtm"));
    }

    void readersThatHangAreGivenUp_data()
    {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("says");
        QTest::newRow("waits") << "waits"
                               << "made no progress for 0.3 s";
        QTest::newRow("computes") << "computes"
                                  << "needed more than 0.3 s for one step";
        QTest::newRow("crashes") << "crashes"
                                 << "crashed";
        QTest::newRow("slow") << "slow"
                              << "";
    }
    void readersThatHangAreGivenUp()
    {
        QFETCH(QString, how);
        QFETCH(QString, says);
        ReadPatience patience;
        patience.stalled = patience.step = std::chrono::milliseconds(300);
        int steps = 0;
        QString message;
        QElapsedTimer timer;
        timer.start();
        try {
            readIsolated(
                "file", patience,
                [&](const auto &give) {
                    give(small());
                    if (how == "waits")
                        ::sleep(60);
                    else if (how == "crashes")
                        ::raise(SIGSEGV);
                    for (volatile bool endless = how == "computes"; endless;) {
                    }
                    // Each of its pauses is bearable, all of them together are not.
                    for (int i = 0; i < 20; ++i) {
                        ::usleep(50'000);
                        std::ifstream("/proc/self/stat").get();
                    }
                    give(small());
                },
                [&](RunSnapshot &&) { ++steps; });
        } catch (const Error &error) {
            message = error.what();
        }
        QVERIFY2(says.isEmpty() ? message.isEmpty() : message.contains(says), qPrintable(message));
        QCOMPARE(steps, says.isEmpty() ? 2 : 1);
        QVERIFY(timer.elapsed() < 30'000);
    }

    void readingEndsSoonWhenItIsStopped()
    {
        QCOMPARE(ReadPatience{}.step.count(), std::chrono::milliseconds(10'000).count());
        QCOMPARE(ReadPatience{}.stalled.count(), std::chrono::milliseconds(10'000).count());
        std::stop_source stop;
        QElapsedTimer timer;
        qint64 asked = 0, ended = 0;
        const std::jthread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            asked = timer.elapsed();
            stop.request_stop();
        });
        timer.start();
        try {
            readIsolated(
                "file", ReadPatience{},
                [](const auto &) {
                    for (volatile bool endless = true; endless;) {
                    }
                },
                [](RunSnapshot &&) {}, stop.get_token());
        } catch (const ReadingStopped &) {
            ended = timer.elapsed();
        }
        QVERIFY(ended > 0);
        QVERIFY2(ended - asked < 1000, qPrintable(QString::number(ended - asked))); // 200, if idle
    }

    /// A thread may hold a lock of an allocator or a library at the moment of the fork: in the
    /// child nobody will ever open it.
    void aReaderThatWaitsForALockIsTriedAgain_data()
    {
        QTest::addColumn<int>("locked");
        QTest::newRow("once") << 1;
        QTest::newRow("twice") << 2;
        QTest::newRow("each time") << 100;
    }

    void aReaderThatWaitsForALockIsTriedAgain()
    {
        QFETCH(const int, locked);
        if (!std::ifstream("/proc/self/syscall"))
            QSKIP("this system does not tell what a process waits for");
        void *shared = ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        QVERIFY(shared != MAP_FAILED);
        auto &tries = *new (shared) std::atomic<int>(0);
        std::mutex held;
        held.lock();
        int visited = 0;
        QString problem;
        QElapsedTimer timer;
        timer.start();
        try {
            readIsolated(
                "file", ReadPatience{},
                [&](const auto &give) {
                    give(small());
                    if (++tries <= locked)
                        held.lock();
                    give(small());
                },
                [&](RunSnapshot &&) { ++visited; });
        } catch (const Error &error) {
            problem = error.what();
        }
        held.unlock();
        const int tried = tries;
        ::munmap(shared, sizeof(std::atomic<int>));
        QVERIFY2(timer.elapsed() < 9000, "it was waited for as if it were busy");
        if (locked < isolatedTries) {
            QCOMPARE(tried, locked + 1);
            QCOMPARE(visited, 2); // each once
            QCOMPARE(problem, QString());
        } else {
            QCOMPARE(tried, isolatedTries);
            QCOMPARE(visited, 1);
            QVERIFY2(problem.contains("hangs"), qPrintable(problem));
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

GRIDHELM_TEST(MeshFilesTest)
#include "tst_mesh_files.moc"
