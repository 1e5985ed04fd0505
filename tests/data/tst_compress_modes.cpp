// SPDX-License-Identifier: GPL-3.0-or-later
//
// How modes of a study come, stay and go, and what they are made with.
#include "core/modes/modes.h"
#include "data/campaign/campaign_steps.h"
#include "data/compress/node_volumes.h"
#include "data/study/study_file.h"
#include "tests/core/expect_error.h"
#include "tests/data/kriging_studies.h"
#include "tests/data/modes_cases.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

class CompressModesTest : public QObject
{
    Q_OBJECT

private slots:
    void newCoefficientsTakeModesAway();
    void compressingMakesThemAgain();
    void noneTakesThemAway_data();
    void noneTakesThemAway();
    void anotherDegreeMakesThemAgain();
    void whereTheyCostMoreItIsSaid_data();
    void whereTheyCostMoreItIsSaid();
    void aGrownGridKeepsThem();
    void missingSnapshotsAreNoRows();
    void droppedSnapshotsMakeNoDifference();
    void sameBitsForAnyThreadsAndMemory();
    void moreIsKeptWhereTheErrorIsSmall();
    void stoppedTheStudyIsAsBefore();
    void weightsAreVolumesOfImages();
    void othersWeighTheSame();
    void volumesOfOthersAreAskedFor();
    void damageIsFound_data();
    void damageIsFound();
    void impossibleOnesAreErrors();
};

void CompressModesTest::newCoefficientsTakeModesAway()
{
    const Folder folder;
    makeStudy(folder / "s", 3);
    addModes(folder / "s");
    growTo(folder / "s", 4);
    auto reader = Study::open(folder / "s");
    FieldSurrogate loading(reader, 0);
    auto writer = StudyWriter::open(folder / "s");
    QVERIFY(writer.modeSet(0));
    compress(writer, {}); // nothing new
    QVERIFY(writer.modeSet(0));
    runAllJobs(writer);
    QVERIFY(writer.modeSet(0));
    compress(writer, {});
    QVERIFY(!writer.modeSet(0));
    QVERIFY(!writer.modalRows(0));
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
    reader.refresh();
    GRIDHELM_EXPECT_ERROR(loading.loadAll(reader)); // its modes are gone
    QVERIFY(!dynamic_cast<const modes::ModalSurrogate *>(&FieldSurrogate(reader, 0).surrogate()));
}

