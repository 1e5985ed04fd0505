// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs whose meshes differ: resampled, moving, and of another shape.
#include "core/support/error.h"
#include "data/campaign/campaign.h"
#include "data/campaign/local_runner.h"
#include "data/campaign/plan_file.h"
#include "data/compress/compress.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/study_fields.h"
#include "data/mesh/background.h"
#include "data/mesh/campaign_files.h"
#include "data/mesh/cell_edges.h"
#include "data/mesh/entities_inside.h"
#include "data/mesh/entity_finder.h"
#include "data/mesh/mesh_motion.h"
#include "data/mesh/mesh_probe.h"
#include "data/study/image_mesh.h"
#include "tests/core/on_cpu.h"
#include "tests/data/plate_meshes.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <vtkAppendFilter.h>
#include <vtkCellType.h>
#include <vtkDataSet.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>

using namespace gridhelm;
using namespace gridhelm::data;
using test::Place;

namespace {

using Simulate = std::function<RunSnapshot(const std::vector<double> &)>;

class FunctionRun : public LocalRun
{
public:
    FunctionRun(Simulate simulate, RunRequest request)
        : m_simulate(std::move(simulate))
        , m_request(std::move(request))
    {
    }

    RunResult run(const RunSink &sink, const std::stop_token &, const std::function<void(double)> &,
                  std::string &log) override
    {
        try {
            sink(0, m_simulate(m_request.parameters));
            return RunResult::finished;
        } catch (const Error &error) {
            log = error.what();
            return RunResult::failed;
        }
    }

private:
    Simulate m_simulate;
    RunRequest m_request;
};

/// Runs `simulate(parameters)` for every job.
class FunctionRunner : public LocalRunner
{
public:
    explicit FunctionRunner(const Simulate &simulate)
        : LocalRunner([simulate](const RunRequest &request) {
            return std::make_unique<FunctionRun>(simulate, request);
        })
    {
    }
};

/// A study of one parameter, a in [low, high], run and compressed, with errors measured.
struct Made
{
    StudyWriter study;
    CampaignReport report;
    std::vector<ErrorSummary> errors;

    const ErrorSummary &heldOut(const std::string &field) const
    {
        const auto index = study.fieldIndex(field);
        return *std::ranges::find_if(errors, [&](const ErrorSummary &of) {
            return of.field == index && of.kind == ErrorKind::heldOut;
        });
    }
};

Made make(const std::filesystem::path &path, double low, double high, int level,
          const MeshHandling &mesh, const Simulate &simulate)
{
    Parameter a{"a", "", low, high};
    a.treatment = sparse::BoundaryTreatment::boundary;
    Made made{
        StudyWriter::create(path, {"made", StudyKind::vector, ParameterSpace({a}), level, ""}),
        {},
        {}};
    FunctionRunner runner(simulate);
    CampaignOptions options;
    options.fit = meshFilesThroughVtk().fitter(mesh, "(how)");
    made.report = runCampaign(made.study, runner, options);
    if (made.report.failed > 0)
        return made;
    // Halfway between the grid's values and elsewhere, corners left out.
    std::vector<std::vector<double>> places;
    for (const double x : {0.03, 0.17, 0.29, 0.41, 0.55, 0.68, 0.77, 0.93})
        places.push_back({low + x * (high - low)});
    runHoldOuts(made.study, runner, places, options);
    compress(made.study, {});
    storeErrors(made.study, test::onCpu());
    made.errors = summarize(made.study.errorFigures());
    return made;
}

double worst(const std::vector<float> &values, const std::vector<double> &exact)
{
    double largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        largest = std::max(largest, std::abs(values[i] - exact[i]));
    return largest;
}

const MeshHandling onGrid{MeshKind::background, {{65, 65, 1}, {}, {}}};
const MeshHandling moving{MeshKind::moving, {}};

} // namespace

