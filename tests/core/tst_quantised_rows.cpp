// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is stored in few bits is as near as was asked for, whatever the values; and combinations of
// such rows are those of the decoded ones.
#include "core/codec/quantised_row.h"

#include "core/sparse/backend.h"
#include "tests/core/backends.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/core/random_points.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::codec;
using namespace gridhelm::linalg;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

std::vector<float> decodedValues(const QuantisedRow &row)
{
    std::vector<float> values(row.values());
    row.decode(0, values);
    return values;
}

double largestChange(const std::vector<float> &values, const QuantisedRow &row)
{
    double largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        largest = std::max(
            largest, std::abs(static_cast<double>(values[i]) - static_cast<double>(row.value(i))));
    return largest;
}

std::size_t blocksOf(const QuantisedRow &row, CodeWidth width)
{
    return static_cast<std::size_t>(std::ranges::count(row.widths(), width));
}

/// Magnitudes change from block to block, so that all widths occur for a tolerance of 1e-3.
std::vector<float> valuesOfAllWidths(Random &random, std::size_t size)
{
    constexpr float magnitudes[] = {0, 5e-4F, 0.01F, 0.2F, 30, 1e4F};
    std::vector<float> values;
    for (std::size_t i = 0; i < size; ++i)
        values.push_back(magnitudes[i / quantisedBlock * 7 % std::size(magnitudes)]
                         * static_cast<float>(random.real(-1, 1)));
    return values;
}

std::vector<QuantisedRow> randomRows(Random &random, std::size_t rows, std::size_t columns)
{
    std::vector<QuantisedRow> result;
    for (std::size_t r = 0; r < rows; ++r)
        result.push_back(
            QuantisedRow::encode(valuesOfAllWidths(random, columns), 1e-3 * random.real(0.5, 2)));
    return result;
}

/// As surrogates give them: some rows; or all, named again for the indicator.
SparseWeights randomWeights(Random &random, std::size_t rows, bool areModes)
{
    SparseWeights weights;
    for (std::size_t pass = 0; pass < 2; ++pass) {
        if (pass == 1)
            weights.lastGroupBegin = weights.rows.size();
        for (std::size_t r = 0; r < rows; ++r) {
            if (!areModes && (r < rows / 2) != (pass == 0))
                continue;
            if (!areModes && random.chance(0.3))
                continue;
            weights.rows.push_back(r);
            weights.weights.push_back(random.real(-1, 1));
        }
    }
    return weights;
}

struct Result
{
    std::vector<float> values, indicator;
};

/// sum |w| |value|, which says how far float32's rounding may go.
float scaleOf(const SparseWeights &weights, const QuantisedRows &matrix, std::size_t column)
{
    float scale = 0;
    for (std::size_t i = 0; i < weights.rows.size(); ++i)
        scale += std::abs(static_cast<float>(weights.weights[i])
                          * matrix.rows[weights.rows[i]].value(column));
    return scale;
}

/// The first column at which results differ by more than rounding; as many as there are if none.
std::size_t firstDifference(const Result &result, const Result &expected,
                            const SparseWeights &weights, const QuantisedRows &matrix,
                            const std::vector<std::uint32_t> &columns)
{
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const float tolerance =
            8 * std::numeric_limits<float>::epsilon() * scaleOf(weights, matrix, columns[i]);
        if (!(std::abs(result.values[i] - expected.values[i]) <= tolerance)
            || !(std::abs(result.indicator[i] - expected.indicator[i]) <= tolerance))
            return i;
    }
    return columns.size();
}

} // namespace

class TestQuantisedRows : public QObject
{
    Q_OBJECT

private slots:
    void codesOfAHandfulOfValues();
    void everyValueIsWithinTheTolerance_data();
    void everyValueIsWithinTheTolerance();
    void whatNoWidthFitsIsExact();
    void fewBitsWhereTheToleranceAllows();
    void notFiniteIsRefused();
    void serialisedRowsAreTheSame();
    void damagedBytesAreRefused();
    void piecesPutTogetherAreTheWholeRow();
    void combinationsAreThoseOfDecodedRows_data();
    void combinationsAreThoseOfDecodedRows();
    void threadsShareLargeOnes();
    void whatDoesNotFitIsRefused();
};