void CompressModesTest::compressingMakesThemAgain()
{
    const Folder folder;
    makeStudy(folder / "s", 3);
    ModesOptions options;
    options.cut = 1e-5;
    addModes(folder / "s", options);
    growTo(folder / "s", 4);
    auto writer = StudyWriter::open(folder / "s");
    const auto before = writer.modeSet(0)->snapshots;
    runAllJobs(writer);
    auto report = compressStep(writer, {}, {});
    QCOMPARE(report.modes.fields, std::size_t{1});
    auto set = writer.modeSet(0);
    QVERIFY(set && set->snapshots > before);
    QCOMPARE(set->cut, 1e-5);
    // Nothing new, nothing made; and another cut when it is asked for.
    report = compressStep(writer, {}, {});
    QCOMPARE(report.modes.fields, std::size_t{0});
    CompressStep step;
    step.modes = ModesStep{1e-7};
    report = compressStep(writer, step, {});
    QCOMPARE(report.modes.fields, std::size_t{1});
    QCOMPARE(writer.modeSet(0)->cut, 1e-7);
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void CompressModesTest::noneTakesThemAway_data()
{
    QTest::addColumn<double>("error");
    QTest::newRow("exact") << 0.0;
    QTest::newRow("in few bits") << 1e-2;
}

void CompressModesTest::noneTakesThemAway()
{
    QFETCH(double, error);
    const Folder folder;
    makeStudy(folder / "s", 3);
    auto writer = StudyWriter::open(folder / "s");
    compressStep(writer, {}, {});
    const auto before = writer.errorFigures();
    QVERIFY(!before.empty());
    CompressStep step;
    step.modes.emplace();
    if (error > 0)
        step.error = AddedErrorStep{error, false};
    compressStep(writer, step, {});
    QVERIFY(writer.modeSet(0));
    QCOMPARE(writer.modeSet(0)->quantised.has_value(), error > 0);
    CompressStep none;
    none.modes = ModesStep{std::nullopt, true};
    auto report = compressStep(writer, none, {});
    QCOMPARE(report.withoutModes, writer.fields().size());
    QCOMPARE(report.modes.fields, std::size_t{0});
    QVERIFY(!writer.modeSet(0));
    QVERIFY(std::ranges::equal(writer.errorFigures(), before, {}, &ErrorFigure::relativeL2,
                               &ErrorFigure::relativeL2));
    QVERIFY(!writer.wantedMeans(0));
    // Nor do they come back.
    report = compressStep(writer, none, {});
    QCOMPARE(report.withoutModes, std::size_t{0});
    compressStep(writer, {}, {});
    QVERIFY(!writer.modeSet(0));
    // Kriging is of modes.
    compressStep(writer, surrogateStep(SurrogateKind::kriging), {});
    GRIDHELM_EXPECT_ERROR(compressStep(writer, none, {}));
    QVERIFY(writer.hasKriging(0));
    none.surrogate = SurrogateStep{SurrogateKind::sparseGrid, {}};
    compressStep(writer, none, {});
    QVERIFY(!writer.modeSet(0));
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void CompressModesTest::anotherDegreeMakesThemAgain()
{
    const Folder folder;
    makeStudy(folder / "s", 3);
    ModesOptions options;
    options.cut = 1e-8;
    addModes(folder / "s", options);
    auto writer = StudyWriter::open(folder / "s");
    CompressStep step;
    step.degrees = {1, 1, 3}; // of time, whose ends are points
    const auto report = compressStep(writer, step, {});
    QCOMPARE(report.modes.fields, std::size_t{1});
    QCOMPARE(writer.modeSet(0)->cut, 1e-8);
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());

    // They stand for the new coefficients, not for those that they were made of.
    makeStudy(folder / "t", 3);
    auto other = StudyWriter::open(folder / "t");
    compressStep(other, step, {});
    other.close();
    StudyFields with(Study::open(folder / "s"), omp()), without(Study::open(folder / "t"), omp());
    for (const auto &place : somePlaces(Study::open(folder / "t"))) {
        const auto a = evaluated(with, place).values, b = evaluated(without, place).values;
        QVERIFY(std::ranges::equal(a, b, [](float x, float y) { return std::abs(x - y) < 2e-3F; }));
    }
}

void CompressModesTest::whereTheyCostMoreItIsSaid_data()
{
    QTest::addColumn<double>("cut");
    QTest::newRow("nearly nothing") << 1e-12;
    QTest::newRow("most") << 0.9;
}

void CompressModesTest::whereTheyCostMoreItIsSaid()
{
    QFETCH(double, cut);
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(2));
    writer.addField(smallField("u", 100, 1));
    Random random(5); // noise has as many modes as there are snapshots
    for (const auto &job : writer.jobs()) {
        writer.startJob(job.id);
        auto transaction = writer.transaction();
        for (auto point : job.points)
            writer.putSnapshot(point, 0, randomValues<float>(random, 100));
        writer.finishJob(job.id, "fine");
        transaction.commit();
    }
    CompressStep step;
    step.modes = ModesStep{cut};
    const auto report = compressStep(writer, step, {});
    const auto grid = writer.grid();
    const bool costsMore = writer.modeSet(0)->modes() > grid->activeFunctions(grid->groups());
    QCOMPARE(costsMore, cut < 0.5);
    QCOMPARE(report.note.find("more POD modes than rows") != std::string::npos, costsMore);
}

void CompressModesTest::aGrownGridKeepsThem()
{
    const Folder folder;
    makeStudy(folder / "s", 3);
    addModes(folder / "s");
    StudyFields before(Study::open(folder / "s"), omp());
    const auto places = somePlaces(before.study());
    std::vector<Whole> expected;
    for (const auto &at : places)
        expected.push_back(evaluated(before, at));
    growTo(folder / "s", 4); // points are numbered anew
    StudyFields after(Study::open(folder / "s"), omp());
    QVERIFY(after.modes(0));
    QVERIFY(after.study().modalRows(0)->rows() > after.modes(0)->snapshots);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto now = evaluated(after, places[i]);
        for (std::size_t k = 0; k < 600; ++k)
            QVERIFY(std::abs(now.values[k] - expected[i].values[k]) <= 2e-6F);
    }
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void CompressModesTest::missingSnapshotsAreNoRows()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(4));
    writer.addField(smallField("u", 100));
    const auto jobs = writer.jobs();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (i % 5 != 2)
            runJob(writer, jobs[i]);
    }
    CompressOptions allowing;
    allowing.allowMissing = true;
    compress(writer, allowing);
    const auto missing = writer.missingPoints(0);
    QVERIFY(missing > 0);
    std::vector<std::vector<float>> expected;
    const auto places = somePlaces(writer);
    const auto at = [&](const std::vector<double> &place) {
        std::vector<float> values(100);
        evaluateFromFile(writer, 0, writer.description().space.toUnit(place), {values, {}},
                         CpuDevice{});
        return values;
    };
    for (const auto &place : places)
        expected.push_back(at(place));
    storeModes(writer, ModesOptions{});
    QCOMPARE(writer.modeSet(0)->snapshots, writer.grid()->points() - missing);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto found = at(places[i]);
        for (std::size_t k = 0; k < 100; ++k)
            QVERIFY(std::abs(found[k] - expected[i][k]) <= 1e-3F);
    }
}

