// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fields by their leading modes alone: what a large study shows first.
#include "data/compress/node_volumes.h"
#include "data/compress/quantise_modes.h"
#include "tests/core/expect_error.h"
#include "tests/data/kriging_studies.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// Of one of the forms in which modes are stored.
void makeModes(const std::filesystem::path &path, const QString &form)
{
    makeStudy(path, 4, 600);
    if (form == "kriging")
        krige(path);
    else
        addModes(path);
    if (form != "few bits")
        return;
    auto writer = StudyWriter::open(path);
    QuantiseOptions options;
    options.allowed = 1e-4;
    QVERIFY(quantiseModes(writer, 0, options).isQuantised);
    writer.close();
}

/// Coefficients of all modes, word by word.
std::vector<double> coefficientsAt(const Study &study, std::span<const double> x)
{
    const auto surrogate = surrogateOf(study, 0);
    std::vector<double> coefficients(surrogate->rows(), 0.0);
    const auto weights = surrogate->weights(x, surrogate->groups());
    for (std::size_t i = 0; i < weights.rows.size(); ++i)
        coefficients[weights.rows[i]] += weights.weights[i];
    return coefficients;
}

std::vector<float> sumOfLeading(const Study &study, const std::vector<double> &coefficients,
                                std::size_t modes)
{
    std::vector<double> sum(study.fields()[0].values(), 0.0);
    std::vector<float> mode(sum.size());
    for (std::size_t m = 0; m < modes; ++m) {
        study.readMode(0, m, mode);
        for (std::size_t k = 0; k < sum.size(); ++k)
            sum[k] += coefficients[m] * static_cast<double>(mode[k]);
    }
    return {sum.begin(), sum.end()};
}

} // namespace

class LeadingModesTest : public QObject
{
    Q_OBJECT

private slots:
    void everyWayToEvaluateTakesThoseAlone_data() { forms(); }
    void everyWayToEvaluateTakesThoseAlone();
    void whatIsLoadedIsWhatIsShown_data() { forms(); }
    void whatIsLoadedIsWhatIsShown();
    void theirEnergyIsSaid_data() { forms(); }
    void theirEnergyIsSaid();
    void theIndicatorIsOfTheSameModes();
    void levelsAreAsBefore();

private:
    static void forms()
    {
        QTest::addColumn<QString>("form");
        for (const char *form : {"exact", "few bits", "kriging"})
            QTest::newRow(form) << QString(form);
    }
};

void LeadingModesTest::everyWayToEvaluateTakesThoseAlone()
{
    QFETCH(QString, form);
    const Folder folder;
    makeModes(folder / "s", form);
    const auto study = Study::open(folder / "s");
    const auto all = study.modeSet(0)->modes();
    QVERIFY(all > 2);
    FieldSurrogate loaded(study, 0);
    loaded.loadAll(study);
    const std::vector<std::uint32_t> columns{599, 3, 3, 0, 277};
    for (const auto &at : somePlaces(study)) {
        const auto x = study.description().space.toUnit(at);
        const auto coefficients = coefficientsAt(study, x);
        for (const std::uint64_t modes : {std::uint64_t{1}, std::uint64_t{2}, all}) {
            const auto expected = sumOfLeading(study, coefficients, modes);
            const FieldPrefix prefix(0, modes);
            const auto near = [](float a, float b) { return std::abs(a - b) <= 5e-6F; };
            std::vector<float> values(600), indicator(600), some(5);
            loaded.evaluate(x, {values, indicator}, CpuDevice{2}, 0, prefix);
            QVERIFY(std::ranges::equal(values, expected, near));
            loaded.evaluate(x, {values, {}}, omp(), 0, prefix);
            QVERIFY(std::ranges::equal(values, expected, near));
            evaluateFromFile(study, 0, x, {values, indicator}, CpuDevice{}, prefix);
            QVERIFY(std::ranges::equal(values, expected, near));
            loaded.evaluate(x, {std::span(values).first(100), {}}, omp(), 300, prefix);
            loaded.evaluateColumns(x, columns, {some, {}}, omp(), prefix);
            for (std::size_t i = 0; i < 100; ++i)
                QVERIFY(near(values[i], expected[300 + i]));
            for (std::size_t i = 0; i < columns.size(); ++i)
                QVERIFY(near(some[i], expected[columns[i]]));
        }
    }
}

