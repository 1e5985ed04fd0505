// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies that store modes: what is evaluated by them beside what is evaluated by coefficients.
#include "core/sparse/sparse_grid_surrogate.h"
#include "data/campaign/campaign_steps.h"
#include "data/compress/compress_modes.h"
#include "data/compress/node_volumes.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/indicator_share.h"
#include "data/evaluate/study_fields.h"
#include "data/study/image_mesh.h"
#include "data/study/info.h"
#include "data/study/study_file.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "tests/data/study_contents.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr std::size_t width = 30, height = 20;

void makeStudy(const std::filesystem::path &path, int level = 4, std::uint64_t entities = 600,
               int components = 1)
{
    auto writer = StudyWriter::create(path, smallDescription(level));
    if (entities == width * height)
        writer.setMesh(encodeImageMesh({{width, height, 1}, {0, 0, 0}, {0.5, 0.25, 1}}));
    writer.addField(smallField("u", entities, components));
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
}

ModesReport addModes(const std::filesystem::path &path, const ModesOptions &options = {})
{
    auto writer = StudyWriter::open(path);
    const auto report = storeModes(writer, options);
    writer.close();
    return report;
}

std::shared_ptr<const sparse::Backend> omp(int threads = 1)
{
    return sparse::makeOmpBackend(onCpu(threads));
}

/// Parameters in their units: corners, points of the grid, and places in between.
std::vector<std::vector<double>> somePlaces(const Study &study)
{
    const auto &space = study.description().space;
    std::vector<std::vector<double>> places{space.fromUnit(std::vector{0.0, 0.0, 0.0}),
                                            space.fromUnit(std::vector{1.0, 1.0, 1.0}),
                                            space.fromUnit(std::vector{0.5, 0.25, 0.5})};
    Random random(4);
    while (places.size() < 20) {
        const double a = random.real(), b = random.real(), c = random.real();
        places.push_back(space.fromUnit(std::vector{a, b, c}));
    }
    return places;
}

struct Whole
{
    std::vector<float> values, indicator;
};

Whole evaluated(StudyFields &fields, const std::vector<double> &at, int groups = 0)
{
    const auto size = fields.fields()[0].values();
    Whole whole{std::vector<float>(size), std::vector<float>(size)};
    fields.evaluate(0, at, {whole.values, whole.indicator}, groups);
    return whole;
}

/// Norm of the difference, with the weights of the modes.
double distance(const std::vector<float> &a, const std::vector<float> &b,
                const std::vector<double> &weights)
{
    double sum = 0;
    const auto components = a.size() / weights.size();
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += weights[i / components] * difference * difference;
    }
    return std::sqrt(sum);
}

/// Without time, level 3 of the small description has complete levels when it is grown to 4.
void growTo(const std::filesystem::path &path, int level)
{
    auto writer = StudyWriter::open(path);
    const std::vector<int> caps{30, 2, 30};
    writer.growGrid(level, caps);
    writer.close();
}

std::string modesOf(const std::filesystem::path &path)
{
    const auto study = Study::open(path);
    const auto set = study.modeSet(0);
    if (!set)
        return "none";
    std::string bytes;
    const auto add = [&](const auto &values) {
        bytes.append(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(values[0]));
    };
    add(set->singularValues);
    add(std::vector{set->norm, set->cutEnergy, set->meanError, set->largestError});
    for (std::uint64_t mode = 0; mode < set->modes(); ++mode) {
        std::vector<float> values(study.fields()[0].values());
        study.readMode(0, mode, values);
        add(values);
    }
    const auto rows = study.modalRows(0);
    add(rows->coefficients);
    add(rows->residuals);
    return bytes;
}

} // namespace

class StudyModesTest : public QObject
{
    Q_OBJECT

private slots:
    void valuesAgreeWithinTheSaidError_data();
    void valuesAgreeWithinTheSaidError();
    void everyWayToEvaluateIsTheSame();
    void aFrameCostsItsModes();
    void indicatorsAreThoseOfTheCoefficients();
    void fewerLevelsAreCoarser();
    void placesAreThoseOfTheWholeField();
    void snapshotsChangeByWhatIsSaid();
    void largerFieldsComeInParts();

