// SPDX-License-Identifier: GPL-3.0-or-later
//
// Coefficients in few bits, of fields whose snapshots are no combinations of a few modes: within
// what was allowed at every place, and as good to evaluate as exact ones.
#include "data/campaign/campaign_steps.h"
#include "data/compress/quantise_rows.h"
#include "data/compress/verify_modes.h"
#include "data/evaluate/entity_surrogate.h"
#include "data/evaluate/study_surrogate.h"
#include "data/study/study_file.h"
#include "tests/core/expect_error.h"
#include "tests/data/modes_cases.h"
#include "tests/data/stopped_step.h"
#include "tests/data/unlike_studies.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr double anyBytes = std::numeric_limits<double>::infinity();

QuantiseReport addBits(const std::filesystem::path &path, double allowed, int threads = 1,
                       double blockBytes = 512e6)
{
    auto writer = StudyWriter::open(path);
    storeModes(writer, ModesOptions{});
    QuantiseOptions options;
    options.allowed = allowed;
    options.cpu = CpuDevice{threads};
    options.blockBytes = blockBytes;
    const auto report = quantiseRows(writer, 0, options, anyBytes);
    writer.close();
    return report;
}

CompressStepReport compressed(StudyWriter &writer, double allowed, bool withModes = false)
{
    CompressStep step;
    step.error = AddedErrorStep{allowed, false};
    if (withModes)
        step.modes = ModesStep{};
    return compressStep(writer, step, {});
}

VerifiedModes verified(const std::filesystem::path &path)
{
    const auto all = verifyModes(Study::open(path), {}, CpuDevice{}, {});
    return all.empty() ? VerifiedModes{} : all.front();
}

/// All that the study has of them.
std::string rowsOf(const std::filesystem::path &path)
{
    const auto study = Study::open(path);
    const auto rows = study.quantisedCoefficients(0);
    if (!rows)
        return "none";
    std::string bytes;
    for (std::uint64_t point = 0; point < study.grid()->points(); ++point) {
        bytes += std::to_string(rows->residuals[point]);
        for (std::uint64_t part = 0; rows->hasRow(point) && part < study.parts(0); ++part) {
            const auto row = study.quantisedCoefficientPart(point, 0, part).serialised();
            bytes.append(reinterpret_cast<const char *>(row.data()), row.size());
        }
    }
    return bytes + std::to_string(rows->norm) + std::to_string(rows->bits.frameBytes);
}

/// Of both studies at this place, relative to the norm; all nodes alike.
double differenceAt(StudyFields &exact, StudyFields &few, const std::vector<double> &at)
{
    const std::vector<double> weights(exact.fields()[0].entities, 1.0);
    return distance(evaluated(exact, at).values, evaluated(few, at).values, weights)
           / few.study().quantisedCoefficients(0)->norm;
}

} // namespace

class QuantiseRowsTest : public QObject
{
    Q_OBJECT

private slots:
    void everyPointIsWithinWhatIsAllowed_data();
    void everyPointIsWithinWhatIsAllowed();
    void holdOutsAreMeasured();
    void theBoundHoldsAnywhere();
    void memoryFileAndListsAreAlike();
    void fewerLevelsAreThoseOfExactRows();
    void largerFieldsComeInParts();
    void sameBitsForAnyThreadsAndMemory();
    void whateverReadsLessIsTaken();
    void fewActiveRowsStayFloats();
    void exactOnesComeBack();
    void newRunsKeepTheError();
    void interruptedItGoesOn();
    void coefficientsThatAreMissingCountNothing();
    void aBrokenBoundIsFound();
    void damageIsFound_data();
    void damageIsFound();
    void stoppedTheStudyIsAsBefore();
    void impossibleOnesAreErrors();
};

void QuantiseRowsTest::everyPointIsWithinWhatIsAllowed_data()
{
    QTest::addColumn<double>("allowed");
    for (const double allowed : {0.05, 3e-3, 1e-4})
        QTest::addRow("%g", allowed) << allowed;
}