void TestQuantisedRows::codesOfAHandfulOfValues()
{
    // A tolerance of 64/127 has steps of 1.
    const double tolerance = 0.5 / (1 - 1.0 / 128) + 1e-6;
    QVERIFY(std::abs(quantisationStep(tolerance) - 1) < 1e-5F);
    const std::vector<float> values{0, 1, -1, 3.4F, -6.6F, 7};
    const auto row = QuantisedRow::encode(values, tolerance);
    QCOMPARE(row.widths().size(), std::size_t{1});
    QCOMPARE(row.widths()[0], CodeWidth::nibble);
    QCOMPARE(row.bytes(), std::size_t{4 + 1 + 16});
    const std::vector<float> expected{0, 1, -1, 3, -7, 7};
    for (std::size_t i = 0; i < values.size(); ++i)
        QVERIFY(std::abs(row.value(i) - expected[i]) < 1e-3F);
    // Value 1 is the low half of the second byte: there is no value 17.
    QCOMPARE(std::to_integer<int>(row.codes(0)[1]), 1);
    QCOMPARE(std::to_integer<int>(row.codes(0)[2]), 15);
}

void TestQuantisedRows::everyValueIsWithinTheTolerance_data()
{
    QTest::addColumn<QString>("kind");
    for (const char *kind : {"zeros", "constant", "uniform", "20 decades", "tiny", "huge", "ties"})
        QTest::newRow(kind) << QString(kind);
}

void TestQuantisedRows::everyValueIsWithinTheTolerance()
{
    QFETCH(QString, kind);
    Random random(11);
    for (int repeat = 0; repeat < 40; ++repeat) {
        constexpr std::size_t sizes[] = {1, 5, 31, 32, 33, 63, 64, 100, 1024, 3001};
        std::vector<float> values(sizes[random.index(std::size(sizes))]);
        const double tolerance = std::pow(10, random.real(-9, 1));
        for (float &value : values) {
            const double sign = random.chance(0.5) ? 1 : -1;
            if (kind == "constant")
                value = 0.7F;
            else if (kind == "uniform")
                value = static_cast<float>(random.real(-1, 1));
            else if (kind == "20 decades")
                value = static_cast<float>(sign * std::pow(10, random.real(-10, 10)));
            else if (kind == "tiny")
                value = static_cast<float>(sign * std::pow(10, random.real(-44, -36)));
            else if (kind == "huge")
                value = static_cast<float>(sign * std::pow(10, random.real(36, 38.5)));
            else if (kind == "ties") // in the middle between two codes of up to 16 bits
                value =
                    (static_cast<float>(random.index(32767)) + 0.5F) * quantisationStep(tolerance);
        }
        const auto row = QuantisedRow::encode(values, tolerance);
        QVERIFY(row.tolerance() <= tolerance);
        QVERIFY(largestChange(values, row) <= row.tolerance());
        const auto exact = QuantisedRow::encode(values, 0);
        QCOMPARE(largestChange(values, exact), 0.0);
    }
}

void TestQuantisedRows::whatNoWidthFitsIsExact()
{
    std::vector<float> values(64, 0.0009F);
    values[40] = 1e7F;
    const auto row = QuantisedRow::encode(values, 1e-3);
    QCOMPARE(row.widths()[0], CodeWidth::none);
    QCOMPARE(row.widths()[1], CodeWidth::raw);
    QCOMPARE(row.value(40), 1e7F);
    QCOMPARE(row.value(41), 0.0009F);
}