    void newCoefficientsTakeModesAway();
    void compressingMakesThemAgain();
    void aGrownGridKeepsThem();
    void missingSnapshotsAreNoRows();
    void droppedSnapshotsMakeNoDifference();
    void sameBitsForAnyThreadsAndMemory();
    void heldOutErrorsAreMeasuredWithThem();
    void moreIsKeptWhereTheErrorIsSmall();
    void stoppedTheStudyIsAsBefore();

    void weightsAreVolumesOfImages();
    void othersWeighTheSame();
    void volumesOfOthersAreAskedFor();

    void olderStudiesHaveNoneAndCanGetSome();
    void damageIsFound_data();
    void damageIsFound();
    void infoSaysThem();
    void impossibleOnesAreErrors();
};

void StudyModesTest::valuesAgreeWithinTheSaidError_data()
{
    QTest::addColumn<double>("cut");
    for (const double cut : {1e-12, 1e-9, 1e-6, 1e-3})
        QTest::newRow(std::to_string(std::log10(cut)).c_str()) << cut;
}

void StudyModesTest::valuesAgreeWithinTheSaidError()
{
    QFETCH(double, cut);
    const Folder folder;
    makeStudy(folder / "s");
    StudyFields plain(Study::open(folder / "s"), omp());
    std::vector<Whole> expected;
    const auto places = somePlaces(plain.study());
    for (const auto &at : places)
        expected.push_back(evaluated(plain, at));
    ModesOptions options;
    options.cut = cut;
    QCOMPARE(addModes(folder / "s", options).fields, std::size_t{1});
    QCOMPARE(problemsOf(folder / "s"), std::string());
    StudyFields fields(Study::open(folder / "s"), omp());
    const auto set = fields.modes(0);
    QVERIFY(set && set->modes() < plain.study().grid()->blocks());
    QVERIFY(set->cutEnergy <= cut && set->byVolumes);
    const auto weights = weightsOf(fields.study(), 0, {}).values;
    double largest = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto found = evaluated(fields, places[i]);
        const double error = distance(found.values, expected[i].values, weights) / set->norm;
        largest = std::max(largest, error);
        QVERIFY2(error <= fields.modesErrorBound(0, places[i]) + 1e-6,
                 std::to_string(error).c_str());
    }
    // Between the snapshots it is not much more than at them.
    QVERIFY(largest <= 20 * set->largestError + 1e-6);
    QVERIFY(largest > 0);
    QCOMPARE(plain.modesErrorBound(0, places[0]), 0.0);
}

void StudyModesTest::everyWayToEvaluateIsTheSame()
{
    const Folder folder;
    makeStudy(folder / "s");
    addModes(folder / "s");
    const auto study = Study::open(folder / "s");
    FieldSurrogate loaded(study, 0);
    QCOMPARE(loaded.loadAll(study), study.grid()->groups());
    QCOMPARE(loaded.matrix().rows, study.modeSet(0)->modes());
    std::vector<std::uint32_t> columns{599, 3, 3, 0, 277};
    for (const auto &at : somePlaces(study)) {
        const auto x = study.description().space.toUnit(at);
        std::vector<float> expected(600), indicator(600), values(600), again(600), some(5),
            ofSome(5);
        loaded.evaluate(x, {expected, indicator}, CpuDevice{2});
        const auto near = [](float a, float b) { return std::abs(a - b) <= 2e-6F; };
        evaluateFromFile(study, 0, x, {values, again}, CpuDevice{});
        QVERIFY(std::ranges::equal(values, expected, near));
        QVERIFY(std::ranges::equal(again, indicator, near));
        evaluateFromFile(study, 0, x, {values, {}}, CpuDevice{});
        QVERIFY(std::ranges::equal(values, expected, near));
        loaded.evaluate(x, {values, {}}, CpuDevice{});
        QVERIFY(std::ranges::equal(values, expected, near));
        for (const auto &backend :
             {omp(), std::shared_ptr<const sparse::Backend>(sparse::makeReferenceBackend())}) {
            loaded.evaluate(x, {values, again}, backend);
            QVERIFY(std::ranges::equal(values, expected, near));
            QVERIFY(std::ranges::equal(again, indicator, near));
            loaded.evaluateColumns(x, columns, {some, ofSome}, backend);
            for (std::size_t i = 0; i < columns.size(); ++i) {
                QVERIFY(near(some[i], expected[columns[i]]));
                QVERIFY(near(ofSome[i], indicator[columns[i]]));
            }
        }
    }
}

