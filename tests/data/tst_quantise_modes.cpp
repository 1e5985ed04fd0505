// SPDX-License-Identifier: GPL-3.0-or-later
//
// Modes in few bits: within what was allowed at every place, the same whatever the order of
// arrival, and as good to evaluate as others.
#include "core/modes/modes.h"
#include "data/campaign/added_error_step.h"
#include "data/campaign/campaign_steps.h"
#include "data/compress/compress_kriging.h"
#include "data/study/study_file.h"
#include "tests/core/expect_error.h"
#include "tests/data/quantised_modes_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

void addHoldOuts(StudyWriter &writer, const std::vector<std::vector<double>> &places)
{
    for (const auto &at : places)
        writer.putHoldOut(writer.addHoldOut(at), 0,
                          std::vector<float>(writer.fields()[0].values(), 1.0F));
}

/// The same at every point of a study, and at other places: exact, and in few bits; relative to the
/// norm, all nodes alike.
double largestDifference(const std::filesystem::path &exact, const std::filesystem::path &changed)
{
    StudyFields first(Study::open(exact), omp()), second(Study::open(changed), omp());
    const auto &study = second.study();
    const auto set = study.modeSet(0);
    auto places = somePlaces(study);
    places.resize(0);
    for (std::uint64_t point = 0; point < study.grid()->points(); ++point)
        places.push_back(study.description().space.valuesAt(*study.grid(), point));
    const std::vector<double> weights(first.fields()[0].entities, 1.0);
    double worst = 0;
    for (const auto &at : places)
        worst = std::max(
            worst, distance(evaluated(first, at).values, evaluated(second, at).values, weights)
                       / set->norm);
    return worst;
}

} // namespace

class QuantiseModesTest : public QObject
{
    Q_OBJECT

private slots:
    void everyPointIsWithinWhatIsAllowed_data();
    void everyPointIsWithinWhatIsAllowed();
    void holdOutsAreMeasured();
    void theBoundHoldsAnywhere();
    void memoryAndFileAreAlike();
    void sameBitsForAnyThreadsMemoryAndOrder();
    void krigingKeepsItsModes();
    void stepsMakeAndUndoThem();
    void halfNeedsAMeasuredError();
    void halfOfAHugeErrorIsNotTaken();
    void newRunsKeepTheError();
    void droppedSnapshotsAreSaid();
    void aBrokenBoundIsFound();
    void damageIsFound_data();
    void damageIsFound();
    void stoppedTheStudyIsAsBefore();
    void impossibleOnesAreErrors();
};

void QuantiseModesTest::everyPointIsWithinWhatIsAllowed_data()
{
    QTest::addColumn<double>("allowed");
    for (const double allowed : {0.05, 3e-3, 1e-4})
        QTest::addRow("%g", allowed) << allowed;
}

void QuantiseModesTest::everyPointIsWithinWhatIsAllowed()
{
    QFETCH(double, allowed);
    const Folder folder;
    makeStudy(folder / "exact", 4, 1100); // more than one group of blocks, and an odd end
    makeStudy(folder / "s", 4, 1100);
    QVERIFY(addBits(folder / "s", allowed).isQuantised);
    const auto study = Study::open(folder / "s");
    const auto of = study.modeSet(0)->quantised.value();
    QCOMPARE(of.allowed, allowed);
    QCOMPARE(of.snapshots, study.grid()->points());
    const double worst = largestDifference(folder / "exact", folder / "s");
    QVERIFY(worst <= allowed * (1 + 1e-3) + 1e-6);
    QVERIFY(worst > 0.2 * allowed); // it is used
    QVERIFY(std::abs(of.atSnapshots - worst) < 0.02 * allowed + 2e-6);
    QCOMPARE(problemsOf(folder / "s"), std::string());
    const auto again = verified(folder / "s");
    QCOMPARE(again.beside, VerifiedBeside::snapshots);
    QVERIFY(again.isKept());
    QVERIFY(std::abs(again.atSnapshots - of.atSnapshots) < 2e-6);
    FieldSurrogate loaded(study, 0);
    QCOMPARE(loaded.rowBytes(), static_cast<double>(of.frameBytes));
    QVERIFY(loaded.rowBytes() < 0.6 * 4 * 1100 * static_cast<double>(study.modeSet(0)->modes()));
}