void LeadingModesTest::whatIsLoadedIsWhatIsShown()
{
    QFETCH(QString, form);
    const Folder folder;
    makeModes(folder / "s", form);
    const auto study = Study::open(folder / "s");
    const auto x = study.description().space.toUnit(somePlaces(study)[3]);
    const auto coefficients = coefficientsAt(study, x);
    FieldSurrogate part(study, 0);
    std::vector<float> values(600), indicator(600), fromFile(600), ofFile(600);
    QVERIFY(!part.hasLoaded({}));
    GRIDHELM_EXPECT_ERROR(part.evaluate(x, {values, {}}, CpuDevice{}));
    QCOMPARE(part.loadRows(study, 2), std::uint64_t{2});
    QVERIFY(part.hasLoaded({}) && part.hasLoaded({0, 2}) && !part.hasLoaded({0, 3}));
    QCOMPARE(part.loadedGroups(), 0);
    const auto work = part.evaluate(x, {values, indicator}, omp());
    QCOMPARE(work.leadingModes, std::uint64_t{2});
    QVERIFY(std::ranges::equal(values, sumOfLeading(study, coefficients, 2),
                               [](float a, float b) { return std::abs(a - b) <= 5e-6F; }));
    QVERIFY(evaluateFromFile(study, 0, x, {fromFile, ofFile}, CpuDevice{}, {0, 2}).leadingModes
            == 2);
    QVERIFY(std::ranges::equal(indicator, ofFile,
                               [](float a, float b) { return std::abs(a - b) <= 5e-6F; }));

    QCOMPARE(part.loadRows(study, study.modeSet(0)->modes(), [] { return true; }),
             std::uint64_t{2}); // a stop keeps what is there
    part.loadAll(study);
    QCOMPARE(part.loadedGroups(), study.grid()->groups());
    const auto whole = part.evaluate(x, {values, indicator}, omp());
    QCOMPARE(whole.leadingModes, std::uint64_t{0});
    QCOMPARE(whole.energyShare, 1.0);
    FieldSurrogate atOnce(study, 0);
    atOnce.loadAll(study);
    atOnce.evaluate(x, {fromFile, ofFile}, omp());
    QCOMPARE(values, fromFile);
    QCOMPARE(indicator, ofFile);
}

void LeadingModesTest::theirEnergyIsSaid()
{
    QFETCH(QString, form);
    const Folder folder;
    makeModes(folder / "s", form);
    const auto study = Study::open(folder / "s");
    FieldSurrogate loaded(study, 0);
    loaded.loadAll(study);
    const auto modes = study.modeSet(0)->modes();
    const auto weights = weightsOf(study, 0, {}).values;
    for (const auto &at : somePlaces(study)) {
        const auto x = study.description().space.toUnit(at);
        std::vector<float> values(600), whole(600);
        loaded.evaluate(x, {whole, {}}, omp());
        double before = -1;
        for (std::uint64_t count = 1; count < modes; ++count) {
            const auto work = loaded.evaluate(x, {values, {}}, omp(), 0, {0, count});
            QVERIFY(work.energyShare >= before && work.energyShare <= 1);
            before = work.energyShare;
            // Modes are orthonormal, but for the bits that they lack.
            const double missing = distance(values, whole, weights);
            const double norm = distance(whole, std::vector<float>(600, 0.0F), weights);
            QVERIFY(std::abs(missing - work.lacking) <= 1e-3 * norm);
            QVERIFY(std::abs(1 - work.energyShare - std::pow(missing / norm, 2)) < 1e-3);
        }
        QVERIFY(before >= 0);
    }
}

void LeadingModesTest::theIndicatorIsOfTheSameModes()
{
    const Folder folder;
    makeModes(folder / "s", "exact");
    const auto study = Study::open(folder / "s");
    FieldSurrogate loaded(study, 0);
    loaded.loadAll(study);
    const auto surrogate = surrogateOf(study, 0);
    const auto x = study.description().space.toUnit(somePlaces(study)[5]);
    const auto weights = surrogate->weights(x, surrogate->groups());
    std::vector<double> ofLast(surrogate->rows(), 0.0);
    for (auto i = weights.lastGroupBegin; i < weights.rows.size(); ++i)
        ofLast[weights.rows[i]] = weights.weights[i];
    const auto expected = sumOfLeading(study, ofLast, 2);
    std::vector<float> values(600), indicator(600);
    loaded.evaluate(x, {values, indicator}, CpuDevice{}, 0, {0, 2});
    for (std::size_t k = 0; k < 600; ++k)
        QVERIFY(std::abs(indicator[k] - std::abs(expected[k])) < 5e-6F);
}

void LeadingModesTest::levelsAreAsBefore()
{
    const Folder folder;
    makeStudy(folder / "s"); // of coefficients
    const auto study = Study::open(folder / "s");
    FieldSurrogate loaded(study, 0);
    const auto ofTwo = loaded.surrogate().rows(2);
    loaded.loadRows(study, ofTwo - 1);
    QCOMPARE(loaded.loadedGroups(), 1);
    QVERIFY(loaded.hasLoaded(1) && !loaded.hasLoaded(2));
    QCOMPARE(loaded.load(study, 2), 2);
    QCOMPARE(loaded.loadedRows(), ofTwo);
    QCOMPARE(loaded.matrix().rows, static_cast<std::size_t>(ofTwo));
    const auto x = study.description().space.toUnit(somePlaces(study)[3]);
    std::vector<float> values(600), again(600);
    loaded.evaluate(x, {values, {}}, CpuDevice{}, 0, {0, 1}); // which are no modes
    evaluateFromFile(study, 0, x, {again, {}}, CpuDevice{}, 2);
    QVERIFY(std::ranges::equal(values, again,
                               [](float a, float b) { return std::abs(a - b) <= 5e-6F; }));
}

GRIDHELM_TEST(LeadingModesTest)
#include "tst_leading_modes.moc"