void StudyModesTest::aFrameCostsItsModes()
{
    const Folder folder;
    makeStudy(folder / "s", 6);
    const auto x = std::vector{0.3, 0.4, 0.55};
    std::vector<float> values(600), indicator(600);
    const auto rowsOf = [&](bool withIndicator) {
        const auto study = Study::open(folder / "s");
        FieldSurrogate loaded(study, 0);
        loaded.loadAll(study);
        const auto out = withIndicator ? FieldOutput{values, indicator} : FieldOutput{values, {}};
        const auto inMemory = loaded.evaluate(x, out, omp()).rows;
        const auto fromFile = evaluateFromFile(study, 0, x, out, CpuDevice{}).rows;
        return inMemory == fromFile ? inMemory : 0;
    };
    const auto before = rowsOf(true);
    QCOMPARE(before, Study::open(folder / "s").grid()->blocks());
    ModesOptions options;
    options.cut = 1e-6;
    addModes(folder / "s", options);
    const auto modes = Study::open(folder / "s").modeSet(0)->modes();
    QCOMPARE(rowsOf(false), modes);
    QCOMPARE(rowsOf(true), 2 * modes); // each once for the value, once for the indicator
    QVERIFY2(2 * modes < before, std::to_string(modes).c_str());
}

void StudyModesTest::indicatorsAreThoseOfTheCoefficients()
{
    const Folder folder;
    makeStudy(folder / "s");
    growTo(folder / "s", 5); // whose last level has no coefficients
    for (const int missing : {0, 1}) {
        if (missing == 0)
            makeStudy(folder / "t");
        const auto path = folder / (missing == 0 ? "t" : "s");
        StudyFields plain(Study::open(path), omp());
        const auto places = somePlaces(plain.study());
        std::vector<Whole> expected;
        for (const auto &at : places)
            expected.push_back(evaluated(plain, at));
        addModes(path);
        StudyFields fields(Study::open(path), omp());
        auto shares = IndicatorShares(fields.surrogate(0), fields.parameters(), 1000, omp());
        fields.surrogate(0)->loadAll(fields.study());
        for (std::size_t i = 0; i < places.size(); ++i) {
            const auto found = evaluated(fields, places[i]);
            const double share = indicatorShare(expected[i].indicator, expected[i].values);
            QVERIFY(std::abs(indicatorShare(found.indicator, found.values) - share) <= 1e-4);
            QVERIFY(std::abs(shares.along(0, std::vector{places[i][0]}, places[i])[0] - share)
                    <= 1e-4);
        }
        QVERIFY(indicatorShare(evaluated(fields, places[10]).indicator,
                               evaluated(fields, places[10]).values)
                > 1e-3);
    }
}

void StudyModesTest::fewerLevelsAreCoarser()
{
    const Folder folder;
    makeStudy(folder / "s");
    StudyFields plain(Study::open(folder / "s"), omp());
    const auto places = somePlaces(plain.study());
    std::vector<Whole> expected;
    for (int groups = 1; groups <= plain.groups(); ++groups)
        expected.push_back(evaluated(plain, places[7], groups));
    addModes(folder / "s");
    StudyFields fields(Study::open(folder / "s"), omp());
    for (int groups = 1; groups <= fields.groups(); ++groups) {
        const auto found = evaluated(fields, places[7], groups);
        const auto &exact = expected[static_cast<std::size_t>(groups - 1)];
        for (std::size_t i = 0; i < found.values.size(); ++i) {
            QVERIFY(std::abs(found.values[i] - exact.values[i]) <= 1e-3F);
            QVERIFY(std::abs(found.indicator[i] - exact.indicator[i]) <= 1e-3F);
        }
    }
}