class MeshGeometryTest : public QObject
{
    Q_OBJECT

private slots:
    void slopesAreExactForLinearFields()
    {
        const auto mesh = test::unevenSquare(9, 1);
        const auto linear = [](const Place &x) { return 2 + 3 * x[0] - 5 * x[1]; };
        const auto snapshot = test::onMesh(mesh, linear);
        const auto data = decodeMesh(mesh);
        std::vector<double> places, exact;
        for (int i = 0; i <= 20; ++i)
            for (int j = 0; j <= 20; ++j) {
                const Place x{0.05 * i, 0.05 * j, 0}; // the border, too
                places.insert(places.end(), x.begin(), x.end());
                exact.push_back(linear(x));
            }
        const MeshProbe probe(*data, places, OutsideMesh::refused, CellValues::linear);
        const auto values = probe.sample(snapshot.fields[1], snapshot.values[1]);
        QVERIFY2(worst(values, exact) < 1e-5, qPrintable(QString::number(worst(values, exact))));
        const MeshProbe constant(*data, places);
        QVERIFY(worst(constant.sample(snapshot.fields[1], snapshot.values[1]), exact) > 0.1);
    }

    /// They have no centre, and are counted all the same.
    void emptyCellsShiftNoOthers()
    {
        const auto square = decodeMesh(test::unevenSquare(9, 1));
        vtkNew<vtkUnstructuredGrid> grid;
        grid->SetPoints(vtkPointSet::SafeDownCast(square)->GetPoints());
        grid->InsertNextCell(VTK_EMPTY_CELL, 0, static_cast<const vtkIdType *>(nullptr));
        std::vector<float> values{100};
        const auto centres = placesOfCells(*square);
        vtkNew<vtkIdList> nodes;
        for (vtkIdType c = 0; c < square->GetNumberOfCells(); ++c) {
            square->GetCellPoints(c, nodes);
            grid->InsertNextCell(square->GetCellType(c), nodes);
            values.push_back(static_cast<float>(centres[3 * static_cast<std::size_t>(c)]));
        }
        const std::vector<double> place{0.63, 0.21, 0};
        const MeshProbe probe(*grid, place, OutsideMesh::refused, CellValues::linear);
        const Field field{"c", "", 1, Association::cell, values.size()};
        QVERIFY(std::abs(probe.sample(field, values).front() - 0.63F) < 1e-5F);
        const auto places = placesOfCells(*grid);
        QCOMPARE(places.size(), centres.size() + 3);
        QVERIFY(std::isnan(places[0])
                && std::equal(centres.begin(), centres.end(), places.begin() + 3));
        const MeshProbe everywhere(*grid, places,
                                   OutsideMesh::empty); // outside of the mesh has no numbers
        QVERIFY(std::isnan(everywhere.sample(field, values).front()));
        const auto region = entitiesInside(*grid, {{-1, -1, -1}, {centres[0], centres[1], 1}});
        QCOMPARE(region.cells.front(), std::uint32_t{1}); // the first that is none of nothing
    }

    /// Point 3 of what people's own data need: the same function as a field of points and of
    /// cells, on another mesh in every run.
    void cellDataIsResampledAsWellAsPointData()
    {
        const test::Folder folder;
        int run = 0;
        const auto made = make(folder / "s.gridhelm", 0.5, 1.5, 4, {MeshKind::resampled, {}},
                               [&run](const std::vector<double> &at) {
                                   const auto mesh = test::unevenSquare(24 + run % 5, run);
                                   ++run;
                                   return test::onMesh(mesh, [a = at[0]](const Place &x) {
                                       return std::exp(-12 * std::pow(x[0] - 0.4 * a, 2))
                                              * std::cos(5 * x[1] * a);
                                   });
                               });
        QCOMPARE(made.report.failed, std::size_t{0});
        const double atPoints = made.heldOut("p").meanRelativeL2;
        const double inCells = made.heldOut("c").meanRelativeL2;
        qInfo("points %.4f, cells %.4f", atPoints, inCells);
        QVERIFY(inCells < 1.5 * atPoints);
        QVERIFY(atPoints < 0.05);
    }

    void cellsTurnedInsideOutAreCounted()
    {
        const auto mesh = test::beam(2, 0.5);
        const auto data = decodeMesh(mesh);
        const InvertedCells cells(*data);
        QCOMPARE(cells.cells(), std::size_t{36});
        std::vector<float> displacement(3 * mesh.points);
        QCOMPARE(cells.count(displacement), std::size_t{0});
        displacement[3 * 20] = 1; // one node inside, far beyond its neighbours
        QCOMPARE(cells.count(displacement), std::size_t{2});
        for (std::size_t i = 0; i < mesh.points; ++i) // a mirror image
            displacement[3 * i] =
                static_cast<float>(-2 * data->GetPoint(static_cast<vtkIdType>(i))[0]);
        QCOMPARE(cells.count(displacement), std::size_t{36});
    }

