// SPDX-License-Identifier: GPL-3.0-or-later
//
// A grid of vectors equals one scalar grid per column.
#include "core/linalg/combination.h"

#include "core/sparse/reference/literal.h"
#include "core/sparse/weight_evaluator.h"
#include "tests/core/backends.h"
#include "tests/core/closeness.h"
#include "tests/core/expect_error.h"
#include "tests/core/random_grids.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::linalg;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

using enum BoundaryTreatment;

/// A matrix with random values and a gap behind every row that nobody may read.
template <typename T>
class Matrix
{
public:
    Matrix(Random &random, std::size_t rows, std::size_t columns, std::size_t stride)
        : m_values(rows * stride, gap)
        , m_rows(rows)
        , m_columns(columns)
        , m_stride(stride)
    {
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t c = 0; c < columns; ++c)
                m_values[r * stride + c] = static_cast<T>(random.real(-1, 1));
        }
    }

    MatrixView<const T> view() const { return {m_values.data(), m_rows, m_columns, m_stride}; }

    std::vector<T> column(std::size_t c) const
    {
        std::vector<T> result;
        for (std::size_t r = 0; r < m_rows; ++r)
            result.push_back(m_values[r * m_stride + c]);
        return result;
    }

private:
    static constexpr T gap = T(12345);
    std::vector<T> m_values;
    std::size_t m_rows, m_columns, m_stride;
};

template <typename T>
Matrix<T> randomMatrix(Random &random, const SparseGrid &grid, std::size_t columns)
{
    const auto stride = columns + (random.chance(0.5) ? random.index(9) : 0);
    return Matrix<T>(random, grid.points(), columns, stride);
}

/// Odd numbers of columns, from one to several SIMD registers.
std::size_t randomColumns(Random &random)
{
    constexpr std::size_t choices[] = {1, 2, 3, 5, 7, 8, 13, 16, 17, 31, 37};
    return choices[random.index(std::size(choices))];
}

SparseWeights weightsAt(const SparseGrid &grid, std::span<const double> x)
{
    WeightEvaluator evaluator(grid);
    for (int t = 0; t < grid.dimension(); ++t)
        evaluator.setCoordinate(t, x[static_cast<std::size_t>(t)]);
    return evaluator.weights();
}

/// A combination sums `rows` products; in another order, or with fused multiply-adds, the sum
/// differs by a few eps of the sum of magnitudes, which |A| <= 1 and the weights bound.
template <typename T>
double combinationTolerance(const SparseGrid &grid, const SparseWeights &weights)
{
    double sum = 0;
    for (double weight : weights.weights)
        sum += std::abs(weight);
    return interpolationTolerance<T>(grid, std::max(1.0, sum));
}

/// Runs check.operator()<float>(threads) and so on as the row says.
void addTypeAndThreadRows()
{
    QTest::addColumn<bool>("isFloat");
    QTest::addColumn<int>("threads");
    QTest::newRow("float, 1 thread") << true << 1;
    QTest::newRow("float, 2 threads") << true << 2;
    QTest::newRow("double, 1 thread") << false << 1;
    QTest::newRow("double, 2 threads") << false << 2;
}

void addBackendRows()
{
    QTest::addColumn<QString>("backend");
    for (const char *backend :
         {"reference", "omp, 1 thread", "omp, 2 threads", "omp, 3 devices", "cuda"})
        QTest::addRow("%s", backend) << QString(backend);
}

template <typename Check>
void checkTypeAndThreads(Check check)
{
    QFETCH(bool, isFloat);
    QFETCH(int, threads);
    if (isFloat)
        check.template operator()<float>(threads);
    else
        check.template operator()<double>(threads);
}

} // namespace