void StudyModesTest::placesAreThoseOfTheWholeField()
{
    const Folder folder;
    makeStudy(folder / "s", 4, width * height, 3);
    addModes(folder / "s");
    StudyFields fields(Study::open(folder / "s"), omp());
    FieldSurrogate loaded(fields.study(), 0);
    loaded.loadAll(fields.study());
    for (const std::uint64_t entity : {0, 123, 599}) {
        for (const auto *from : {static_cast<FieldSurrogate *>(nullptr), &loaded}) {
            const auto one = fields.entity(0, entity, from);
            for (const auto &at : somePlaces(fields.study())) {
                std::vector<float> values(3);
                one->evaluate({{at[0]}, {at[1]}, {at[2]}}, values);
                const auto whole = evaluated(fields, at);
                for (std::size_t c = 0; c < 3; ++c)
                    QVERIFY(std::abs(values[c] - whole.values[3 * entity + c]) <= 5e-6F);
            }
        }
    }
}

void StudyModesTest::snapshotsChangeByWhatIsSaid()
{
    const Folder folder;
    makeStudy(folder / "s");
    ModesOptions options;
    options.cut = 1e-6;
    addModes(folder / "s", options);
    StudyFields fields(Study::open(folder / "s"), omp());
    const auto &study = fields.study();
    const auto set = *study.modeSet(0);
    const auto weights = weightsOf(study, 0, {}).values;
    double sum = 0, largest = 0, norms = 0;
    const auto points = study.grid()->points();
    QCOMPARE(set.snapshots, points);
    for (std::uint64_t point = 0; point < points; ++point) {
        std::vector<float> snapshot(600);
        QVERIFY(study.readSnapshot(point, 0, snapshot));
        const auto found =
            evaluated(fields, study.description().space.valuesAt(*study.grid(), point));
        const double error = distance(found.values, snapshot, weights) / set.norm;
        const double norm = distance(snapshot, std::vector<float>(600, 0.0F), weights);
        sum += error * error;
        norms += norm * norm;
        largest = std::max(largest, error);
    }
    const auto count = static_cast<double>(points);
    QVERIFY(std::abs(std::sqrt(norms / count) / set.norm - 1) <= 1e-6);
    QVERIFY(std::abs(std::sqrt(sum / count) - set.meanError) <= 1e-5 * set.meanError + 1e-6);
    QVERIFY(std::abs(largest - set.largestError) <= 1e-5 * set.largestError + 1e-6);
}