    void solidCellsTurnedInsideOutAreCounted()
    {
        const auto mesh = encodeImageMesh({{3, 3, 3}, {0, 0, 0}, {1, 1, 1}});
        const auto data = decodeMesh(movable(mesh));
        const InvertedCells cells(*data);
        QCOMPARE(cells.cells(), std::size_t{8});
        std::vector<float> displacement(3 * 27);
        QCOMPARE(cells.count(displacement), std::size_t{0});
        displacement[0] = displacement[1] = displacement[2] = 1.5; // a corner, through its cell
        QCOMPARE(cells.count(displacement), std::size_t{1});
    }

    void aBeamThatGrowsMovesItsNodes()
    {
        const test::Folder folder;
        const auto exact = [](const Place &x) { return x[0] * x[0]; };
        const auto made =
            make(folder / "s.gridhelm", 1, 3, 3, moving, [&](const std::vector<double> &at) {
                return test::onMesh(test::beam(at[0], 0.4), exact);
            });
        QCOMPARE(made.report.failed, std::size_t{0});
        QVERIFY(made.heldOut("mesh.displacement").meanRelativeL2 < 1e-6); // it is linear
        // The value at a node is (s a)^2: what interpolating a^2 over nine values leaves.
        QVERIFY(made.heldOut("p").meanRelativeL2 < 0.01);

        StudyFields fields(Study::open(folder / "s.gridhelm"),
                           sparse::makeOmpBackend(test::onCpu(1)));
        const auto geometry = fields.geometry(std::vector<double>{2.3});
        QVERIFY(geometry.distance.empty());
        auto data = decodeMesh(*fields.mesh());
        MovingNodes nodes(*vtkPointSet::SafeDownCast(data));
        nodes.move(geometry.displacement);
        QVERIFY(std::abs(data->GetBounds()[1] - 2.3) < 1e-5);
        QVERIFY(std::abs(data->GetPoint(6)[0] - 1.15) < 1e-5);
    }

    void meshesWithOtherCellsDoNotMove()
    {
        const test::Folder folder;
        const auto made =
            make(folder / "s.gridhelm", 1, 3, 2, moving, [](const std::vector<double> &at) {
                return test::onMesh(test::beam(at[0], 0.4, at[0] > 2.5 ? 13 : 12),
                                    [](const Place &x) { return x[0]; });
            });
        QVERIFY(made.report.failed > 0);
        QVERIFY2(made.report.firstFailure.find("kind = \"background\"") != std::string::npos,
                 made.report.firstFailure.c_str());
    }

    void invertedCellsAreSaidInTheLog()
    {
        const test::Folder folder;
        const auto made =
            make(folder / "s.gridhelm", -1, 1, 2, moving, [](const std::vector<double> &at) {
                return test::onMesh(test::beam(at[0] == 0 ? 0.1 : at[0], 0.4),
                                    [](const Place &x) { return x[1]; });
            });
        QCOMPARE(made.report.failed, std::size_t{0});
        int said = 0;
        for (const auto &job : made.study.jobs())
            said += made.study.jobLog(job.id).find("36 of 36 cells are turned inside out")
                    != std::string::npos;
        QVERIFY(said > 0);
    }

    void distancesAreSignedAndEndAtTheBox()
    {
        const auto mesh = test::plateWithHole(0.5, 96, 12);
        const auto grid = backgroundMesh({{41, 41, 1}, {}, {}}, mesh);
        const BackgroundSampling sampling(grid, mesh);
        for (int j = 0; j < 41; ++j)
            for (int i = 0; i < 41; ++i) {
                const double x = -1 + 0.05 * i, y = -1 + 0.05 * j;
                const double exact = std::hypot(x, y) - 0.5; // also at the plate's own edges
                const auto node = static_cast<std::size_t>(41 * j + i);
                QVERIFY2(
                    std::abs(sampling.distance()[node] - exact) < 2e-3,
                    qPrintable(QString("%1 %2: %3").arg(x).arg(y).arg(sampling.distance()[node])));
            }
    }