void QuantiseRowsTest::everyPointIsWithinWhatIsAllowed()
{
    QFETCH(double, allowed);
    const Folder folder;
    makeUnlike(folder / "exact", 3, 1100); // more than one group of blocks, and an odd end
    makeUnlike(folder / "s", 3, 1100);
    QVERIFY(addBits(folder / "s", allowed).isQuantised);
    StudyFields exact(Study::open(folder / "exact"), omp()), few(Study::open(folder / "s"), omp());
    const auto &study = few.study();
    const auto rows = study.quantisedCoefficients(0);
    const auto points = study.grid()->points();
    QVERIFY(rows && !study.modeSet(0));
    QCOMPARE(rows->bits.allowed, allowed);
    QCOMPARE(rows->bits.snapshots, points);
    double worst = 0;
    for (std::uint64_t point = 0; point < points; ++point)
        worst =
            std::max(worst, differenceAt(exact, few,
                                         study.description().space.valuesAt(*study.grid(), point)));
    QVERIFY(worst <= allowed * (1 + 1e-3) + 1e-6);
    QVERIFY(worst > 0.2 * allowed); // it is used
    QVERIFY(std::abs(rows->bits.atSnapshots - worst) < 0.02 * allowed + 2e-6);
    QCOMPARE(problemsOf(folder / "s"), std::string());
    const auto again = verified(folder / "s");
    QVERIFY(again.areCoefficients && again.isKept());
    QCOMPARE(again.beside, VerifiedBeside::snapshots);
    QVERIFY(std::abs(again.atSnapshots - rows->bits.atSnapshots) < 2e-6);
    QCOMPARE(FieldSurrogate(study, 0).rowBytes(), static_cast<double>(rows->rowBytes));
    QVERIFY(rows->rowBytes < 6 * points * 1100 / 10 * 4);
    QVERIFY(rows->bits.frameBytes < rows->rowBytes); // not all of them are read
}

void QuantiseRowsTest::holdOutsAreMeasured()
{
    const Folder folder;
    makeUnlike(folder / "s", 3);
    auto writer = StudyWriter::open(folder / "s");
    for (const auto &at : somePlaces(writer))
        writer.putHoldOut(writer.addHoldOut(at), 0, std::vector<float>(600, 1.0F));
    writer.close();
    QVERIFY(addBits(folder / "s", 1e-3).isQuantised);
    const auto bits = Study::open(folder / "s").quantisedCoefficients(0)->bits;
    QCOMPARE(bits.holdOuts, std::uint64_t{20});
    QVERIFY(bits.atHoldOuts > 0 && bits.atHoldOuts <= 1e-3);
    QVERIFY(std::abs(verified(folder / "s").atHoldOuts - bits.atHoldOuts) < 2e-6);
}

void QuantiseRowsTest::theBoundHoldsAnywhere()
{
    const Folder folder;
    makeUnlike(folder / "exact");
    makeUnlike(folder / "s");
    QVERIFY(addBits(folder / "s", 0.01).isQuantised);
    StudyFields exact(Study::open(folder / "exact"), omp()), few(Study::open(folder / "s"), omp());
    QVERIFY(few.isInFewBits(0) && !exact.isInFewBits(0));
    double largestBound = 0;
    for (const auto &at : somePlaces(few.study())) {
        const double bound = few.modesErrorBound(0, at);
        QVERIFY(differenceAt(exact, few, at) <= bound * (1 + 1e-5) + 1e-6);
        largestBound = std::max(largestBound, bound);
    }
    QVERIFY(largestBound > 1e-4 && largestBound < 0.5);
    QCOMPARE(exact.modesErrorBound(0, somePlaces(exact.study())[3]), 0.0);
}