void CompressModesTest::droppedSnapshotsMakeNoDifference()
{
    const Folder folder;
    makeStudy(folder / "s");
    makeStudy(folder / "t");
    auto writer = StudyWriter::open(folder / "t");
    QVERIFY(writer.dropSnapshots() > 0);
    writer.close();
    addModes(folder / "s");
    addModes(folder / "t");
    QVERIFY(modesOf(folder / "s") == modesOf(folder / "t"));
}

void CompressModesTest::sameBitsForAnyThreadsAndMemory()
{
    const Folder folder;
    makeStudy(folder / "s");
    addModes(folder / "s");
    const auto expected = modesOf(folder / "s");
    QVERIFY(expected.size() > 1000);
    for (const int threads : {1, 2, 5}) {
        ModesOptions options;
        options.cpu = CpuDevice{threads};
        options.blockBytes = 1000.0 * threads;
        addModes(folder / "s", options);
        QVERIFY(modesOf(folder / "s") == expected);
    }
}

void CompressModesTest::moreIsKeptWhereTheErrorIsSmall()
{
    const Folder folder;
    makeStudy(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    QCOMPARE(automaticCut(writer, 0), 1e-9); // nothing was measured
    const auto figureOf = [&](double error) {
        ErrorFigure figure;
        figure.kind = ErrorKind::leaveOneOut;
        figure.parameters = {300, 1, 2};
        figure.relativeL2 = error;
        figure.gridPoints = writer.grid()->points();
        return figure;
    };
    const auto cutFor = [&](const std::vector<ErrorFigure> &figures) {
        writer.putErrorFigures(figures);
        return automaticCut(writer, 0);
    };
    QCOMPARE(cutFor({figureOf(0.01)}), 1e-9);
    const double root = std::sqrt((1e-4 * 1e-4 + 3e-4 * 3e-4) / 2);
    QVERIFY(std::abs(cutFor({figureOf(1e-4), figureOf(3e-4)}) / (root * root / 100) - 1) <= 1e-12);
    QCOMPARE(cutFor({figureOf(1e-9)}), modes::smallestCut);
    auto old = figureOf(1e-4);
    --old.gridPoints;
    QCOMPARE(cutFor({old}), 1e-9);
}

void CompressModesTest::stoppedTheStudyIsAsBefore()
{
    const Folder folder;
    makeStudy(folder / "s");
    addModes(folder / "s");
    const auto expected = modesOf(folder / "s");
    for (const double when : {0.0, 0.8, 0.95}) {
        ModesOptions options;
        options.cut = 1e-3;
        options.progress = [&](double share) { return share < when; };
        QVERIFY(addModes(folder / "s", options).cancelled);
        QVERIFY(modesOf(folder / "s") == expected);
    }
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void CompressModesTest::weightsAreVolumesOfImages()
{
    const ImageMesh image{{4, 3, 1}, {0, 0, 0}, {0.5, 2, 7}};
    const auto points = imageVolumes(image, Association::point);
    const auto cells = imageVolumes(image, Association::cell);
    QCOMPARE(points.size(), std::size_t{12});
    QCOMPARE(cells, std::vector<double>(6, 1.0));
    QCOMPARE(std::accumulate(points.begin(), points.end(), 0.0), 6.0);
    QCOMPARE(points[0], 0.25); // a corner
    QCOMPARE(points[1], 0.5);  // an edge
    QCOMPARE(points[5], 1.0);  // inside
}

void CompressModesTest::othersWeighTheSame()
{
    const Folder folder;
    makeStudy(folder / "s", 2, 100); // without a mesh
    const auto weights = weightsOf(Study::open(folder / "s"), 0, {});
    QVERIFY(!weights.areVolumes);
    QCOMPARE(weights.values, std::vector<double>(100, 1.0));
    addModes(folder / "s");
    QVERIFY(!Study::open(folder / "s").modeSet(0)->byVolumes);
}

void CompressModesTest::volumesOfOthersAreAskedFor()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(2));
    writer.setMesh({"foreign", "bytes", 4, 1});
    writer.addField(smallField("u", 4));
    std::vector<double> volumes{1, 2, 0, 5};
    const auto ask = [&](const Mesh &mesh, Association of) {
        return mesh.encoded == "bytes" && of == Association::point ? volumes
                                                                   : std::vector<double>{};
    };
    auto weights = weightsOf(writer, 0, ask);
    QVERIFY(weights.areVolumes);
    QCOMPARE(weights.values, (std::vector<double>{0.5, 1, 0, 2.5}));
    for (const auto &bad :
         {std::vector<double>{}, {1, 2, 3}, {0, 0, 0, 0}, {1, -1, 1, 1}, {1, std::nan(""), 1, 1}}) {
        volumes = bad;
        weights = weightsOf(writer, 0, ask);
        QVERIFY(!weights.areVolumes);
        QCOMPARE(weights.values, std::vector<double>(4, 1.0));
    }
}