    /// Where a grid around a hole ends it meets itself: that is no boundary of the body.
    void aSeamIsNoBoundary()
    {
        const auto ring = test::quadMesh(97, 13, false, [](int i, int j) -> Place {
            const double angle = 2 * std::numbers::pi * (i % 96) / 96;
            const double c = std::cos(angle), s = std::sin(angle);
            const double r = 0.5 + (1 / std::max(std::abs(c), std::abs(s)) - 0.5) * j / 12;
            return {r * c, r * s, 0};
        });
        const auto grid = backgroundMesh({{41, 41, 1}, {}, {}}, ring);
        const BackgroundSampling sampling(grid, ring);
        // The seam is where y = 0, x > 0.
        QVERIFY(std::abs(sampling.distance()[41 * 20 + 36] - 0.3) < 1e-3);
    }

    void distancesInSolidsAreSigned()
    {
        // A cube of two blocks that touch, in a larger box.
        vtkNew<vtkAppendFilter> both;
        for (const double x : {0.0, 1.0})
            both->AddInputData(
                decodeMesh(movable(encodeImageMesh({{3, 5, 5}, {x, 0, 0}, {0.5, 0.5, 0.5}}))));
        both->Update();
        const auto cube = encodeMesh(*both->GetOutput());
        const auto grid = backgroundMesh({{17, 17, 17}, Place{-1, -1, -1}, Place{3, 3, 3}}, cube);
        const BackgroundSampling sampling(grid, cube);
        const auto at = [&](double x, double y, double z) {
            const auto index = [](double t) { return std::lround((t + 1) * 4); };
            return sampling
                .distance()[static_cast<std::size_t>((index(z) * 17 + index(y)) * 17 + index(x))];
        };
        QVERIFY(std::abs(at(1, 1, 1) - 1) < 1e-5); // not 0, where the blocks touch
        QVERIFY(std::abs(at(0.5, 1, 1) - 0.5) < 1e-5);
        QVERIFY(std::abs(at(3, 1, 1) + 1) < 1e-5);
        QVERIFY(std::abs(at(3, 3, 1) + std::sqrt(2.0)) < 1e-5);
    }

    void fieldsAreContinuedIntoTheHole()
    {
        const auto mesh = test::plateWithHole(0.5, 96, 24);
        const auto grid = backgroundMesh({{81, 81, 1}, {}, {}}, mesh);
        const BackgroundSampling sampling(grid, mesh);
        const auto snapshot = test::onMesh(mesh, [](const Place &x) { return 1 + 2 * x[0]; });
        for (std::size_t f = 0; f < 2; ++f) {
            const auto values = sampling.sample(snapshot.fields[f], snapshot.values[f]);
            QCOMPARE(values.size(), std::size_t{81 * 81});
            for (int i = 20; i <= 24; ++i) { // x from -0.5 into the hole, y = 0
                const double x = -1 + 0.025 * i;
                const auto node = static_cast<std::size_t>(81 * 40 + i);
                // Linear, so that reflection continues it exactly, as long as it is not damped.
                QVERIFY2(std::abs(values[node] - (1 + 2 * x)) < (i < 22 ? 0.01 : 0.1),
                         qPrintable(QString("%1: %2").arg(x).arg(values[node])));
            }
        }
    }

    void aHoleThatGrowsIsInterpolated()
    {
        const test::Folder folder;
        const auto made =
            make(folder / "s.gridhelm", 0.1, 0.4, 4, onGrid, [](const std::vector<double> &at) {
                // Other cells in every run.
                const auto mesh =
                    test::plateWithHole(at[0], 8 * (12 + static_cast<int>(20 * at[0])), 40);
                return test::onMesh(mesh,
                                    [r = at[0]](const Place &x) { return test::kirsch(x, r); });
            });
        QCOMPARE(made.report.failed, std::size_t{0});
        const double error = made.heldOut("p").meanRelativeL2;
        qInfo("held out: p %.5f, c %.5f, distance %.5f", error, made.heldOut("c").meanRelativeL2,
              made.heldOut("mesh.signed_distance").meanRelativeL2);
        QVERIFY(error < 0.01); // 5 % if fields were 0 in the hole, see background.h
        QVERIFY(made.heldOut("c").meanRelativeL2 < 1.5 * error);
        QVERIFY(made.heldOut("mesh.signed_distance").meanRelativeL2 < 0.002);
    }

