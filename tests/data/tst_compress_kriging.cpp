// SPDX-License-Identifier: GPL-3.0-or-later
//
// How kriging of a study comes, goes and is made again, and what is refused of it.
#include "core/kriging/fit.h"
#include "data/compress/compress_kriging.h"
#include "data/evaluate/hold_out.h"
#include "data/study/kriging_codec.h"
#include "data/study/schema.h"
#include "data/study/study_file.h"
#include "tests/core/expect_error.h"
#include "tests/data/kriging_studies.h"
#include "tests/data/study_forger.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

class CompressKrigingTest : public QObject
{
    Q_OBJECT

private slots:
    void oneFieldAlone();
    void newRunsMakeItAgain();
    void trainingRunsCountAndAreNoHoldOuts();
    void droppedSnapshotsAreRebuilt();
    void sameBitsForAnyThreadsAndMemory();
    void stoppedTheStudyIsAsBefore();
    void fitsAreWatchedAndStopped();
    void tooManyRunsAreThinnedOut();
    void whatCannotBeKrigedSaysWhy();
    void damageIsFound_data();
    void damageIsFound();
    void anyBytesAreReadOrRefused();
    void bytesOfBeforeAreRead();
    void forgedModelsAreRefused_data();
    void forgedModelsAreRefused();
};

void CompressKrigingTest::oneFieldAlone()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    writer.setMesh(encodeImageMesh({{10, 10, 1}, {0, 0, 0}, {1, 1, 1}}));
    writer.addField(smallField("u", 100));
    writer.addField(smallField("p", 100));
    runAllJobs(writer);
    compressStep(writer, surrogateStep(SurrogateKind::kriging, {"p"}), {});
    QVERIFY(!writer.kriging(0) && writer.kriging(1));
    // And modes for the other: what was asked for one at a time stays.
    CompressStep modes;
    modes.modes = ModesStep{1e-8};
    compressStep(writer, modes, {});
    QVERIFY(writer.modalRows(0) && writer.kriging(1));
    QCOMPARE(writer.modeSet(1)->cut, 1e-8);
    GRIDHELM_EXPECT_ERROR(
        compressStep(writer, surrogateStep(SurrogateKind::kriging, {"none"}), {}));
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
    StudyFields fields(Study::open(folder / "s"), omp());
    std::vector<float> values(100);
    for (FieldIndex field = 0; field < 2; ++field) {
        const auto at = somePlaces(fields.study())[12];
        fields.evaluate(field, at, {values, {}});
        QVERIFY(relativeError(values, snapshotAt(fields.study().description().space.toUnit(at),
                                                 fields.study(), field))
                < 0.1);
    }
}