void TestQuantisedRows::fewBitsWhereTheToleranceAllows()
{
    Random random(5);
    const auto row = QuantisedRow::encode(valuesOfAllWidths(random, 3200), 1e-3);
    for (const auto width : codeWidths)
        QVERIFY(blocksOf(row, width) >= 10);
    const auto zeros = QuantisedRow::encode(std::vector<float>(1000, 0.0F), 0);
    QCOMPARE(zeros.bytes(), std::size_t{4}); // that nothing is there
}

void TestQuantisedRows::notFiniteIsRefused()
{
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        std::vector<float> values(40, 1.0F);
        values[35] = bad;
        GRIDHELM_EXPECT_ERROR(QuantisedRow::encode(values, 0.1));
        GRIDHELM_EXPECT_ERROR(QuantisedRow::encode(values, 0));
        values[35] = 1;
        GRIDHELM_EXPECT_ERROR(QuantisedRow::encode(values, static_cast<double>(bad)));
    }
    GRIDHELM_EXPECT_ERROR(QuantisedRow::encode(std::vector<float>(3), -1e-9));
}

void TestQuantisedRows::serialisedRowsAreTheSame()
{
    Random random(7);
    for (const std::size_t size : {std::size_t{1}, std::size_t{32}, std::size_t{1077}}) {
        const auto row = QuantisedRow::encode(valuesOfAllWidths(random, size), 1e-3);
        const auto bytes = row.serialised();
        const auto again = QuantisedRow::fromBytes(bytes, size);
        QVERIFY(decodedValues(again) == decodedValues(row));
        QVERIFY(again.serialised() == bytes);
        QCOMPARE(again.tolerance(), row.tolerance());
    }
}

void TestQuantisedRows::damagedBytesAreRefused()
{
    Random random(7);
    const auto row = QuantisedRow::encode(valuesOfAllWidths(random, 100), 1e-3);
    const auto bytes = row.serialised();
    GRIDHELM_EXPECT_ERROR(QuantisedRow::fromBytes(bytes, 99));
    GRIDHELM_EXPECT_ERROR(QuantisedRow::fromBytes({}, 100));
    GRIDHELM_EXPECT_ERROR(QuantisedRow::fromBytes(std::span(bytes).first(bytes.size() - 1), 100));
    auto longer = bytes;
    longer.push_back({});
    GRIDHELM_EXPECT_ERROR(QuantisedRow::fromBytes(longer, 100));
    // Whatever else is changed, nothing outside is read.
    for (int repeat = 0; repeat < 2000; ++repeat) {
        auto damaged = bytes;
        damaged[random.index(std::min<std::size_t>(damaged.size(), 24))] =
            static_cast<std::byte>(random.index(256));
        try {
            static_cast<void>(decodedValues(QuantisedRow::fromBytes(damaged, 100)));
        } catch (const Error &) {
            continue;
        }
    }
}

void TestQuantisedRows::piecesPutTogetherAreTheWholeRow()
{
    Random random(9);
    const auto values = valuesOfAllWidths(random, 5000);
    const auto whole = QuantisedRow::encode(values, 1e-3);
    const auto all = std::span(values);
    QuantisedRow together;
    for (std::size_t begin = 0; begin < all.size(); begin += 2048)
        together.append(QuantisedRow::encode(
            all.subspan(begin, std::min<std::size_t>(2048, all.size() - begin)), 1e-3));
    QVERIFY(together.serialised() == whole.serialised());
    GRIDHELM_EXPECT_ERROR(together.append(whole)); // behind an end that is not whole
    auto some = QuantisedRow::encode(all.first(64), 1e-3);
    GRIDHELM_EXPECT_ERROR(some.append(QuantisedRow::encode(all.first(64), 2e-3)));
}

void TestQuantisedRows::combinationsAreThoseOfDecodedRows_data()
{
    QTest::addColumn<QString>("backend");
    for (const char *backend : {"omp, 1 thread", "omp, 2 threads", "omp, 3 devices", "cuda"})
        QTest::addRow("%s", backend) << QString(backend);
}