void StudyModesTest::largerFieldsComeInParts()
{
    const Folder folder;
    const std::uint64_t entities = 25'000; // times 3: two parts, a vector across them
    makeStudy(folder / "s", 2, entities, 3);
    makeStudy(folder / "t", 2, entities, 3);
    ModesOptions options;
    options.blockBytes = 1e6; // pieces of parts
    options.cpu = CpuDevice{3};
    addModes(folder / "s", options);
    addModes(folder / "t");
    QCOMPARE(problemsOf(folder / "s"), std::string());
    QVERIFY(modesOf(folder / "s") == modesOf(folder / "t"));
    StudyFields fields(Study::open(folder / "s"), omp());
    const auto at = somePlaces(fields.study())[5];
    const auto one = fields.entity(0, 21'845);
    std::vector<float> values(3);
    one->evaluate({{at[0]}, {at[1]}, {at[2]}}, values);
    const auto whole = evaluated(fields, at);
    for (std::size_t c = 0; c < 3; ++c)
        QVERIFY(std::abs(values[c] - whole.values[3 * 21'845 + c]) <= 5e-6F);
}

void StudyModesTest::newCoefficientsTakeModesAway()
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

void StudyModesTest::compressingMakesThemAgain()
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

void StudyModesTest::aGrownGridKeepsThem()
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
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t k = 0; k < 600; ++k)
            QVERIFY(std::abs(evaluated(after, places[i]).values[k] - expected[i].values[k])
                    <= 2e-6F);
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void StudyModesTest::missingSnapshotsAreNoRows()
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

void StudyModesTest::droppedSnapshotsMakeNoDifference()
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

void StudyModesTest::sameBitsForAnyThreadsAndMemory()
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

void StudyModesTest::heldOutErrorsAreMeasuredWithThem()
{
    const Folder folder;
    makeStudy(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    const std::vector place{333.0, 0.77, 2.1};
    const auto x = writer.description().space.toUnit(place);
    writer.putHoldOut(writer.addHoldOut(place), 0, snapshotAt(x, writer, 0));
    const auto errorOf = [&] {
        storeErrors(writer, onCpu());
        for (const auto &figure : writer.errorFigures())
            if (figure.kind == ErrorKind::heldOut)
                return figure.relativeL2;
        return -1.0;
    };
    const double before = errorOf();
    ModesOptions options;
    options.cut = 0.01; // an error of a tenth
    storeModes(writer, options);
    const double coarse = errorOf();
    QVERIFY(coarse > before + 0.01);
    options.cut = 1e-10;
    storeModes(writer, options);
    QVERIFY(std::abs(errorOf() - before) <= 1e-4);
}

void StudyModesTest::moreIsKeptWhereTheErrorIsSmall()
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

void StudyModesTest::stoppedTheStudyIsAsBefore()
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

void StudyModesTest::weightsAreVolumesOfImages()
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

void StudyModesTest::othersWeighTheSame()
{
    const Folder folder;
    makeStudy(folder / "s", 2, 100); // without a mesh
    const auto weights = weightsOf(Study::open(folder / "s"), 0, {});
    QVERIFY(!weights.areVolumes);
    QCOMPARE(weights.values, std::vector<double>(100, 1.0));
    addModes(folder / "s");
    QVERIFY(!Study::open(folder / "s").modeSet(0)->byVolumes);
}

void StudyModesTest::volumesOfOthersAreAskedFor()
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

void StudyModesTest::olderStudiesHaveNoneAndCanGetSome()
{
    for (const char *name : {"version-1-vector.gridhelm", "version-2-vector.gridhelm"}) {
        const Folder folder;
        const auto path = folder / "s";
        std::filesystem::copy_file(std::filesystem::path(GRIDHELM_TEST_FILES) / name, path);
        {
            StudyFields fields(Study::open(path), omp());
            QVERIFY(!fields.modes(0));
            QVERIFY(!fields.study().modalRows(0));
        }
        const auto coefficients = allCoefficients(Study::open(path));
        QVERIFY(addModes(path).fields > 0);
        QCOMPARE(problemsOf(path), std::string());
        QVERIFY(Study::open(path).modeSet(0));
        QVERIFY(allCoefficients(Study::open(path)) == coefficients);
    }
}

void StudyModesTest::damageIsFound_data()
{
    QTest::addColumn<QString>("sql");
    const auto row = [](const char *name, const char *sql) { QTest::newRow(name) << QString(sql); };
    row("a mode is gone", "DELETE FROM modes WHERE mode = 1");
    row("modes are exchanged", "UPDATE modes SET mode = 3 - mode WHERE mode IN (1, 2)");
    row("another value", "UPDATE modes SET bytes = zeroblob(length(bytes)) WHERE mode = 0");
    row("coefficients are gone", "DELETE FROM modal_coefficients");
    row("other coefficients",
        "UPDATE modal_coefficients SET bytes = zeroblob(length(bytes)), encoding = 0");
    row("another error", "UPDATE mode_sets SET largest_error = 0");
    row("fewer modes", "UPDATE mode_sets SET modes = 1");
    row("the set is gone", "DELETE FROM mode_sets");
}

void StudyModesTest::damageIsFound()
{
    QFETCH(QString, sql);
    const Folder folder;
    makeStudy(folder / "s", 3);
    addModes(folder / "s");
    QCOMPARE(problemsOf(folder / "s"), std::string());
    SQLite::Database(folder / "s", SQLite::OPEN_READWRITE).exec(sql.toStdString());
    QVERIFY(!problemsOf(folder / "s").empty());
    GRIDHELM_EXPECT_ERROR([&] {
        const auto study = Study::open(folder / "s");
        FieldSurrogate loaded(study, 0);
        loaded.loadAll(study);
    }());
}

void StudyModesTest::infoSaysThem()
{
    const Folder folder;
    makeStudy(folder / "s");
    QVERIFY(!info(Study::open(folder / "s")).fields[0].modes);
    addModes(folder / "s");
    const auto study = Study::open(folder / "s");
    const auto of = info(study).fields[0];
    QVERIFY(of.modes && *of.modes == *study.modeSet(0));
    QVERIFY(of.storedModeBytes > 0 && of.storedModeBytes < of.storedCoefficientBytes);
    const auto text = modesText(*of.modes, "u");
    QVERIFY(text.find("cell volumes") != std::string::npos);
}

void StudyModesTest::impossibleOnesAreErrors()
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

QTEST_GUILESS_MAIN(StudyModesTest)
#include "tst_study_modes.moc"