class VectorGridTest : public QObject
{
    Q_OBJECT

private slots:
    void weightedRowsEqualScalarInterpolation_data() { addTypeAndThreadRows(); }
    void weightedRowsEqualScalarInterpolation();
    void columnRangesEqualTheWhole_data() { addTypeAndThreadRows(); }
    void columnRangesEqualTheWhole();
    void listedColumnsEqualTheWhole_data() { addTypeAndThreadRows(); }
    void listedColumnsEqualTheWhole();
    void wideMatrices_data() { addTypeAndThreadRows(); }
    void wideMatrices();
    void noWeightsGiveZero_data() { addTypeAndThreadRows(); }
    void noWeightsGiveZero();

    void backEndsCombineAlike_data() { addBackendRows(); }
    void backEndsCombineAlike();
    void loadedMatricesCombineAlike_data() { addBackendRows(); }
    void loadedMatricesCombineAlike();
    void weightsAreAscendingAndNonzero();
    void weightsByHand();
    void movedCoordinatesEqualFreshOnes();
    void levelPrefixEqualsTheSmallerGrid();
    void wrongSizesAreErrors();
    void coordinatesOutsideTheCubeAreErrors();
};

void VectorGridTest::weightedRowsEqualScalarInterpolation()
{
    checkTypeAndThreads([]<typename T>(int threads) {
        Random random(3);
        for (int i = 0; i < 80; ++i) {
            const auto grid = randomGrid(random, 8, 1'000);
            const auto matrix = randomMatrix<T>(random, *grid, randomColumns(random));
            const auto columns = matrix.view().columns;
            const auto x = randomPoints<T>(random, *grid, 1);
            const auto weights = weightsAt(*grid, std::vector<double>(x.begin(), x.end()));
            const T unset = std::numeric_limits<T>::quiet_NaN();
            std::vector<T> y(columns, unset), indicator(columns, unset);
            combine<T>(weights, matrix.view(), 0, y, indicator, CpuDevice{threads});
            std::vector<T> onlyValues(columns, unset);
            combine<T>(weights, matrix.view(), 0, onlyValues, {}, CpuDevice{threads});

            std::vector<T> expected, expectedIndicator;
            for (std::size_t c = 0; c < columns; ++c) {
                const auto sum = reference::interpolate<T>(*grid, matrix.column(c), x);
                expected.push_back(sum.value);
                expectedIndicator.push_back(std::abs(sum.lastGroup));
            }
            const double tolerance = combinationTolerance<T>(*grid, weights);
            GRIDHELM_COMPARE_CLOSE(y, expected, tolerance, describe(*grid));
            GRIDHELM_COMPARE_CLOSE(indicator, expectedIndicator, tolerance, describe(*grid));
            GRIDHELM_COMPARE_CLOSE(onlyValues, expected, tolerance, describe(*grid));
        }
    });
}

void VectorGridTest::backEndsCombineAlike()
{
    QFETCH(QString, backend);
    if (const auto reason = reasonToSkip(backend); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    const auto made = makeBackend(backend);
    Random random(8);
    for (int i = 0; i < 40; ++i) {
        const auto grid = randomGrid(random, 6, 600);
        const auto matrix = randomMatrix<float>(random, *grid, randomColumns(random));
        const auto columns = matrix.view().columns;
        const auto x = randomPoints<float>(random, *grid, 1);
        const auto weights = weightsAt(*grid, std::vector<double>(x.begin(), x.end()));
        const auto first = random.index(columns);
        std::vector<float> y(columns - first), indicator(columns - first), expected,
            expectedIndicator;
        std::vector<std::uint32_t> listed;
        for (auto c = first; c < columns; ++c) {
            const auto sum = reference::interpolate<float>(*grid, matrix.column(c), x);
            expected.push_back(sum.value);
            expectedIndicator.push_back(std::abs(sum.lastGroup));
            listed.push_back(static_cast<std::uint32_t>(c));
        }
        const double tolerance = combinationTolerance<float>(*grid, weights);
        const auto rows = made->loadVectors(matrix.view());
        rows->combine(weights, first, y, indicator);
        GRIDHELM_COMPARE_CLOSE(y, expected, tolerance, describe(*grid));
        GRIDHELM_COMPARE_CLOSE(indicator, expectedIndicator, tolerance, describe(*grid));
        std::vector<float> ofList(y.size());
        rows->combineColumns(weights, listed, ofList, {});
        GRIDHELM_COMPARE_CLOSE(ofList, expected, tolerance, describe(*grid));
        GRIDHELM_EXPECT_ERROR(rows->combine(weights, first + 1, y, {}));
        listed.back() = static_cast<std::uint32_t>(columns);
        GRIDHELM_EXPECT_ERROR(rows->combineColumns(weights, listed, ofList, {}));
    }
}

void VectorGridTest::loadedMatricesCombineAlike()
{
    // One matrix, several parameters, so that rows are named again, and new ones beside them.
    QFETCH(QString, backend);
    if (const auto reason = reasonToSkip(backend); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    const auto made = makeBackend(backend);
    Random random(9);
    for (int i = 0; i < 10; ++i) {
        const auto grid = randomGrid(random, 6, 600);
        const auto matrix = randomMatrix<float>(random, *grid, randomColumns(random));
        const auto view = matrix.view();
        const auto loaded = made->loadVectors(view);
        for (int k = 0; k < 5; ++k) {
            const auto x = randomPoints<double>(random, *grid, 1);
            const auto weights = weightsAt(*grid, x);
            const double tolerance = combinationTolerance<float>(*grid, weights);
            const auto first = random.index(view.columns);
            std::vector<std::uint32_t> listed;
            for (auto c = first; c < view.columns; c += 3)
                listed.push_back(static_cast<std::uint32_t>(c));
            const auto size = view.columns - first;
            std::vector<float> y(size), indicator(size), expected(size), expectedIndicator(size);
            combine<float>(weights, view, first, expected, expectedIndicator, CpuDevice{1});
            loaded->combine(weights, first, y, indicator);
            GRIDHELM_COMPARE_CLOSE(y, expected, tolerance, describe(*grid));
            GRIDHELM_COMPARE_CLOSE(indicator, expectedIndicator, tolerance, describe(*grid));
            std::vector<float> ofList(listed.size()), indicatorOfList(listed.size());
            loaded->combineColumns(weights, listed, ofList, indicatorOfList);
            for (std::size_t c = 0; c < listed.size(); ++c) {
                QVERIFY(std::abs(ofList[c] - expected[3 * c]) <= tolerance);
                QVERIFY(std::abs(indicatorOfList[c] - expectedIndicator[3 * c]) <= tolerance);
            }
            GRIDHELM_EXPECT_ERROR(loaded->combine(weights, first + 1, y, {}));
            listed.back() = static_cast<std::uint32_t>(view.columns);
            GRIDHELM_EXPECT_ERROR(loaded->combineColumns(weights, listed, ofList, {}));
        }
    }
    const std::vector<float> four(4);
    const MatrixView<const float> overlapping{four.data(), 3, 2, 1};
    GRIDHELM_EXPECT_ERROR(made->loadVectors(overlapping));
}

void VectorGridTest::columnRangesEqualTheWhole()
{
    checkTypeAndThreads([]<typename T>(int threads) {
        Random random(4);
        for (int i = 0; i < 80; ++i) {
            const auto grid = randomGrid(random, 5, 500);
            const auto columns = 1 + random.index(100);
            const auto matrix = randomMatrix<T>(random, *grid, columns);
            const auto x = randomPoints<double>(random, *grid, 1);
            const auto weights = weightsAt(*grid, x);
            std::vector<T> whole(columns), wholeIndicator(columns);
            combine<T>(weights, matrix.view(), 0, whole, wholeIndicator, CpuDevice{threads});

            const auto first = random.index(columns);
            const auto count = random.index(columns - first + 1); // maybe none
            std::vector<T> part(count), partIndicator(count);
            combine<T>(weights, matrix.view(), first, part, partIndicator, CpuDevice{threads});
            const auto begin = static_cast<std::ptrdiff_t>(first);
            const auto end = static_cast<std::ptrdiff_t>(first + count);
            const double tolerance = combinationTolerance<T>(*grid, weights);
            GRIDHELM_COMPARE_CLOSE(part,
                                   (std::vector<T>{whole.begin() + begin, whole.begin() + end}),
                                   tolerance, describe(*grid));
            GRIDHELM_COMPARE_CLOSE(
                partIndicator,
                (std::vector<T>{wholeIndicator.begin() + begin, wholeIndicator.begin() + end}),
                tolerance, describe(*grid));
        }
    });
}

void VectorGridTest::listedColumnsEqualTheWhole()
{
    checkTypeAndThreads([]<typename T>(int threads) {
        Random random(5);
        for (int i = 0; i < 80; ++i) {
            const auto grid = randomGrid(random, 5, 500);
            const auto columns = 1 + random.index(60);
            const auto matrix = randomMatrix<T>(random, *grid, columns);
            const auto x = randomPoints<double>(random, *grid, 1);
            const auto weights = weightsAt(*grid, x);
            std::vector<T> whole(columns), wholeIndicator(columns);
            combine<T>(weights, matrix.view(), 0, whole, wholeIndicator, CpuDevice{threads});

            // In any order, some of them twice.
            std::vector<std::uint32_t> listed(random.index(50));
            std::vector<T> expected, expectedIndicator;
            for (auto &column : listed) {
                column = static_cast<std::uint32_t>(random.index(columns));
                expected.push_back(whole[column]);
                expectedIndicator.push_back(wholeIndicator[column]);
            }
            std::vector<T> y(listed.size()), indicator(listed.size()), onlyValues(listed.size());
            combineColumns<T>(weights, matrix.view(), listed, y, indicator, CpuDevice{threads});
            combineColumns<T>(weights, matrix.view(), listed, onlyValues, {}, CpuDevice{threads});
            const double tolerance = combinationTolerance<T>(*grid, weights);
            GRIDHELM_COMPARE_CLOSE(y, expected, tolerance, describe(*grid));
            GRIDHELM_COMPARE_CLOSE(indicator, expectedIndicator, tolerance, describe(*grid));
            GRIDHELM_COMPARE_CLOSE(onlyValues, expected, tolerance, describe(*grid));
        }
    });
}

void VectorGridTest::wideMatrices()
{
    // Wide enough to be cut into portions for caches and threads.
    checkTypeAndThreads([]<typename T>(int threads) {
        Random random(6);
        const SparseGrid grid(GridShape(2, 3, {}, {modified, boundary}));
        constexpr std::size_t columns = 40'009;
        const Matrix<T> matrix(random, grid.points(), columns, columns + 7);
        const auto x = std::vector<T>{T(0.3), T(0.9)};
        const auto weights = weightsAt(grid, std::vector<double>(x.begin(), x.end()));
        std::vector<T> y(columns), indicator(columns);
        combine<T>(weights, matrix.view(), 0, y, indicator, CpuDevice{threads});
        const double tolerance = combinationTolerance<T>(grid, weights);

        std::vector<std::uint32_t> listed(3'001);
        std::vector<T> expected, expectedIndicator, some(3'001), someIndicator(3'001);
        for (auto &column : listed) {
            column = static_cast<std::uint32_t>(random.index(columns));
            expected.push_back(y[column]);
            expectedIndicator.push_back(indicator[column]);
        }
        combineColumns<T>(weights, matrix.view(), listed, some, someIndicator, CpuDevice{threads});
        GRIDHELM_COMPARE_CLOSE(some, expected, tolerance, "listed columns");
        GRIDHELM_COMPARE_CLOSE(someIndicator, expectedIndicator, tolerance, "listed columns");

        for (std::size_t c = 0; c < columns; c += c < 300 || c > columns - 300 ? 1 : 97) {
            const auto coefficients = matrix.column(c);
            const auto sum = reference::interpolate<T>(grid, coefficients, x);
            QVERIFY(std::abs(static_cast<double>(y[c] - sum.value)) <= tolerance);
            QVERIFY(std::abs(static_cast<double>(indicator[c] - std::abs(sum.lastGroup)))
                    <= tolerance);
        }
    });
}

void VectorGridTest::noWeightsGiveZero()
{
    checkTypeAndThreads([]<typename T>(int threads) {
        Random random(7);
        const SparseGrid grid(GridShape(2, 3, zero));
        const Matrix<T> matrix(random, grid.points(), 21, 21);
        const auto weights = weightsAt(grid, std::vector{0.0, 0.4}); // all functions vanish here
        QVERIFY(weights.rows.empty());
        std::vector<T> y(21, T(1)), indicator(21, T(1));
        combine<T>(weights, matrix.view(), 0, y, indicator, CpuDevice{threads});
        QCOMPARE(y, std::vector<T>(21));
        QCOMPARE(indicator, std::vector<T>(21));
        const std::vector<std::uint32_t> listed{4, 20, 0};
        std::vector<T> some(3, T(1)), someIndicator(3, T(1));
        combineColumns<T>(weights, matrix.view(), listed, some, someIndicator, CpuDevice{threads});
        QCOMPARE(some, std::vector<T>(3));
        QCOMPARE(someIndicator, std::vector<T>(3));
    });
}

void VectorGridTest::weightsAreAscendingAndNonzero()
{
    Random random(8);
    for (int i = 0; i < 100; ++i) {
        const auto grid = randomGrid(random, 8, 2'000);
        const auto weights = weightsAt(*grid, randomPoints<double>(random, *grid, 1));
        QCOMPARE(weights.rows.size(), weights.weights.size());
        QVERIFY(std::ranges::is_sorted(weights.rows, std::less_equal<>())
                || weights.rows.size() < 2);
        QVERIFY(std::ranges::adjacent_find(weights.rows) == weights.rows.end());
        QVERIFY(std::ranges::none_of(weights.weights, [](double w) { return w == 0; }));
        const auto firstOfLastGroup =
            std::ranges::lower_bound(weights.rows, grid->groupFirstPoint(grid->groups() - 1));
        QCOMPARE(weights.lastGroupBegin,
                 static_cast<std::size_t>(firstOfLastGroup - weights.rows.begin()));
    }
}

void VectorGridTest::weightsByHand()
{
    // At (3/8, 1/4): x has the hats 3/4 (1/2), 1/2 (1/4); y the end points 3/4, 1/4 and the hat
    // 1/2.
    const SparseGrid grid(GridShape(2, 2, {2, 1}, {zero, boundary}));
    const auto weights = weightsAt(grid, std::vector{0.375, 0.25});
    // Blocks (0,-1), (0,0), (1,-1) [x = 1/4: 0, 1; x = 3/4: 0, 1], (1,0).
    QCOMPARE(weights.rows, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 7}));
    QCOMPARE(weights.weights, (std::vector<double>{0.5625, 0.1875, 0.375, 0.375, 0.125, 0.25}));
    QCOMPARE(weights.lastGroupBegin, std::size_t{3});
}

void VectorGridTest::movedCoordinatesEqualFreshOnes()
{
    Random random(9);
    for (int i = 0; i < 60; ++i) {
        const auto grid = randomGrid(random, 8, 1'000);
        WeightEvaluator moving(*grid);
        auto x = randomPoints<double>(random, *grid, 1);
        for (int t = 0; t < grid->dimension(); ++t)
            moving.setCoordinate(t, x[static_cast<std::size_t>(t)]);
        for (int move = 0; move < 10; ++move) {
            const int t = random.integer(0, grid->dimension() - 1);
            x[static_cast<std::size_t>(t)] = randomCoordinate<double>(random, *grid, t);
            moving.setCoordinate(t, x[static_cast<std::size_t>(t)]);
            const auto result = moving.weights(), expected = weightsAt(*grid, x);
            QVERIFY2(result.rows == expected.rows, describe(*grid).c_str());
            QVERIFY2(result.weights == expected.weights, describe(*grid).c_str());
            QCOMPARE(result.lastGroupBegin, expected.lastGroupBegin);
        }
    }
}

void VectorGridTest::levelPrefixEqualsTheSmallerGrid()
{
    Random random(10);
    for (int i = 0; i < 60; ++i) {
        const auto grid = randomGrid(random, 7, 1'500);
        const auto x = randomPoints<double>(random, *grid, 1);
        WeightEvaluator evaluator(*grid);
        for (int t = 0; t < grid->dimension(); ++t)
            evaluator.setCoordinate(t, x[static_cast<std::size_t>(t)]);
        for (int groups = 1; groups <= grid->groups(); ++groups) {
            const auto levels = grid->levelVectors().first(
                grid->groupFirstBlock(groups) * static_cast<std::size_t>(grid->dimension()));
            const auto grouping = groups == grid->groups() ? grid->grouping() : Grouping::levelSums;
            const auto expected =
                weightsAt(SparseGrid(grid->treatments(), levels, grid->dense(), {}, grouping), x);
            const auto result = evaluator.weights(groups);
            QVERIFY2(result.rows == expected.rows, describe(*grid).c_str());
            QVERIFY2(result.weights == expected.weights, describe(*grid).c_str());
            QCOMPARE(result.lastGroupBegin, expected.lastGroupBegin);
        }
        QCOMPARE(evaluator.weights().rows, evaluator.weights(grid->groups()).rows);
    }
}

void VectorGridTest::wrongSizesAreErrors()
{
    const SparseGrid grid(GridShape(2, 3, modified));
    const auto rows = static_cast<std::size_t>(grid.points());
    const auto weights = weightsAt(grid, std::vector{0.9, 0.9});
    std::vector<double> values(rows * 5), y(5), two(2);
    const MatrixView<const double> read{values.data(), rows, 5, 5},
        readTooShort{values.data(), 1, 5, 5};
    combine<double>(weights, read, 0, y, {}, CpuDevice{1});
    GRIDHELM_EXPECT_ERROR(
        combine<double>(weights, read, 1, y, {}, CpuDevice{1})); // beyond the last column
    GRIDHELM_EXPECT_ERROR(combine<double>(weights, read, 6, {}, {}, CpuDevice{1}));
    GRIDHELM_EXPECT_ERROR(
        combine<double>(weights, read, 0, y, two, CpuDevice{1})); // half an indicator
    GRIDHELM_EXPECT_ERROR(
        combine<double>(weights, readTooShort, 0, y, {}, CpuDevice{1})); // rows are missing
    const std::vector<std::uint32_t> good{0, 4}, bad{0, 5}, one{0};
    combineColumns<double>(weights, read, good, two, {}, CpuDevice{1});
    GRIDHELM_EXPECT_ERROR(combineColumns<double>(weights, read, bad, two, {}, CpuDevice{1}));
    GRIDHELM_EXPECT_ERROR(combineColumns<double>(weights, read, one, two, {}, CpuDevice{1}));
    GRIDHELM_EXPECT_ERROR(combineColumns<double>(weights, read, good, two, y, CpuDevice{1}));
    GRIDHELM_EXPECT_ERROR(
        combineColumns<double>(weights, readTooShort, good, two, {}, CpuDevice{1}));
}

void VectorGridTest::coordinatesOutsideTheCubeAreErrors()
{
    const SparseGrid grid(GridShape(2, 3, modified));
    WeightEvaluator evaluator(grid);
    for (double bad : {-0x1p-60, 1 + 0x1p-52, std::numeric_limits<double>::quiet_NaN()})
        GRIDHELM_EXPECT_ERROR(evaluator.setCoordinate(1, bad));
}

GRIDHELM_TEST(VectorGridTest)
#include "tst_vector_grid.moc"