void QuantiseRowsTest::memoryFileAndListsAreAlike()
{
    const Folder folder;
    makeUnlike(folder / "s");
    QVERIFY(addBits(folder / "s", 1e-3).isQuantised);
    const auto study = Study::open(folder / "s");
    FieldSurrogate loaded(study, 0);
    QCOMPARE(loaded.loadAll(study), study.grid()->groups());
    QVERIFY(loaded.isInFewBits() && loaded.matrix().data == nullptr);
    const auto near = [](float a, float b) { return std::abs(a - b) <= 2e-5F; };
    const std::vector<std::uint32_t> columns{599, 3, 3, 0, 277};
    const auto entity = makeEntitySurrogate(study, 0, 277, *omp(), &loaded, {});
    const auto unread = makeEntitySurrogate(study, 0, 277, *omp(), nullptr, {});
    for (const auto &at : somePlaces(study)) {
        const auto x = study.description().space.toUnit(at);
        std::vector<float> file(600), fileIndicator(600), memory(600), indicator(600), some(5),
            device(600), one(1), other(1);
        evaluateFromFile(study, 0, x, {file, fileIndicator}, CpuDevice{});
        loaded.evaluate(x, {memory, indicator}, CpuDevice{});
        loaded.evaluateColumns(x, columns, {some, {}}, CpuDevice{});
        loaded.evaluate(x, {device, {}}, omp(2));
        QVERIFY(std::ranges::equal(file, memory, near));
        QVERIFY(std::ranges::equal(fileIndicator, indicator, near));
        QVERIFY(std::ranges::equal(device, memory, near));
        for (std::size_t i = 0; i < columns.size(); ++i)
            QVERIFY(near(some[i], memory[columns[i]]));
        std::vector<std::vector<double>> axes;
        for (const double value : at)
            axes.push_back({value});
        entity->evaluate(axes, one);
        unread->evaluate(axes, other);
        QVERIFY(near(one[0], memory[277]) && near(other[0], memory[277]));
    }
}

void QuantiseRowsTest::fewerLevelsAreThoseOfExactRows()
{
    const Folder folder;
    makeUnlike(folder / "exact");
    makeUnlike(folder / "s");
    QVERIFY(addBits(folder / "s", 1e-3).isQuantised);
    StudyFields exact(Study::open(folder / "exact"), omp()), few(Study::open(folder / "s"), omp());
    const auto &study = few.study();
    FieldSurrogate loaded(study, 0);
    for (int groups = 1; groups < study.grid()->groups(); ++groups) {
        QCOMPARE(loaded.load(study, groups), groups);
        for (const auto &at : somePlaces(study)) {
            const auto expected = evaluated(exact, at, groups).values;
            const auto fromFile = evaluated(few, at, groups).values;
            std::vector<float> values(600);
            loaded.evaluate(study.description().space.toUnit(at), {values, {}}, CpuDevice{});
            for (std::size_t i = 0; i < values.size(); ++i) {
                QVERIFY(std::abs(values[i] - fromFile[i]) <= 2e-5F);
                QVERIFY(std::abs(values[i] - expected[i]) <= 0.1F);
            }
        }
    }
}