void TestQuantisedRows::combinationsAreThoseOfDecodedRows()
{
    QFETCH(QString, backend);
    if (const auto reason = reasonToSkip(backend); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    Random random(21);
    const auto reference = makeReferenceBackend();
    const auto tested = makeBackend(backend);
    for (int repeat = 0; repeat < 60; ++repeat) {
        constexpr std::size_t sizes[] = {1, 31, 32, 100, 577, 4096, 9001, 600'007};
        const auto columns = sizes[random.index(std::size(sizes))];
        const auto rows = randomRows(random, 1 + random.index(columns < 9000 ? 70 : 9), columns);
        const QuantisedRows matrix{rows, columns};
        const auto weights = randomWeights(random, rows.size(), random.chance(0.5));

        const auto first = random.index(columns), size = 1 + random.index(columns - first);
        std::vector<std::uint32_t> wanted;
        for (std::size_t i = 0; i < size; ++i)
            wanted.push_back(static_cast<std::uint32_t>(first + i));
        const auto fast = tested->loadQuantised(matrix), literal = reference->loadQuantised(matrix);
        Result result{std::vector<float>(size), std::vector<float>(size)}, expected = result;
        fast->combine(weights, first, result.values, result.indicator);
        literal->combine(weights, first, expected.values, expected.indicator);
        QCOMPARE(firstDifference(result, expected, weights, matrix, wanted), size);
        std::vector<float> alone(size);
        fast->combine(weights, first, alone, {});
        QVERIFY(alone == result.values);

        std::ranges::reverse(wanted);
        fast->combineColumns(weights, wanted, result.values, result.indicator);
        literal->combineColumns(weights, wanted, expected.values, expected.indicator);
        QCOMPARE(firstDifference(result, expected, weights, matrix, wanted), size);
    }
}

void TestQuantisedRows::threadsShareLargeOnes()
{
    Random random(4);
    constexpr std::size_t columns = 100'003, first = 1'500, size = columns - 2'000;
    const auto rows = randomRows(random, 24, columns);
    const QuantisedRows matrix{rows, columns};
    const auto weights = randomWeights(random, rows.size(), true);
    std::vector<float> one(size), three(size), indicator(size);
    combine(weights, matrix, first, one, {}, CpuDevice{1});
    combine(weights, matrix, first, three, indicator, CpuDevice{3});
    QVERIFY(three == one);
    const auto literal = makeReferenceBackend()->loadQuantised(matrix);
    std::vector<float> expected(size);
    literal->combine(weights, first, expected, {});
    for (std::size_t i = 0; i < size; ++i)
        QVERIFY(std::abs(three[i] - expected[i]) <= 16 * std::numeric_limits<float>::epsilon()
                                                        * scaleOf(weights, matrix, first + i));
}

void TestQuantisedRows::whatDoesNotFitIsRefused()
{
    Random random(3);
    const auto rows = randomRows(random, 3, 100);
    const QuantisedRows matrix{rows, 100};
    std::vector<float> y(50);
    for (const char *name : {"reference", "omp, 1 thread", "omp, 3 devices", "cuda"}) {
        if (!reasonToSkip(name).isEmpty())
            continue;
        const auto backend = makeBackend(name);
        const auto evaluator = backend->loadQuantised(matrix);
        GRIDHELM_EXPECT_ERROR(evaluator->combine({}, 51, y, {}));
        GRIDHELM_EXPECT_ERROR(evaluator->combine({{3}, {1.0}, 1}, 0, y, {}));
        GRIDHELM_EXPECT_ERROR(evaluator->combine({}, 0, y, std::span(y).first(3)));
        const std::vector<std::uint32_t> columns{0, 100};
        GRIDHELM_EXPECT_ERROR(evaluator->combineColumns({}, columns, std::span(y).first(2), {}));
        evaluator->combine({}, 0, y, {});
        QVERIFY(std::ranges::all_of(y, [](float value) { return value == 0; }));
    }
}

GRIDHELM_TEST(TestQuantisedRows)
#include "tst_quantised_rows.moc"