void CompressKrigingTest::newRunsMakeItAgain()
{
    const Folder folder;
    makeStudy(folder / "s", 3);
    krige(folder / "s");
    growTo(folder / "s", 4);
    auto writer = StudyWriter::open(folder / "s");
    const auto before = writer.kriging(0)->model.runs;
    QVERIFY(before < writer.grid()->points()); // points are numbered anew, and kriging knows
    const auto at = coordinatesOf(writer, writer.kriging(0)->points.back());
    QVERIFY(std::equal(at.begin(), at.end(), writer.kriging(0)->model.places.end() - 3));
    auto report = compressStep(writer, {}, {});
    QCOMPARE(report.kriging.fields, std::size_t{0}); // nothing new
    runAllJobs(writer);
    report = compressStep(writer, {}, {});
    QCOMPARE(report.kriging.fields, std::size_t{1});
    QCOMPARE(writer.kriging(0)->model.runs, writer.grid()->points());
    // Another degree leaves it what it is made of.
    CompressStep degree;
    degree.degrees = {1, 1, 3};
    compressStep(writer, degree, {});
    QVERIFY(writer.kriging(0));
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void CompressKrigingTest::trainingRunsCountAndAreNoHoldOuts()
{
    const Folder folder;
    makeStudyWithFailures(folder / "s");
    krige(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    const auto before = writer.kriging(0)->model.runs;
    const std::vector place{300.0, 0.77, 2.1};
    const auto exact = snapshotAt(writer.description().space.toUnit(place), writer, 0);
    const auto id = writer.addTrainingRun(place);
    writer.putHoldOut(id, 0, exact);
    writer.setMissingHoldOuts({}); // takes no training run away
    QVERIFY(writer.holdOuts().empty() && writer.missingHoldOuts().empty());
    QCOMPARE(writer.trainingRuns().size(), std::size_t{1});
    compressStep(writer, {}, {});
    QCOMPARE(writer.kriging(0)->model.runs, before + 1);
    QCOMPARE(writer.kriging(0)->trainingRuns, std::vector{id});
    QCOMPARE(writer.errorFigures().size(), before + 1);
    QCOMPARE(writer.errorFigures().back().parameters, place);
    GRIDHELM_EXPECT_ERROR(writer.addTrainingRun(std::vector{50.0, 0.77, 2.1})); // out of range
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
    StudyFields fields(Study::open(folder / "s"), omp());
    QVERIFY(relativeError(evaluated(fields, place).values, exact) < 1e-3);
}

void CompressKrigingTest::droppedSnapshotsAreRebuilt()
{
    const Folder folder;
    makeStudy(folder / "s");
    makeStudy(folder / "t");
    auto writer = StudyWriter::open(folder / "t");
    QVERIFY(writer.dropSnapshots() > 0);
    writer.close();
    krige(folder / "s");
    krige(folder / "t");
    QCOMPARE(problemsOf(folder / "t"), std::string());
    const auto a = Study::open(folder / "s"), b = Study::open(folder / "t");
    QCOMPARE(b.kriging(0)->points, a.kriging(0)->points);
    const auto one = summarize(a.errorFigures())[0], other = summarize(b.errorFigures())[0];
    QVERIFY(std::abs(one.meanRelativeL2 / other.meanRelativeL2 - 1) < 0.05);
    QVERIFY(std::abs(errorOf(folder / "t") / errorOf(folder / "s") - 1) < 0.05);
}

void CompressKrigingTest::sameBitsForAnyThreadsAndMemory()
{
    const Folder folder;
    makeStudy(folder / "s", 3);
    std::vector<std::byte> expected;
    for (const int threads : {1, 3}) {
        auto writer = StudyWriter::open(folder / "s");
        KrigingOptions options;
        options.context = onCpu(threads);
        options.blockBytes = 1e4 * threads;
        storeKriging(writer, 0, options);
        const auto found = encodeKriging(*writer.kriging(0));
        QVERIFY(expected.empty() || found == expected);
        expected = found;
    }
}

void CompressKrigingTest::stoppedTheStudyIsAsBefore()
{
    const Folder folder;
    makeStudy(folder / "s", 3);
    addModes(folder / "s");
    const auto before = modesOf(folder / "s");
    for (const double when : {0.0, 0.2, 0.299}) {
        auto writer = StudyWriter::open(folder / "s");
        KrigingOptions options;
        options.progress = [&](double share) { return share < when; };
        QVERIFY(storeKriging(writer, 0, options).cancelled);
        writer.close();
        QVERIFY(modesOf(folder / "s") == before);
    }
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

/// `all`: with those at the points of the grid.
void addRunsAnywhere(StudyWriter &writer, std::size_t all)
{
    Random random(6);
    auto transaction = writer.transaction();
    while (writer.trainingRuns().size() + writer.grid()->points() < all) {
        const std::vector x{random.real(), random.real(), random.real()};
        writer.putHoldOut(writer.addTrainingRun(writer.description().space.fromUnit(x)), 0,
                          snapshotAt(x, writer, 0));
    }
    transaction.commit();
}

void CompressKrigingTest::fitsAreWatchedAndStopped()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    writer.addField(smallField("u", 4));
    runAllJobs(writer);
    addRunsAnywhere(writer, 200);
    std::vector<double> told;
    const auto caller = std::this_thread::get_id();
    KrigingOptions options;
    options.progress = [&](double share) {
        told.push_back(std::this_thread::get_id() == caller ? share : -1);
        return share < 0.5;
    };
    QVERIFY(storeKriging(writer, 0, options).cancelled);
    QVERIFY(!writer.kriging(0));
    QVERIFY(std::ranges::is_sorted(told) && told.front() >= 0);
    QVERIFY(told.back() >= 0.5 && told.back() < 1);
}

void CompressKrigingTest::tooManyRunsAreThinnedOut()
{
    if (!isLong())
        QSKIP("makes 4,100 snapshots, and kriging of 4,000: set GRIDHELM_LONG_TESTS");
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    writer.addField(smallField("u", 4));
    runAllJobs(writer);
    addRunsAnywhere(writer, 4100);
    const auto report = compressStep(writer, surrogateStep(SurrogateKind::kriging), {});
    QCOMPARE(report.kriging.runs, FieldKriging::mostRuns);
    QVERIFY(report.note.find("4000 of 4100 runs") != std::string::npos);
}

void CompressKrigingTest::whatCannotBeKrigedSaysWhy()
{
    const Folder folder;
    auto few = StudyWriter::create(folder / "few", smallDescription(2));
    few.addField(smallField("u", 10));
    runJob(few, few.jobs()[0]); // three parameters, and as many runs at most
    KrigingOptions options;
    if (runsForKriging(few, 0) <= 3)
        GRIDHELM_EXPECT_ERROR(storeKriging(few, 0, options));
    GRIDHELM_EXPECT_ERROR(storeKriging(few, 1, options)); // no such field

    const Parameter a{"a", "", 1, 2};
    auto scalar = StudyWriter::create(folder / "t",
                                      {"scalar", StudyKind::scalar, ParameterSpace({a}), 3, ""});
    scalar.addField({"u", "", 1, Association::point, 1});
    runAllJobs(scalar);
    GRIDHELM_EXPECT_ERROR(compressStep(scalar, surrogateStep(SurrogateKind::kriging), {}));
    GRIDHELM_EXPECT_ERROR(storeKriging(scalar, 0, options));

    // A field that is 0 needs none, one that is the same everywhere is itself.
    for (const float value : {0.0F, 3.5F}) {
        const auto path = folder / std::to_string(value);
        auto writer = StudyWriter::create(path, smallDescription(2));
        writer.setMesh(encodeImageMesh({{10, 1, 1}, {0, 0, 0}, {1, 1, 1}}));
        writer.addField(smallField("u", 10));
        for (const auto &job : writer.jobs()) {
            writer.startJob(job.id);
            for (const auto point : job.points)
                writer.putSnapshot(point, 0, std::vector<float>(10, value));
            writer.finishJob(job.id, "");
        }
        const auto report = compressStep(writer, surrogateStep(SurrogateKind::kriging), {});
        QCOMPARE(report.kriging.zero, std::size_t{value == 0});
        writer.close();
        StudyFields fields(Study::open(path), omp());
        const auto found = evaluated(fields, somePlaces(fields.study())[8]);
        for (std::size_t i = 0; i < 10; ++i) {
            QVERIFY(std::abs(found.values[i] - value) <= 1e-5F);
            QVERIFY(found.indicator[i] <= 1e-5F);
        }
    }
}

void CompressKrigingTest::damageIsFound_data()
{
    QTest::addColumn<QString>("sql");
    const auto row = [](const char *name, const char *sql) { QTest::newRow(name) << QString(sql); };
    row("a mode is gone", "DELETE FROM modes WHERE mode = 1");
    row("the numbers are gone", "DELETE FROM kriging_parts");
    row("other numbers", "UPDATE kriging_parts SET bytes = zeroblob(length(bytes)), encoding = 0");
    row("fewer runs", "UPDATE kriging_models SET runs = runs - 1");
    row("another size", "UPDATE kriging_models SET size = size - 8");
    row("another content", "UPDATE kriging_models SET content = content + 1");
    row("the head is gone", "DELETE FROM kriging_parts; DELETE FROM kriging_models");
    row("modal coefficients are said to be there", "UPDATE mode_sets SET points = 10");
}

void CompressKrigingTest::damageIsFound()
{
    QFETCH(QString, sql);
    const Folder folder;
    makeStudy(folder / "s", 3);
    krige(folder / "s");
    SQLite::Database(folder / "s", SQLite::OPEN_READWRITE).exec(sql.toStdString());
    QVERIFY(!problemsOf(folder / "s").empty());
    GRIDHELM_EXPECT_ERROR(loadFirstField(folder / "s"));
}

FieldKriging someKriging(const kriging::FitOptions &how = {})
{
    Random random(3);
    kriging::Runs runs{12, 2, 3, {}, {}};
    for (int i = 0; i < 24; ++i)
        runs.places.push_back(random.real());
    for (int i = 0; i < 36; ++i)
        runs.values.push_back(random.real());
    auto fit = kriging::fit(runs, how, onCpu());
    FieldKriging kriging{fit.model, {}, {}, fit.leaveOneOut};
    for (std::uint64_t i = 0; i < 7; ++i)
        kriging.points.push_back(i);
    kriging.trainingRuns = {5, 6, 8, 9, 11};
    return kriging;
}

void CompressKrigingTest::anyBytesAreReadOrRefused()
{
    const auto kriging = someKriging();
    const auto bytes = encodeKriging(kriging);
    FieldKriging read;
    QCOMPARE(decodeKriging(bytes, 2, 12, 3, read), std::string());
    QVERIFY(read == kriging);
    QVERIFY(bytes.size() <= mostKrigingBytes(2, 12, 3));
    QVERIFY(!decodeKriging(bytes, 3, 12, 3, read).empty());
    QVERIFY(!decodeKriging(bytes, 2, 13, 3, read).empty());
    QVERIFY(!decodeKriging(bytes, 2, 12, 2, read).empty());
    for (std::size_t size = 0; size < bytes.size(); ++size)
        QVERIFY(!decodeKriging(std::span(bytes).first(size), 2, 12, 3, read).empty());
    auto more = bytes;
    more.resize(more.size() + 8);
    QVERIFY(!decodeKriging(more, 2, 12, 3, read).empty());

    // Numbers exchanged for others: whatever is taken is sound, and can be evaluated.
    Random random(8);
    const auto word = [&](std::size_t words) {
        return static_cast<std::size_t>(random.integer(0, static_cast<int>(words) - 1));
    };
    int refused = 0, taken = 0;
    for (int round = 0; round < (isLong() ? 100'000 : 3000); ++round) {
        auto changed = bytes;
        const auto words = changed.size() / 8;
        for (int k = 0; k < 1 + round % 3; ++k) {
            const std::uint64_t interesting[] = {0,
                                                 1,
                                                 12,
                                                 ~std::uint64_t{0},
                                                 0x7ff0000000000000,
                                                 0x7ff8000000000000,
                                                 0x8000000000000000,
                                                 0x3ff0000000000000,
                                                 std::uint64_t{1} << 61};
            const auto value = interesting[static_cast<std::size_t>(random.integer(0, 8))];
            const auto at = round % 2 == 0 ? word(8) : word(words);
            std::memcpy(changed.data() + 8 * at, &value, 8);
        }
        if (!decodeKriging(changed, 2, 12, 3, read).empty()) {
            ++refused;
            continue;
        }
        ++taken;
        const KrigedField field(std::make_shared<const FieldKriging>(read), 1);
        static_cast<void>(field.weights(std::vector{0.3, 0.4}, 1));
        try {
            static_cast<void>(field.variances(std::vector{0.3, 0.4}, CpuDevice{}));
        } catch (const Error &) {
            // singular
        }
    }
    QVERIFY(refused > 100 && taken > 100);
}

/// With one form for all modes, which stood in front.
void CompressKrigingTest::bytesOfBeforeAreRead()
{
    kriging::FitOptions how;
    how.mixed = 0;
    const auto kriging = someKriging(how);
    const auto &model = kriging.model;
    std::vector<std::byte> bytes;
    const auto add = [&](auto number) {
        static_assert(sizeof number == 8);
        const auto *from = reinterpret_cast<const std::byte *>(&number);
        bytes.insert(bytes.end(), from, from + 8);
    };
    const auto addAll = [&](const auto &numbers) {
        for (const auto number : numbers)
            add(number);
    };
    const auto &form = model.groups[0].form;
    add(static_cast<std::uint64_t>(form.smoothness));
    add(std::uint64_t{form.isWarped});
    add(static_cast<std::uint64_t>(form.linear.size()));
    for (const int t : form.linear)
        add(static_cast<std::uint64_t>(t));
    for (const std::uint64_t number : {2, 12, 7})
        add(number);
    add(static_cast<std::uint64_t>(model.groups.size()));
    addAll(model.places);
    addAll(kriging.points);
    addAll(kriging.trainingRuns);
    for (const auto &group : model.groups) {
        add(static_cast<std::uint64_t>(group.outputs));
        addAll(group.hyperparameters.lengths);
        add(group.hyperparameters.nugget);
        addAll(group.hyperparameters.warpA);
        addAll(group.hyperparameters.warpB);
        addAll(group.trend);
        addAll(group.weights);
        addAll(group.variances);
    }
    addAll(kriging.leaveOneOut);
    FieldKriging read;
    QCOMPARE(decodeKriging(bytes, 2, 12, 3, read), std::string());
    QVERIFY(read == kriging);
}

void CompressKrigingTest::forgedModelsAreRefused_data()
{
    QTest::addColumn<QString>("sql");
    const auto row = [](const char *name, const char *sql) { QTest::newRow(name) << QString(sql); };
    row("too many runs", "UPDATE kriging_models SET runs = 4000000000");
    row("less than none", "UPDATE kriging_models SET runs = -1");
    row("too large", "UPDATE kriging_models SET size = 9000000000000000000");
    row("less than nothing", "UPDATE kriging_models SET size = -8");
    row("zeros", "UPDATE kriging_parts SET bytes = zeroblob(100), encoding = 0");
    row("unknown points",
        "DELETE FROM points WHERE id = 3; UPDATE points SET id = 900 WHERE id = 4");
    row("no modes", "DELETE FROM mode_sets");
    row("of another field", "UPDATE kriging_models SET field = 7");
}

void CompressKrigingTest::forgedModelsAreRefused()
{
    QFETCH(QString, sql);
    const Folder folder;
    makeStudy(folder / "s", 3);
    krige(folder / "s");
    {
        Forger forger(folder / "s");
        forger.execute(sql.toStdString());
        forger.correctChecksums();
        forger.writer().close();
    }
    QVERIFY(!problemsOf(folder / "s").empty());
    try {
        const auto study = Study::open(folder / "s");
        FieldSurrogate loaded(study, 0);
        loaded.loadAll(study);
        QVERIFY(!study.kriging(0)); // then it is evaluated by what is left
    } catch (const Error &error) {
        QVERIFY(std::string(error.what()).find("damaged") != std::string::npos);
    }
}

GRIDHELM_TEST(CompressKrigingTest)
#include "tst_compress_kriging.moc"