    /// Of a tetrahedron, a curved triangle, lines and a point.
    void edgesOfCellsLeadFromPointToPoint()
    {
        vtkNew<vtkUnstructuredGrid> grid;
        vtkNew<vtkPoints> points;
        points->SetDataTypeToDouble();
        for (const auto &[x, y, z] :
             {Place{0, 0, 0}, Place{1, 0, 0}, Place{0, 1, 0}, Place{0.5, -0.1, 0},
              Place{0.6, 0.6, 0}, Place{-0.1, 0.5, 0}, Place{0, 0, 1}})
            points->InsertNextPoint(x, y, z);
        grid->SetPoints(points);
        const auto add = [&](int type, std::vector<vtkIdType> corners) {
            grid->InsertNextCell(type, static_cast<vtkIdType>(corners.size()), corners.data());
        };
        add(VTK_TETRA, {0, 1, 2, 6});
        add(VTK_QUADRATIC_TRIANGLE, {0, 1, 2, 3, 4, 5});
        add(VTK_POLY_LINE, {0, 1, 2});
        add(VTK_QUADRATIC_EDGE, {0, 1, 3});
        add(VTK_VERTEX, {6});
        const std::array<std::size_t, 5> counts{6, 6, 2, 2, 0};
        for (std::size_t cell = 0; cell < counts.size(); ++cell)
            QCOMPARE(cellEdges(*grid, cell).size(), counts[cell]);
        // The curved one goes over the point between its ends.
        const auto curved = cellEdges(*grid, 3);
        QCOMPARE(curved[0], (MeshEdge{{{0, 0, 0}, {0.5, -0.1, 0}}}));
        QCOMPARE(curved[1], (MeshEdge{{{0.5, -0.1, 0}, {1, 0, 0}}}));
        double length = 0; // of the tetrahedron
        for (const auto &[from, to] : cellEdges(*grid, 0))
            length += std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
        QVERIFY(std::abs(length - (3 + 3 * std::sqrt(2.0))) < 1e-12);
    }

    /// Which one a picture of a slice shows, whatever round-off has made of the place.
    void betweenTwoCellsItIsTheUpperOne()
    {
        const auto box = decodeMesh(encodeImageMesh({{5, 5, 5}, {0, 0, 0}, {0.25, 0.25, 0.25}}));
        EntityFinder finder(box);
        for (const double off : {-1e-9, 0.0, 1e-9}) {
            QCOMPARE(finder.cellNear({0.3, 0.6, 0.5 + off}).number,
                     std::uint64_t{2 * 16 + 2 * 4 + 1});
            QCOMPARE(finder.cellNear({0.5 + off, 0.6, 0.3}).number, std::uint64_t{16 + 2 * 4 + 2});
        }
        QCOMPARE(finder.cellNear({1, 1, 1}).number, std::uint64_t{63});
        QCOMPARE(finder.cellNear({0, 0, 0}).number, std::uint64_t{0});
        QCOMPARE(finder.cellNear({0.3, 0.6, 0.49}).number, std::uint64_t{16 + 2 * 4 + 1});
    }

    void backgroundsThatDoNotFitAreRefused()
    {
        const auto mesh = test::plateWithHole(0.5, 24, 4);
        QVERIFY_THROWS_EXCEPTION(Error, backgroundMesh({{9, 9, 9}, {}, {}}, mesh));
        QVERIFY_THROWS_EXCEPTION(Error, backgroundMesh({{9, 1, 1}, {}, {}}, mesh));
        const auto small = backgroundMesh({{9, 9, 1}, Place{-1, -1, 0}, Place{0.5, 1, 0}}, mesh);
        QVERIFY_THROWS_EXCEPTION(Error, BackgroundSampling(small, mesh));
    }
};

GRIDHELM_TEST(MeshGeometryTest)
#include "tst_mesh_geometry.moc"
