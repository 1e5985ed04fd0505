// SPDX-License-Identifier: GPL-3.0-or-later
//
// Errors that are added are measured as they are, and the choice of modes and bits keeps what it
// foretells.
#include "core/codec/quantised_row.h"
#include "core/modes/added_error.h"
#include "core/modes/quantisation_choice.h"
#include "tests/core/expect_error.h"
#include "tests/core/modes_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::modes;
using namespace gridhelm::test;

namespace {

constexpr std::size_t fieldsThere = 60, valuesThere = 3000;

/// Pulses, their modes, and what each of them is by these.
struct PulseCase
{
    Matrix fields = pulses(fieldsThere, valuesThere), modes{0, 0};
    std::vector<double> weights = std::vector<double>(valuesThere, 1.0);
    std::vector<double> coefficients, errors;
    std::vector<BlockMagnitudes> magnitudes;
    double norm = 0;

    PulseCase()
    {
        ModesOptions options;
        options.cut = 1e-12;
        const auto whole = modesOf(fields, weights, options);
        modes = whole.values;
        coefficients = whole.modes.coefficients;
        norm = std::sqrt(whole.modes.energy / fieldsThere);
        for (const double error : whole.modes.errors)
            errors.push_back(error * norm);
        magnitudes.resize(modes.rows);
        for (std::size_t m = 0; m < modes.rows; ++m)
            magnitudes[m].add({modes.view().row(m), valuesThere});
    }

    QuantisationCase within(double allowed) const
    {
        QuantisationCase of;
        of.values = valuesThere;
        of.modes = modes.rows;
        of.coefficients = coefficients;
        of.errors = errors;
        of.allowed = allowed * norm;
        of.magnitudes = magnitudes;
        return of;
    }

    /// All fields, and what the choice makes of them; relative to the norm.
    std::vector<double> errorsOf(const QuantisationChoice &choice, std::size_t blockColumns,
                                 int threads) const
    {
        Matrix changed(choice.modes, valuesThere);
        for (std::size_t m = 0; m < choice.modes; ++m)
            codec::QuantisedRow::encode({modes.view().row(m), valuesThere}, choice.tolerances[m])
                .decode(0, {&changed(m, 0), valuesThere});
        std::vector<SparseWeights> single, ofModes;
        for (std::size_t j = 0; j < fieldsThere; ++j) {
            single.push_back({{j}, {1.0}, 1});
            auto &of = ofModes.emplace_back();
            for (std::size_t m = 0; m < choice.modes; ++m) {
                of.rows.push_back(m);
                of.weights.push_back(coefficients[j * modes.rows + m]);
            }
            of.lastGroupBegin = of.rows.size();
        }
        InBlocks exact(fields, blockColumns), others(changed, blockColumns);
        AddedErrorOptions options;
        options.cpu = CpuDevice{threads};
        auto result = addedErrors({exact, single}, {others, ofModes}, {weights}, options);
        for (double &error : result)
            error /= norm;
        return result;
    }

    double bytesOf(const QuantisationChoice &choice) const
    {
        double bytes = 0;
        for (std::size_t m = 0; m < choice.modes; ++m)
            bytes +=
                static_cast<double>(codec::QuantisedRow::encode({modes.view().row(m), valuesThere},
                                                                choice.tolerances[m])
                                        .bytes());
        return bytes;
    }
};

} // namespace

class TestQuantisationChoice : public QObject
{
    Q_OBJECT

private slots:
    void differencesByHand();
    void differencesForAnyBlocksAndThreads();
    void whatIsForetoldIsMeasured_data();
    void whatIsForetoldIsMeasured();
    void moreErrorTakesFewerBytes();
    void aLooserErrorNeverTakesMore();
    void whatWasMeasuredCounts();
    void bytesAreThoseOfRows();
    void whatCannotBeIsSaid();
};

void TestQuantisationChoice::differencesByHand()
{
    Matrix rows(2, 3), others(1, 3);
    const float ofRows[] = {1, 2, 3, 10, 0, 0}, ofOthers[] = {1, 1, 1};
    std::ranges::copy(ofRows, rows.values.begin());
    std::ranges::copy(ofOthers, others.values.begin());
    InBlocks exact(rows, 512), changed(others, 512);
    const std::vector<double> weights{1, 4, 0.25};
    // (1 + 5 - 2, 2 - 2, 3 - 2) and (1, 2, 3).
    const std::vector<SparseWeights> first{{{0, 1}, {1, 0.5}, 2}, {{0}, {1}, 1}};
    const std::vector<SparseWeights> second{{{0}, {2}, 1}, {}};
    const auto errors = addedErrors({exact, first}, {changed, second}, {weights}, {});
    QCOMPARE(errors.size(), std::size_t{2});
    QCOMPARE(errors[0], std::sqrt(16 + 0 + 0.25));
    QCOMPARE(errors[1], std::sqrt(1 + 16 + 9 * 0.25));
}

void TestQuantisationChoice::differencesForAnyBlocksAndThreads()
{
    const PulseCase pulse;
    const auto choice = chooseQuantisation(pulse.within(1e-3));
    const auto expected = pulse.errorsOf(choice, 4096, 1);
    QVERIFY(pulse.errorsOf(choice, 512, 3) == expected);
    QVERIFY(pulse.errorsOf(choice, 1024, 2) == expected);
}

