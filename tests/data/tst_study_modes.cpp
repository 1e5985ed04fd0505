// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies that store modes: what is evaluated by them beside what is evaluated by coefficients.
#include "data/campaign/campaign_text.h"
#include "data/compress/node_volumes.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/indicator_share.h"
#include "data/study/info.h"
#include "tests/data/modes_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

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
    void heldOutErrorsAreMeasuredWithThem();
    void infoSaysThem();
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
    QCOMPARE(plain.modesErrorBound(0, places[0]), 0.0);
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
}

void StudyModesTest::everyWayToEvaluateIsTheSame()
{
    const Folder folder;
    makeStudy(folder / "s");
    addModes(folder / "s");
    checkEveryWayToEvaluate(Study::open(folder / "s"));
}

void StudyModesTest::aFrameCostsItsModes()
{
    const Folder folder;
    makeStudy(folder / "s", 6);
    const auto x = std::vector{0.3, 0.4, 0.55};
    std::vector<float> values(600), indicator(600);
    std::uint64_t again = 0;
    const auto rowsOf = [&](bool withIndicator) {
        const auto study = Study::open(folder / "s");
        FieldSurrogate loaded(study, 0);
        loaded.loadAll(study);
        const auto out = withIndicator ? FieldOutput{values, indicator} : FieldOutput{values, {}};
        const auto inMemory = loaded.evaluate(x, out, omp());
        const auto fromFile = evaluateFromFile(study, 0, x, out, CpuDevice{});
        again = inMemory.rowsAgain;
        const bool isSame =
            inMemory.rows == fromFile.rows && inMemory.rowsAgain == fromFile.rowsAgain;
        return isSame ? inMemory.rows : 0;
    };
    const auto before = rowsOf(true);
    QVERIFY(before >= Study::open(folder / "s").grid()->blocks()); // time has its ends
    ModesOptions options;
    options.cut = 1e-6;
    addModes(folder / "s", options);
    const auto modes = Study::open(folder / "s").modeSet(0)->modes();
    QCOMPARE(rowsOf(false), modes);
    QCOMPARE(again, std::uint64_t{0});
    QCOMPARE(rowsOf(true), 2 * modes); // each once for the value, once for the indicator
    QCOMPARE(again, modes);            // but read once
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
            QVERIFY(
                std::abs(shares.along(0, std::vector{places[i][0]}, places[i])[0].share() - share)
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
    options.cut = 0.3; // half of the norm
    storeModes(writer, options);
    const double coarse = errorOf();
    QVERIFY(coarse > before + 0.01);
    options.cut = 1e-10;
    storeModes(writer, options);
    QVERIFY(std::abs(errorOf() - before) <= 1e-4);
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

GRIDHELM_TEST(StudyModesTest)
#include "tst_study_modes.moc"