void CompressModesTest::damageIsFound_data()
{
    QTest::addColumn<QString>("sql");
    const auto row = [](const char *name, const char *sql) { QTest::newRow(name) << QString(sql); };
    row("a mode is gone", "DELETE FROM modes WHERE mode = 1");
    row("modes are exchanged", "UPDATE modes SET mode = -mode WHERE mode IN (1, 2); "
                               "UPDATE modes SET mode = 3 + mode WHERE mode < 0");
    row("another value", "UPDATE modes SET bytes = zeroblob(length(bytes)) WHERE mode = 0");
    row("coefficients are gone", "DELETE FROM modal_coefficients");
    row("other coefficients",
        "UPDATE modal_coefficients SET bytes = zeroblob(length(bytes)), encoding = 0");
    row("another error", "UPDATE mode_sets SET largest_error = 0");
    row("fewer modes", "UPDATE mode_sets SET modes = 1");
    row("the set is gone", "DELETE FROM mode_sets");
}

void CompressModesTest::damageIsFound()
{
    QFETCH(QString, sql);
    const Folder folder;
    makeStudy(folder / "s", 3);
    addModes(folder / "s");
    QCOMPARE(problemsOf(folder / "s"), std::string());
    SQLite::Database(folder / "s", SQLite::OPEN_READWRITE).exec(sql.toStdString());
    QVERIFY(!problemsOf(folder / "s").empty());
    GRIDHELM_EXPECT_ERROR(loadFirstField(folder / "s"));
}

void CompressModesTest::impossibleOnesAreErrors()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(2));
    writer.addField(smallField("u", 10));
    GRIDHELM_EXPECT_ERROR(storeModes(writer, ModesOptions{})); // no coefficients
    runAllJobs(writer);
    compress(writer, {});
    ModesOptions options;
    options.cut = 2;
    GRIDHELM_EXPECT_ERROR(storeModes(writer, options));
    QVERIFY(!writer.modeSet(0));

    const Parameter a{"a", "", 1, 2};
    auto scalar = StudyWriter::create(folder / "t",
                                      {"scalar", StudyKind::scalar, ParameterSpace({a}), 3, ""});
    scalar.addField({"u", "", 1, Association::point, 1});
    runAllJobs(scalar);
    compress(scalar, {});
    GRIDHELM_EXPECT_ERROR(storeModes(scalar, ModesOptions{}));
    QVERIFY(!scalar.modeSet(0));

    // A field that is 0 needs none.
    auto zero = StudyWriter::create(folder / "z", smallDescription(2));
    zero.addField(smallField("u", 10));
    for (const auto &job : zero.jobs()) {
        zero.startJob(job.id);
        for (const auto point : job.points)
            zero.putSnapshot(point, 0, std::vector<float>(10, 0.0F));
        zero.finishJob(job.id, "");
    }
    compress(zero, {});
    const auto report = storeModes(zero, ModesOptions{});
    QCOMPARE(report.fields, std::size_t{0});
    QCOMPARE(report.zero, std::size_t{1});
    QVERIFY(!zero.modeSet(0));
}

GRIDHELM_TEST(CompressModesTest)
#include "tst_compress_modes.moc"