void QuantiseModesTest::holdOutsAreMeasured()
{
    const Folder folder;
    makeStudy(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    addHoldOuts(writer, somePlaces(writer));
    writer.close();
    QVERIFY(addBits(folder / "s", 1e-3).isQuantised);
    const auto of = Study::open(folder / "s").modeSet(0)->quantised.value();
    QCOMPARE(of.holdOuts, std::uint64_t{20});
    QVERIFY(of.atHoldOuts > 0 && of.atHoldOuts <= 1e-3);
    QVERIFY(std::abs(verified(folder / "s").atHoldOuts - of.atHoldOuts) < 2e-6);
}

void QuantiseModesTest::theBoundHoldsAnywhere()
{
    const Folder folder;
    makeStudy(folder / "exact");
    makeStudy(folder / "s");
    addBits(folder / "s", 0.01);
    StudyFields exact(Study::open(folder / "exact"), omp()), few(Study::open(folder / "s"), omp());
    const std::vector<double> weights(600, 1.0);
    double largestBound = 0;
    for (const auto &at : somePlaces(few.study())) {
        const double error =
            distance(evaluated(exact, at).values, evaluated(few, at).values, weights)
            / few.modes(0)->norm;
        const double bound = few.modesErrorBound(0, at);
        QVERIFY(error <= bound * (1 + 1e-5) + 1e-6);
        largestBound = std::max(largestBound, bound);
    }
    QVERIFY(largestBound > 1e-4);
}

void QuantiseModesTest::memoryAndFileAreAlike()
{
    const Folder folder;
    makeStudy(folder / "s");
    addBits(folder / "s", 1e-3);
    const auto study = Study::open(folder / "s");
    FieldSurrogate loaded(study, 0);
    loaded.loadAll(study);
    QVERIFY(loaded.matrix().data == nullptr);
    const std::vector<std::uint32_t> columns{599, 3, 3, 0, 277};
    const auto near = [](float a, float b) { return std::abs(a - b) <= 4e-6F; };
    for (const auto &at : somePlaces(study)) {
        const auto x = study.description().space.toUnit(at);
        std::vector<float> expected(600), indicator(600), values(600), again(600), some(5),
            ofSome(5);
        evaluateFromFile(study, 0, x, {expected, indicator}, CpuDevice{});
        loaded.evaluate(x, {values, again}, CpuDevice{2});
        QVERIFY(std::ranges::equal(values, expected, near));
        QVERIFY(std::ranges::equal(again, indicator, near));
        for (const auto &backend :
             {omp(2), std::shared_ptr<const sparse::Backend>(sparse::makeReferenceBackend())}) {
            const auto work = loaded.evaluate(x, {values, again}, backend);
            QVERIFY(std::ranges::equal(values, expected, near));
            QVERIFY(std::ranges::equal(again, indicator, near));
            QVERIFY(work.valueBytes < 3);
            loaded.evaluateColumns(x, columns, {some, ofSome}, backend);
            for (std::size_t i = 0; i < columns.size(); ++i) {
                QVERIFY(near(some[i], expected[columns[i]]));
                QVERIFY(near(ofSome[i], indicator[columns[i]]));
            }
        }
    }
}

void QuantiseModesTest::sameBitsForAnyThreadsMemoryAndOrder()
{
    const Folder folder;
    makeStudy(folder / "s");
    addBits(folder / "s", 1e-3);
    const auto expected = modesOf(folder / "s");
    for (const int threads : {2, 5}) {
        addBits(folder / "s", 1e-3, threads, 4000.0 * threads);
        QVERIFY(modesOf(folder / "s") == expected);
    }
    // Jobs that end in another order, compressed as they come.
    auto writer = StudyWriter::create(folder / "shuffled", smallDescription(4));
    writer.setMesh(encodeImageMesh({{width, height, 1}, {0, 0, 0}, {0.5, 0.25, 1}}));
    writer.addField(smallField("u", 600));
    const auto jobs = writer.jobs();
    for (std::size_t i = jobs.size(); i-- > 0;)
        runJob(writer, jobs[i]);
    compress(writer, {});
    writer.close();
    addBits(folder / "shuffled", 1e-3);
    QVERIFY(modesOf(folder / "shuffled") == expected);
}

void QuantiseModesTest::krigingKeepsItsModes()
{
    const Folder folder;
    makeStudy(folder / "s", 3);
    {
        auto writer = StudyWriter::open(folder / "s");
        KrigingOptions kriging;
        kriging.cut = 1e-6;
        storeKriging(writer, 0, kriging);
        writer.close();
    }
    std::filesystem::copy_file(folder / "s", folder / "exact");
    auto writer = StudyWriter::open(folder / "s");
    const auto before = *writer.modeSet(0);
    QuantiseOptions options;
    options.allowed = 1e-3;
    QVERIFY(quantiseModes(writer, 0, options).isQuantised);
    const auto set = writer.modeSet(0).value();
    QVERIFY(writer.kriging(0));
    QCOMPARE(set.modes(), before.modes());
    QVERIFY(set.largestError > before.largestError);
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
    QCOMPARE(verified(folder / "s").beside, VerifiedBeside::nothing);

    const auto study = Study::open(folder / "s"), exactStudy = Study::open(folder / "exact");
    FieldSurrogate few(study, 0), exact(exactStudy, 0);
    few.loadAll(study);
    exact.loadAll(exactStudy);
    const std::vector<std::uint32_t> columns{599, 3, 3, 0, 277};
    for (const auto &at : somePlaces(study)) {
        const auto x = study.description().space.toUnit(at);
        std::vector<float> values(600), deviations(600), expected(600), ofExact(600), some(5),
            ofSome(5);
        few.evaluate(x, {values, deviations}, CpuDevice{});
        exact.evaluate(x, {expected, ofExact}, CpuDevice{});
        for (std::size_t k = 0; k < 600; ++k)
            QVERIFY(std::abs(deviations[k] - ofExact[k]) < 0.02F * ofExact[k] + 1e-3F);
        few.evaluateColumns(x, columns, {some, ofSome}, CpuDevice{});
        for (std::size_t i = 0; i < columns.size(); ++i)
            QVERIFY(std::abs(ofSome[i] - deviations[columns[i]]) < 1e-6F);
    }
}

void QuantiseModesTest::stepsMakeAndUndoThem()
{
    const Folder folder;
    makeStudy(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    CompressStep step;
    step.error = AddedErrorStep{1e-3, false};
    const auto report = compressStep(writer, step, {});
    QCOMPARE(report.quantised, std::size_t{1});
    QCOMPARE(writer.modeSet(0)->quantised->allowed, 1e-3);
    const auto modes = writer.modeSet(0);
    compressStep(writer, {}, {}); // as it is
    QVERIFY(writer.modeSet(0) == modes);
    step.error->allowed = 0.01;
    compressStep(writer, step, {});
    QCOMPARE(writer.modeSet(0)->quantised->allowed, 0.01);
    step.error->allowed = 0;
    compressStep(writer, step, {});
    QVERIFY(writer.modeSet(0));
    QVERIFY(!writer.modeSet(0)->quantised);
    // Less than there is in single precision.
    step.error->allowed = smallestAddedError;
    const auto tooSmall = compressStep(writer, step, {});
    QVERIFY(writer.modeSet(0)->quantised || !tooSmall.note.empty());
}

void QuantiseModesTest::halfNeedsAMeasuredError()
{
    const Folder folder;
    makeStudy(folder / "kriged", 3);
    auto writer = StudyWriter::open(folder / "kriged");
    CompressStep step;
    step.error = AddedErrorStep{0, true};
    step.surrogate = SurrogateStep{SurrogateKind::kriging, {}};
    const auto report = compressStep(writer, step, {}); // another surrogate, without errors yet
    QCOMPARE(report.quantised, std::size_t{0});
    QVERIFY(!writer.modeSet(0)->quantised);
    QVERIFY(report.note.find("not been measured yet") != std::string::npos);
    step.surrogate.reset();
    QCOMPARE(compressStep(writer, step, {}).quantised, std::size_t{1});
    QVERIFY(writer.kriging(0));

    makeStudy(folder / "measured");
    auto measured = StudyWriter::open(folder / "measured");
    compressStep(measured, step, {});
    double squares = 0;
    std::size_t count = 0;
    for (const auto &figure : measured.errorFigures())
        if (figure.kind == ErrorKind::leaveOneOut) {
            squares += figure.relativeL2 * figure.relativeL2;
            ++count;
        }
    QVERIFY(count > 0);
    const double half = std::sqrt(squares / static_cast<double>(count)) / 2;
    const auto set = measured.modeSet(0);
    QVERIFY(set && set->quantised);
    QVERIFY(std::abs(set->quantised->allowed - half) < 0.2 * half);
}

/// Half of an error that says that nothing is right is none to add to.
void QuantiseModesTest::halfOfAHugeErrorIsNotTaken()
{
    const Folder folder;
    makeStudy(folder / "s", 3);
    auto writer = StudyWriter::open(folder / "s");
    compressStep(writer, {}, {});
    const auto measured = writer.errorFigures();
    const auto allowedIf = [&](double error, CompressStepReport &report) {
        auto figures = measured;
        for (auto &figure : figures)
            figure.relativeL2 = error;
        auto transaction = writer.transaction();
        writer.removeErrorFigures(0, std::array{ErrorKind::leaveOneOut, ErrorKind::heldOut});
        writer.putErrorFigures(figures);
        transaction.commit();
        return allowedError(writer, 0, {0, true}, report);
    };
    CompressStepReport report;
    QVERIFY(allowedIf(0.1, report) > 0.01);
    QVERIFY(report.note.empty());
    QCOMPARE(allowedIf(30, report), 0.0);
    QVERIFY(report.note.find("stays exact") != std::string::npos);
}

void QuantiseModesTest::newRunsKeepTheError()
{
    const Folder folder;
    makeStudy(folder / "s", 3);
    addBits(folder / "s", 2e-3);
    growTo(folder / "s", 4);
    auto writer = StudyWriter::open(folder / "s");
    runAllJobs(writer);
    const auto report = compressStep(writer, {}, {});
    QCOMPARE(report.quantised, std::size_t{1});
    const auto set = writer.modeSet(0).value();
    QCOMPARE(set.snapshots, writer.grid()->points());
    QCOMPARE(set.quantised.value().allowed, 2e-3);
}

void QuantiseModesTest::droppedSnapshotsAreSaid()
{
    const Folder folder;
    makeStudy(folder / "s");
    addBits(folder / "s", 1e-3);
    auto writer = StudyWriter::open(folder / "s");
    QVERIFY(writer.dropSnapshots() > 0);
    writer.close();
    const auto again = verified(folder / "s");
    QCOMPARE(again.beside, VerifiedBeside::coefficients);
    QVERIFY(again.isKept());
    QVERIFY(addBits(folder / "s", 1e-2).isQuantised); // and again
}

void QuantiseModesTest::aBrokenBoundIsFound()
{
    const Folder folder;
    makeStudy(folder / "s");
    addBits(folder / "s", 1e-3);
    auto writer = StudyWriter::open(folder / "s");
    std::vector<float> values(600);
    writer.readModePart(0, 0, 0, values);
    values[17] += 0.5F;
    writer.putModePart(0, 0, 0, codec::QuantisedRow::encode(values, 1e-3));
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string()); // all checksums match
    QVERIFY(!verified(folder / "s").isKept());
}

void QuantiseModesTest::damageIsFound_data()
{
    QTest::addColumn<QString>("sql");
    const auto row = [](const char *name, const char *sql) { QTest::newRow(name) << QString(sql); };
    row("a mode is gone", "DELETE FROM modes WHERE mode = 1");
    row("another value", "UPDATE modes SET bytes = zeroblob(length(bytes)) WHERE mode = 0");
    row("another encoding", "UPDATE modes SET encoding = 7 WHERE mode = 0");
    row("another bound", "UPDATE quantised_modes SET allowed = 0.5");
    row("no bound", "DELETE FROM quantised_modes");
}

void QuantiseModesTest::damageIsFound()
{
    QFETCH(QString, sql);
    const Folder folder;
    makeStudy(folder / "s", 3);
    addBits(folder / "s", 1e-3);
    QCOMPARE(problemsOf(folder / "s"), std::string());
    SQLite::Database(folder / "s", SQLite::OPEN_READWRITE).exec(sql.toStdString());
    QVERIFY(!problemsOf(folder / "s").empty());
    GRIDHELM_EXPECT_ERROR(loadFirstField(folder / "s"));
}

void QuantiseModesTest::stoppedTheStudyIsAsBefore()
{
    const Folder folder;
    makeStudy(folder / "s");
    addModes(folder / "s");
    const auto expected = modesOf(folder / "s");
    for (int calls = 0; calls < 3; ++calls) {
        auto writer = StudyWriter::open(folder / "s");
        QuantiseOptions options;
        options.allowed = 1e-3;
        int left = calls;
        options.progress = [&](double) { return left-- > 0; };
        QVERIFY(quantiseModes(writer, 0, options).cancelled);
        writer.close();
        QVERIFY(modesOf(folder / "s") == expected);
        QVERIFY(!Study::open(folder / "s").modeSet(0)->quantised);
    }
}

void QuantiseModesTest::impossibleOnesAreErrors()
{
    const Folder folder;
    makeStudy(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    QuantiseOptions options;
    options.allowed = 1e-3;
    GRIDHELM_EXPECT_ERROR(quantiseModes(writer, 0, options)); // no modes
    storeModes(writer, ModesOptions{});
    for (const double allowed : {0.0, -1.0, 1e-8, 1.0, std::nan("")}) {
        options.allowed = allowed;
        GRIDHELM_EXPECT_ERROR(quantiseModes(writer, 0, options));
    }
    options.allowed = 1e-3;
    QVERIFY(quantiseModes(writer, 0, options).isQuantised);
    GRIDHELM_EXPECT_ERROR(quantiseModes(writer, 0, options)); // not from what is not exact
}

GRIDHELM_TEST(QuantiseModesTest)
#include "tst_quantise_modes.moc"