void QuantiseRowsTest::largerFieldsComeInParts()
{
    const Folder folder;
    makeUnlike(folder / "exact", 2, 35'000, 2); // a vector lies across two parts
    makeUnlike(folder / "s", 2, 35'000, 2);
    QVERIFY(addBits(folder / "s", 2e-3).isQuantised);
    StudyFields exact(Study::open(folder / "exact"), omp()), few(Study::open(folder / "s"), omp());
    const auto &study = few.study();
    QCOMPARE(study.parts(0), std::uint64_t{2});
    const auto at = somePlaces(study)[4];
    QVERIFY(differenceAt(exact, few, at) <= few.modesErrorBound(0, at) * (1 + 1e-5) + 1e-6);
    QCOMPARE(few.surrogate(0)->loadAll(study), study.grid()->groups());
    QVERIFY(differenceAt(exact, few, at) <= few.modesErrorBound(0, at) * (1 + 1e-5) + 1e-6);
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void QuantiseRowsTest::sameBitsForAnyThreadsAndMemory()
{
    const Folder folder;
    makeUnlike(folder / "a", 3);
    makeUnlike(folder / "b");
    QVERIFY(addBits(folder / "a", 1e-3).isQuantised);
    QVERIFY(addBits(folder / "b", 1e-3, 3, 2e4).isQuantised);
    QVERIFY(rowsOf(folder / "a") == rowsOf(folder / "b"));
}

void QuantiseRowsTest::whateverReadsLessIsTaken()
{
    const Folder folder;
    makeUnlike(folder / "unlike", 4);
    makeStudy(folder / "alike");
    auto unlike = StudyWriter::open(folder / "unlike"), alike = StudyWriter::open(folder / "alike");
    const auto ofUnlike = compressed(unlike, 0.02), ofAlike = compressed(alike, 1e-3);
    QCOMPARE(ofUnlike.quantisedRows, std::size_t{1});
    QCOMPARE(ofUnlike.quantised + ofUnlike.modes.fields, std::size_t{0});
    QVERIFY(unlike.quantisedCoefficients(0) && !unlike.modeSet(0));
    QCOMPARE(ofAlike.quantised, std::size_t{1});
    QVERIFY(!alike.quantisedCoefficients(0) && alike.modeSet(0)->quantised);
    const auto bytes = unlike.quantisedCoefficients(0)->bits.frameBytes;
    // Modes are there where they are asked for, and read more.
    QCOMPARE(compressed(unlike, 0.02, true).quantised, std::size_t{1});
    QVERIFY(!unlike.quantisedCoefficients(0));
    QVERIFY(unlike.modeSet(0)->quantised->frameBytes > bytes);
    unlike.close();
    QCOMPARE(problemsOf(folder / "unlike"), std::string());
}

void QuantiseRowsTest::fewActiveRowsStayFloats()
{
    const Folder folder;
    makeUnlike(folder / "s", 4);
    auto writer = StudyWriter::open(folder / "s");
    const double allowed = 1e-4; // which takes 16 bits a value
    const auto report = compressed(writer, allowed);
    QCOMPARE(report.forms.size(), std::size_t{1});
    const auto &choice = report.forms[0];
    QVERIFY(choice.taken == RowForm::rows);
    QCOMPARE(report.quantised + report.quantisedRows + report.modes.fields, std::size_t{0});
    QVERIFY(!writer.modeSet(0) && !writer.quantisedCoefficients(0));
    QCOMPARE(choice.rows, floatPictureBytes(writer, 0));
    QVERIFY(choice.rows < codeCost * choice.fewBitRows);
    QVERIFY(choice.fewBitModes == 0 || choice.rows < codeCost * choice.fewBitModes);
    QVERIFY(QString::fromStdString(formText(writer, choice)).contains("coefficients as float32"));
    // One of them alone stands beside the others.
    QVERIFY((choice.modes > 0) == (choice.fewBitModes == 0));
    FormChoice exact;
    exact.modes = 3e6;
    exact.rows = 12e6;
    QVERIFY(
        QString::fromStdString(formText(writer, exact)).contains("3 MB of exact POD modes, 12 MB"));
    // It is asked again with new runs alone, also by who was stopped then, and by 0 no more.
    QCOMPARE(writer.wantedMeans(0)->error.allowed, allowed);
    QVERIFY(compressStep(writer, {}, {}).forms.empty());
    QVERIFY(!writer.modeSet(0));
    writer.close();
    growTo(folder / "s", 5);
    writer = StudyWriter::open(folder / "s");
    runUnlikeJobs(writer);
    QVERIFY(stoppedInModes(writer, {}).cancelled);
    QCOMPARE(compressStep(writer, {}, {}).forms.size(), std::size_t{1});
    QVERIFY(compressStep(writer, {}, {}).forms.empty());
    compressed(writer, 0);
    QVERIFY(!writer.wantedMeans(0));
    QVERIFY(compressStep(writer, {}, {}).forms.empty());
    // Where more may be added, bits are fewer.
    const auto coarse = compressed(writer, 0.05);
    QVERIFY(coarse.forms[0].taken == RowForm::fewBitRows);
    QVERIFY(codeCost * coarse.forms[0].fewBitRows < coarse.forms[0].rows);
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void QuantiseRowsTest::exactOnesComeBack()
{
    const Folder folder;
    makeUnlike(folder / "s", 3);
    auto writer = StudyWriter::open(folder / "s");
    compressed(writer, 0.05);
    const auto coarse = writer.quantisedCoefficients(0)->rowBytes;
    compressed(writer, 0.01); // from what is exact
    QVERIFY(writer.quantisedCoefficients(0)->rowBytes > coarse);
    compressed(writer, 0);
    QVERIFY(!writer.quantisedCoefficients(0) && !writer.modeSet(0));
    compressStep(writer, {}, {});
    QVERIFY(!writer.quantisedCoefficients(0));
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void QuantiseRowsTest::newRunsKeepTheError()
{
    const Folder folder;
    makeUnlike(folder / "s", 3);
    auto writer = StudyWriter::open(folder / "s");
    compressed(writer, 0.02);
    writer.close();
    growTo(folder / "s", 4);
    {
        // Points that nobody has run yet count nothing.
        const auto study = Study::open(folder / "s");
        const auto rows = study.quantisedCoefficients(0);
        QCOMPARE(rows->residuals.size(), study.grid()->points());
        QCOMPARE(std::ranges::count(rows->residuals, -1.0F),
                 std::ptrdiff_t(study.grid()->points() - rows->bits.snapshots));
        loadFirstField(folder / "s");
        QCOMPARE(problemsOf(folder / "s"), std::string());
    }
    writer = StudyWriter::open(folder / "s");
    runUnlikeJobs(writer);
    QCOMPARE(compressStep(writer, {}, {}).quantisedRows, std::size_t{1});
    const auto rows = writer.quantisedCoefficients(0);
    QCOMPARE(rows->bits.snapshots, writer.grid()->points());
    QCOMPARE(rows->bits.allowed, 0.02);
    writer.close();
    QVERIFY(verified(folder / "s").isKept());
}

void QuantiseRowsTest::interruptedItGoesOn()
{
    const Folder folder;
    makeUnlike(folder / "whole", 3);
    std::filesystem::copy_file(folder / "whole", folder / "stopped");
    auto whole = StudyWriter::open(folder / "whole"),
         stopped = StudyWriter::open(folder / "stopped");
    compressed(whole, 0.02);
    CompressStep step;
    step.error = AddedErrorStep{0.02, false};
    QVERIFY(stoppedInModes(stopped, step).cancelled);
    QVERIFY(!stopped.quantisedCoefficients(0));
    compressStep(stopped, {}, {});
    QVERIFY(*stopped.quantisedCoefficients(0) == *whole.quantisedCoefficients(0));
}

void QuantiseRowsTest::coefficientsThatAreMissingCountNothing()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    setLine(writer, 600);
    writer.addField(smallField("u", 600));
    runUnlikeJobs(writer, 2);
    CompressOptions options;
    options.allowMissing = true;
    compress(writer, options);
    writer.close();
    std::filesystem::copy_file(folder / "s", folder / "exact");
    QVERIFY(addBits(folder / "s", 1e-3).isQuantised);
    StudyFields exact(Study::open(folder / "exact"), omp()), few(Study::open(folder / "s"), omp());
    const auto rows = few.study().quantisedCoefficients(0);
    QVERIFY(rows->bits.snapshots < few.study().grid()->points());
    for (const auto &at : somePlaces(few.study()))
        QVERIFY(differenceAt(exact, few, at) <= few.modesErrorBound(0, at) * (1 + 1e-5) + 1e-6);
    few.surrogate(0)->loadAll(few.study());
    const auto at = somePlaces(few.study())[5];
    QVERIFY(differenceAt(exact, few, at) <= few.modesErrorBound(0, at) * (1 + 1e-5) + 1e-6);
}

void QuantiseRowsTest::aBrokenBoundIsFound()
{
    const Folder folder;
    makeUnlike(folder / "s", 3);
    addBits(folder / "s", 1e-3);
    auto writer = StudyWriter::open(folder / "s");
    std::vector<float> values(600);
    writer.quantisedCoefficientPart(0, 0, 0).decode(0, values);
    values[17] += 3;
    writer.putQuantisedCoefficientPart(0, 0, 0, codec::QuantisedRow::encode(values, 1e-3));
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string()); // all checksums match
    QVERIFY(!verified(folder / "s").isKept());
}

void QuantiseRowsTest::damageIsFound_data()
{
    QTest::addColumn<QString>("sql");
    const auto row = [](const char *name, const char *sql) { QTest::newRow(name) << QString(sql); };
    row("a row is gone", "DELETE FROM quantised_coefficients WHERE point = 2");
    row("a value", "UPDATE quantised_coefficients SET bytes = zeroblob(length(bytes)) "
                   "WHERE point = 1");
    row("another's values", "UPDATE quantised_coefficients SET (checksum, bytes) = (SELECT "
                            "checksum, bytes FROM quantised_coefficients WHERE point = 2) "
                            "WHERE point = 1");
    row("another encoding", "UPDATE quantised_coefficients SET encoding = 7 WHERE point = 1");
    row("another bound", "UPDATE quantised_rows SET allowed = 0.5");
    row("no bound", "DELETE FROM quantised_rows");
    row("other residuals", "UPDATE quantised_rows SET residuals = zeroblob(length(residuals))");
}

void QuantiseRowsTest::damageIsFound()
{
    QFETCH(QString, sql);
    const Folder folder;
    makeUnlike(folder / "s", 3);
    addBits(folder / "s", 1e-3);
    QCOMPARE(problemsOf(folder / "s"), std::string());
    SQLite::Database(folder / "s", SQLite::OPEN_READWRITE).exec(sql.toStdString());
    QVERIFY(!problemsOf(folder / "s").empty());
    GRIDHELM_EXPECT_ERROR(loadFirstField(folder / "s"));
}

void QuantiseRowsTest::stoppedTheStudyIsAsBefore()
{
    const Folder folder;
    makeUnlike(folder / "s", 3);
    addModes(folder / "s");
    const auto expected = modesOf(folder / "s");
    for (int calls = 0; calls < 2; ++calls) {
        auto writer = StudyWriter::open(folder / "s");
        QuantiseOptions options;
        options.allowed = 1e-3;
        int left = calls;
        options.progress = [&](double) { return left-- > 0; };
        QVERIFY(quantiseRows(writer, 0, options, anyBytes).cancelled);
        writer.close();
        QVERIFY(modesOf(folder / "s") == expected);
        QVERIFY(rowsOf(folder / "s") == "none");
        QCOMPARE(problemsOf(folder / "s"), std::string());
    }
}

void QuantiseRowsTest::impossibleOnesAreErrors()
{
    const Folder folder;
    makeUnlike(folder / "s", 3);
    auto writer = StudyWriter::open(folder / "s");
    QuantiseOptions options;
    options.allowed = 1e-3;
    GRIDHELM_EXPECT_ERROR(quantiseRows(writer, 0, options, anyBytes)); // no modes beside it
    storeModes(writer, ModesOptions{});
    QVERIFY(!quantiseRows(writer, 0, options, 10).isQuantised); // never so few bytes
    QVERIFY(writer.modeSet(0));
    for (const double allowed : {0.0, -1.0, 1e-8, 1.0, std::nan("")}) {
        options.allowed = allowed;
        GRIDHELM_EXPECT_ERROR(quantiseRows(writer, 0, options, anyBytes));
    }
}

GRIDHELM_TEST(QuantiseRowsTest)
#include "tst_quantise_rows.moc"