void TestQuantisationChoice::whatIsForetoldIsMeasured_data()
{
    QTest::addColumn<double>("allowed");
    for (const double allowed : {0.03, 3e-3, 3e-4, 3e-5})
        QTest::addRow("%g", allowed) << allowed;
}

void TestQuantisationChoice::whatIsForetoldIsMeasured()
{
    QFETCH(double, allowed);
    const PulseCase pulse;
    const auto choice = chooseQuantisation(pulse.within(allowed));
    QVERIFY(choice.modes > 0);
    QCOMPARE(choice.tolerances.size(), choice.modes);
    const auto errors = pulse.errorsOf(choice, 4096, 1);
    const double worst = std::ranges::max(errors);
    QVERIFY2(worst < 1.2 * allowed && worst > 0.3 * allowed,
             qPrintable(QString::number(worst / allowed)));
}

void TestQuantisationChoice::moreErrorTakesFewerBytes()
{
    const PulseCase pulse;
    double before = 0;
    std::size_t modesBefore = 0;
    for (const double allowed : {0.1, 0.01, 1e-3, 1e-4, 1e-5}) {
        const auto choice = chooseQuantisation(pulse.within(allowed));
        QVERIFY(choice.bytes > before);
        QVERIFY(choice.modes >= modesBefore);
        before = choice.bytes;
        modesBefore = choice.modes;
    }
    // Float32 of as many modes.
    QVERIFY(before < 0.6 * sizeof(float) * valuesThere * static_cast<double>(modesBefore));
}

/// However little looser it is.
void TestQuantisationChoice::aLooserErrorNeverTakesMore()
{
    const PulseCase pulse;
    double before = std::numeric_limits<double>::infinity();
    for (double allowed = 1e-4; allowed < 0.05; allowed *= 1.07) {
        const auto choice = chooseQuantisation(pulse.within(allowed));
        QVERIFY2(choice.bytes <= before, qPrintable(QString::number(allowed)));
        before = choice.bytes;
    }
}

/// Codes that add four times the square that is foretold, at all fields or at one.
void TestQuantisationChoice::whatWasMeasuredCounts()
{
    const PulseCase pulse;
    auto of = pulse.within(1e-3);
    const auto before = chooseQuantisation(of);
    for (const std::size_t fields : {fieldsThere, std::size_t{1}}) {
        std::vector<double> corrections(fieldsThere, 1.0);
        std::fill_n(corrections.begin(), fields, 4.0);
        of.corrections = corrections;
        const auto after = chooseQuantisation(of);
        QVERIFY(after.modes > 0 && after.bytes >= before.bytes);
        QVERIFY(fields == 1 || after.bytes > before.bytes);
        const auto squares = squaresByCodes(of, after);
        for (std::size_t j = 0; j < fieldsThere; ++j) {
            double square = of.errors[j] * of.errors[j] + corrections[j] * squares[j];
            for (std::size_t m = after.modes; m < of.modes; ++m)
                square += of.coefficients[j * of.modes + m] * of.coefficients[j * of.modes + m];
            QVERIFY(square <= (1 + 1e-9) * of.allowed * of.allowed);
        }
    }
    const std::vector<double> few{1.0};
    of.corrections = few;
    GRIDHELM_EXPECT_ERROR(chooseQuantisation(of));
}

void TestQuantisationChoice::bytesAreThoseOfRows()
{
    const PulseCase pulse;
    const auto choice = chooseQuantisation(pulse.within(1e-3));
    const double bytes = pulse.bytesOf(choice);
    QVERIFY(bytes <= choice.bytes);
    QVERIFY(bytes > 0.8 * choice.bytes);
}

void TestQuantisationChoice::whatCannotBeIsSaid()
{
    const PulseCase pulse;
    QCOMPARE(chooseQuantisation(pulse.within(1e-9)).modes, std::size_t{0});
    auto all = pulse.within(0.1);
    all.fewest = all.modes;
    QCOMPARE(chooseQuantisation(all).modes, all.modes);
    auto wrong = pulse.within(0.1);
    wrong.coefficients = wrong.coefficients.first(3);
    GRIDHELM_EXPECT_ERROR(chooseQuantisation(wrong));
    Matrix rows(2, 3), others(2, 4);
    InBlocks exact(rows, 512), changed(others, 512);
    const std::vector<double> weights{1, 1, 1};
    const std::vector<SparseWeights> one{{{0}, {1.0}, 1}}, bad{{{2}, {1.0}, 1}};
    GRIDHELM_EXPECT_ERROR(addedErrors({exact, one}, {changed, one}, {weights}, {}));
    GRIDHELM_EXPECT_ERROR(addedErrors({exact, bad}, {exact, one}, {weights}, {}));
    GRIDHELM_EXPECT_ERROR(addedErrors({exact, one}, {exact, {}}, {weights}, {}));
}

GRIDHELM_TEST(TestQuantisationChoice)
#include "tst_quantisation_choice.moc"
