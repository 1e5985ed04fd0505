// SPDX-License-Identifier: GPL-3.0-or-later
//
// Modes against Eigen's singular value decomposition of the whole weighted matrix, and against
// cases that can be done by hand.
#include "core/modes/modes.h"
#include "core/modes/panel_product.h"

#include "tests/core/expect_error.h"
#include "tests/core/modes_cases.h"
#include "tests/support/test_program.h"

#include <Eigen/SVD>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

using namespace gridhelm;
using namespace gridhelm::modes;
using namespace gridhelm::test;

namespace {

/// The weighted matrix, one snapshot in each column, and its decomposition, word by word.
struct Literal
{
    Eigen::MatrixXd matrix;
    Eigen::JacobiSVD<Eigen::MatrixXd> svd;

    Literal(const Matrix &snapshots, const std::vector<double> &weights)
        : matrix(static_cast<Eigen::Index>(snapshots.columns),
                 static_cast<Eigen::Index>(snapshots.rows))
    {
        for (std::size_t i = 0; i < snapshots.rows; ++i)
            for (std::size_t k = 0; k < snapshots.columns; ++k)
                matrix(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i)) =
                    std::sqrt(weights[k]) * static_cast<double>(snapshots(i, k));
        svd.compute(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
    }
    double value(std::size_t m) const { return svd.singularValues()[static_cast<Eigen::Index>(m)]; }
};

std::vector<double> ones(std::size_t count)
{
    return std::vector<double>(count, 1.0);
}

} // namespace

class ModesTest : public QObject
{
    Q_OBJECT

private slots:
    void panelsAreMultiplied();

    void agreeWithTheDecompositionOfTheWholeMatrix_data();
    void agreeWithTheDecompositionOfTheWholeMatrix();
    void areOrthonormal();
    void fewestAreKept_data();
    void fewestAreKept();
    void errorsAreThoseOfWhatIsWritten();
    void smallSingularValuesAreFoundToTheSmallestCut();

    void oneDirectionIsOneMode();
    void twoDirectionsAreTwoModes();
    void zerosHaveNone();
    void oneSnapshotIsItsOwnMode();
    void identicalSnapshotsAreOneMode();
    void nodesWithoutWeightDoNotCount();
    void componentsShareTheirNodesWeight();
    void signsAreSettled();

    void sameBitsForAnyThreadsAndBlocks();
    void twoPassesAreRead();
    void badInputIsRefused();
    void canBeStopped();

    void projectionsAreInnerProducts();
    void residualsAreWhatModesLack();
};

void ModesTest::panelsAreMultiplied()
{
    Random random(1);
    constexpr std::size_t depth = 7, stride = 31;
    const auto a = randomValues<double>(random, depth * panelWidth);
    const auto b = randomValues<double>(random, depth * panelWidth);
    const auto before = randomValues<double>(random, panelWidth * stride);
    auto c = before;
    multiplyPanels(a.data(), b.data(), depth, c.data(), stride);
    for (std::size_t i = 0; i < panelWidth; ++i) {
        for (std::size_t j = 0; j < stride; ++j) {
            double expected = before[i * stride + j];
            for (std::size_t k = 0; j < panelWidth && k < depth; ++k)
                expected += a[k * panelWidth + i] * b[k * panelWidth + j];
            QVERIFY(std::abs(c[i * stride + j] - expected) <= 1e-14);
        }
    }
}

void ModesTest::agreeWithTheDecompositionOfTheWholeMatrix_data()
{
    QTest::addColumn<int>("snapshots");
    QTest::addColumn<int>("values");
    // No multiples of panels, strips or blocks; and more snapshots than values.
    QTest::newRow("small") << 5 << 17;
    QTest::newRow("two panels") << 29 << 300;
    QTest::newRow("three blocks") << 50 << 1291;
    QTest::newRow("wide") << 40 << 11;
}

void ModesTest::agreeWithTheDecompositionOfTheWholeMatrix()
{
    QFETCH(int, snapshots);
    QFETCH(int, values);
    const auto matrix =
        pulses(static_cast<std::size_t>(snapshots), static_cast<std::size_t>(values));
    const auto weights = unevenWeights(matrix.columns);
    const auto whole = modesOf(matrix, weights);
    const Literal literal(matrix, weights);
    const auto &found = whole.modes;
    QVERIFY(found.count() > 2 && found.count() <= matrix.rows);
    const double first = found.singularValues[0];
    for (std::size_t m = 0; m < found.count(); ++m) {
        const double value = found.singularValues[m];
        // An eigenvalue of the Gram matrix is known to 1e-15 of the first.
        QVERIFY(std::abs(value - literal.value(m)) <= 1e-14 * first * first / value);
        // Vectors to as much over the distance of the values, and but for their signs.
        const auto column = static_cast<Eigen::Index>(m);
        const auto right = literal.svd.matrixV().col(column);
        double cosine = 0;
        for (std::size_t i = 0; i < matrix.rows; ++i)
            cosine += found.coefficients[i * found.count() + m] / value
                      * right[static_cast<Eigen::Index>(i)];
        QVERIFY2(std::abs(std::abs(cosine) - 1) <= 1e-8, std::to_string(cosine).c_str());
        double ofModes = 0;
        for (std::size_t k = 0; k < matrix.columns; ++k)
            ofModes += std::sqrt(weights[k]) * static_cast<double>(whole.values(m, k))
                       * literal.svd.matrixU()(static_cast<Eigen::Index>(k), column);
        QVERIFY2(std::abs(ofModes - (cosine > 0 ? 1 : -1)) <= 1e-6,
                 std::to_string(ofModes).c_str());
    }
    double energy = 0, cut = 0;
    for (Eigen::Index m = 0; m < literal.svd.singularValues().size(); ++m) {
        const double square = literal.svd.singularValues()[m] * literal.svd.singularValues()[m];
        energy += square;
        if (static_cast<std::size_t>(m) >= found.count())
            cut += square;
    }
    QVERIFY(std::abs(found.energy / energy - 1) <= 1e-13);
    QVERIFY(std::abs(found.cutEnergy - cut / energy) <= 1e-14);
    QVERIFY(found.cutEnergy <= 1e-9);
}

void ModesTest::areOrthonormal()
{
    const auto matrix = pulses(60, 777);
    const auto weights = unevenWeights(777);
    const auto whole = modesOf(matrix, weights);
    for (std::size_t m = 0; m < whole.modes.count(); ++m)
        for (std::size_t n = 0; n <= m; ++n)
            QVERIFY(std::abs(inner(whole.values, m, n, weights) - (m == n ? 1 : 0)) <= 1e-6);
    QVERIFY(std::ranges::is_sorted(whole.modes.singularValues, std::greater<>()));
}

void ModesTest::fewestAreKept_data()
{
    QTest::addColumn<double>("cut");
    for (const double cut : {1e-12, 1e-9, 1e-6, 1e-3, 0.3})
        QTest::newRow(std::to_string(std::log10(cut)).c_str()) << cut;
}

void ModesTest::fewestAreKept()
{
    QFETCH(double, cut);
    const auto matrix = pulses(40, 300);
    const auto weights = unevenWeights(300);
    ModesOptions options;
    options.cut = cut;
    const auto found = modesOf(matrix, weights, options).modes;
    QVERIFY(found.cutEnergy <= cut);
    const double last = found.singularValues.back();
    QVERIFY(found.cutEnergy + last * last / found.energy > cut);
    options.maxModes = found.count() - 1;
    if (options.maxModes > 0) {
        const auto fewer = modesOf(matrix, weights, options).modes;
        QCOMPARE(fewer.count(), options.maxModes);
        QVERIFY(fewer.cutEnergy > cut);
    }
}

void ModesTest::errorsAreThoseOfWhatIsWritten()
{
    const auto matrix = pulses(40, 1000);
    const auto weights = unevenWeights(1000);
    for (const double cut : {1e-12, 1e-6, 1e-2}) {
        ModesOptions options;
        options.cut = cut;
        const auto whole = modesOf(matrix, weights, options);
        const auto norms = leftOver(matrix, whole, weights);
        double energy = 0, largest = 0, sum = 0;
        for (std::size_t i = 0; i < matrix.rows; ++i)
            energy += inner(matrix, i, i, weights);
        const double rms = std::sqrt(energy / static_cast<double>(matrix.rows));
        for (std::size_t i = 0; i < matrix.rows; ++i) {
            QVERIFY(std::abs(whole.modes.errors[i] - norms[i] / rms) <= 1e-12);
            largest = std::max(largest, norms[i] / rms);
            sum += norms[i] * norms[i];
        }
        QVERIFY(std::abs(whole.modes.largestError - largest) <= 1e-12);
        QVERIFY(std::abs(whole.modes.meanError - std::sqrt(sum / energy)) <= 1e-12);
        // Of single values, also where they weigh nothing.
        double difference = 0;
        for (std::size_t i = 0; i < matrix.rows; ++i)
            for (std::size_t k = 0; k < matrix.columns; ++k)
                difference = std::max(difference, std::abs(leftOverAt(matrix, whole, i, k)));
        const double rmsOfValues = rms / std::sqrt(static_cast<double>(matrix.columns));
        QVERIFY(std::abs(whole.modes.largestDifference - difference / rmsOfValues) <= 1e-9);
        // What the eigenvalues say, and single precision of the modes.
        QVERIFY(whole.modes.meanError <= std::sqrt(cut) + 1e-6);
    }
}

void ModesTest::smallSingularValuesAreFoundToTheSmallestCut()
{
    // Orthogonal directions of known sizes; the last one is 1e-6 of the first: an energy of 1e-12.
    constexpr std::size_t count = 7, values = 64;
    Matrix matrix(count, values);
    for (std::size_t i = 0; i < count; ++i)
        matrix(i, 9 * i) = static_cast<float>(std::pow(10.0, -static_cast<double>(i)));
    ModesOptions options;
    options.cut = smallestCut;
    const auto found = modesOf(matrix, ones(values), options).modes;
    QCOMPARE(found.count(), std::size_t{6}); // 1e-6 squared is just what may be cut
    for (std::size_t m = 0; m < found.count(); ++m) {
        const double exact = static_cast<double>(matrix(m, 9 * m));
        QVERIFY(std::abs(found.singularValues[m] / exact - 1) <= 1e-3);
    }
    QVERIFY(std::abs(found.cutEnergy - 1e-12) <= 2e-14);
}

void ModesTest::oneDirectionIsOneMode()
{
    constexpr std::size_t values = 333;
    Matrix matrix(7, values);
    const auto weights = unevenWeights(values);
    double norm = 0, sizes = 0;
    for (std::size_t k = 0; k < values; ++k)
        norm += weights[k] * static_cast<double>(k % 5) * static_cast<double>(k % 5);
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        const double size = static_cast<double>(i) - 2; // one of them is 0
        sizes += size * size;
        for (std::size_t k = 0; k < values; ++k)
            matrix(i, k) = static_cast<float>(size * static_cast<double>(k % 5));
    }
    const auto whole = modesOf(matrix, weights);
    QCOMPARE(whole.modes.count(), std::size_t{1});
    QVERIFY(std::abs(whole.modes.singularValues[0] / std::sqrt(norm * sizes) - 1) <= 1e-14);
    // The last one is the largest, so it is positive.
    for (std::size_t i = 0; i < matrix.rows; ++i)
        QVERIFY(
            std::abs(whole.modes.coefficients[i] - (static_cast<double>(i) - 2) * std::sqrt(norm))
            <= 1e-12 * std::sqrt(norm));
    for (std::size_t k = 0; k < values; ++k)
        QVERIFY(std::abs(static_cast<double>(whole.values(0, k))
                         - static_cast<double>(k % 5) / std::sqrt(norm))
                <= 1e-8);
    QVERIFY(whole.modes.largestError <= 1e-7);
    QVERIFY(whole.modes.cutEnergy <= 1e-15);
}

void ModesTest::twoDirectionsAreTwoModes()
{
    // cos(t) f + sin(t) g of orthogonal f, g of norms 3 and 1, at both ends and in the middle of a
    // quarter: X^T X = [[9, 0, 9c], [0, 1, s], [9c, s, 9cc + ss]] with c = s = 1/sqrt(2).
    Matrix matrix(3, 2);
    matrix(0, 0) = 3;
    matrix(1, 1) = 1;
    matrix(2, 0) = 3;
    matrix(2, 1) = 1; // sqrt(2) times it
    const auto found = modesOf(matrix, ones(2)).modes;
    // Rows of the transpose: X X^T = [[18, 3], [3, 2]], whose eigenvalues are 10 +- sqrt(73).
    QCOMPARE(found.count(), std::size_t{2});
    QVERIFY(std::abs(found.singularValues[0] - std::sqrt(10 + std::sqrt(73.0))) <= 1e-14);
    QVERIFY(std::abs(found.singularValues[1] - std::sqrt(10 - std::sqrt(73.0))) <= 1e-14);
    QCOMPARE(found.energy, 20.0);
}

void ModesTest::zerosHaveNone()
{
    const auto whole = modesOf(Matrix(4, 10), ones(10));
    QCOMPARE(whole.modes.count(), std::size_t{0});
    QCOMPARE(whole.modes.energy, 0.0);
    QCOMPARE(whole.modes.cutEnergy, 0.0);
    QCOMPARE(whole.modes.largestError, 0.0);
    QCOMPARE(whole.modes.errors, std::vector<double>(4, 0.0));
}

void ModesTest::oneSnapshotIsItsOwnMode()
{
    Matrix matrix(1, 3);
    matrix(0, 0) = -2;
    matrix(0, 2) = 1;
    const auto whole = modesOf(matrix, {1, 5, 4});
    QCOMPARE(whole.modes.count(), std::size_t{1});
    QVERIFY(std::abs(whole.modes.singularValues[0] - std::sqrt(8.0)) <= 1e-15);
    QVERIFY(std::abs(whole.modes.coefficients[0] - std::sqrt(8.0)) <= 1e-15); // positive
    QCOMPARE(whole.values(0, 0), static_cast<float>(-2 / std::sqrt(8.0)));
    QCOMPARE(whole.values(0, 1), 0.0F);
    QCOMPARE(whole.values(0, 2), static_cast<float>(1 / std::sqrt(8.0)));
}

void ModesTest::identicalSnapshotsAreOneMode()
{
    const auto one = pulses(1, 400);
    Matrix matrix(30, 400);
    for (std::size_t i = 0; i < 30; ++i)
        for (std::size_t k = 0; k < 400; ++k)
            matrix(i, k) = one(0, k);
    const auto weights = unevenWeights(400);
    const auto found = modesOf(matrix, weights).modes;
    QCOMPARE(found.count(), std::size_t{1});
    for (std::size_t i = 0; i < 30; ++i)
        QVERIFY(std::abs(found.coefficients[i] / std::sqrt(inner(one, 0, 0, weights)) - 1)
                <= 1e-13);
    QVERIFY(found.largestError <= 1e-7);
}

void ModesTest::nodesWithoutWeightDoNotCount()
{
    auto matrix = pulses(10, 100);
    auto weights = unevenWeights(100);
    weights[13] = weights[99] = 0;
    const auto before = modesOf(matrix, weights).modes;
    for (std::size_t i = 0; i < 10; ++i)
        matrix(i, 13) = matrix(i, 99) = static_cast<float>(1000 * i);
    const auto after = modesOf(matrix, weights).modes;
    QCOMPARE(after.singularValues, before.singularValues);
    QCOMPARE(after.coefficients, before.coefficients);
    QVERIFY(std::abs(after.largestError - before.largestError) <= 1e-15);
}

void ModesTest::componentsShareTheirNodesWeight()
{
    const auto matrix = pulses(10, 120);
    const auto weights = unevenWeights(40);
    std::vector<double> ofValues;
    for (const double weight : weights)
        ofValues.insert(ofValues.end(), 3, weight);
    InBlocks blocks(matrix, 512);
    const auto shared = computeModes(blocks, {weights, 3}, {}, [](auto, auto) {});
    const auto found = modesOf(matrix, ofValues).modes;
    QCOMPARE(shared.singularValues, found.singularValues);
    QCOMPARE(shared.coefficients, found.coefficients);
}

void ModesTest::signsAreSettled()
{
    const auto matrix = pulses(25, 300);
    auto negative = matrix;
    for (auto &value : negative.values)
        value = -value;
    const auto found = modesOf(matrix, ones(300)), other = modesOf(negative, ones(300));
    const auto count = found.modes.count();
    for (std::size_t m = 0; m < count; ++m) {
        double largest = 0;
        for (std::size_t i = 0; i < matrix.rows; ++i) {
            const double one = found.modes.coefficients[i * count + m];
            if (std::abs(one) > std::abs(largest))
                largest = one;
        }
        QVERIFY(largest > 0);
    }
    // The same coefficients, so it is the modes that turn.
    QCOMPARE(other.modes.coefficients, found.modes.coefficients);
    for (std::size_t i = 0; i < found.values.values.size(); ++i)
        QCOMPARE(other.values.values[i], -found.values.values[i]);
}

void ModesTest::sameBitsForAnyThreadsAndBlocks()
{
    const auto matrix = pulses(70, 5000);
    const auto weights = unevenWeights(5000);
    const auto expected = modesOf(matrix, weights);
    for (const int threads : {2, 3, 5}) {
        for (const std::size_t columns : {std::size_t{256}, std::size_t{1024}, std::size_t{8192}}) {
            InBlocks blocks(matrix, columns);
            ModesOptions options;
            options.cpu = CpuDevice{threads};
            options.blockBytes = 70.0 * 4 * 600; // halves the largest blocks
            const auto whole = modesOf(blocks, weights, options);
            QVERIFY(whole.modes.singularValues == expected.modes.singularValues);
            QVERIFY(whole.modes.coefficients == expected.modes.coefficients);
            QVERIFY(whole.modes.errors == expected.modes.errors);
            QVERIFY(whole.values.values == expected.values.values);
        }
    }
}

void ModesTest::twoPassesAreRead()
{
    const auto matrix = pulses(10, 2000);
    InBlocks blocks(matrix, 512);
    modesOf(blocks, ones(2000));
    QCOMPARE(blocks.reads, 8);
}

void ModesTest::badInputIsRefused()
{
    const auto good = pulses(5, 50);
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        auto matrix = good;
        matrix(3, 17) = bad;
        GRIDHELM_EXPECT_ERROR(modesOf(matrix, ones(50)));
        auto weights = ones(50);
        weights[17] = 0;
        GRIDHELM_EXPECT_ERROR(modesOf(matrix, weights));
        SnapshotsInMemory rows(matrix.view()), modes(good.view());
        GRIDHELM_EXPECT_ERROR(projectOnModes(rows, modes, {ones(50)}, {}));
    }
    auto weights = ones(50);
    GRIDHELM_EXPECT_ERROR(modesOf(good, ones(49)));
    GRIDHELM_EXPECT_ERROR(modesOf(good, std::vector<double>(50, 0.0)));
    for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
        weights[4] = bad;
        GRIDHELM_EXPECT_ERROR(modesOf(good, weights));
    }
    for (const double cut : {-1.0, 0.0, 1e-13, 1.0, std::numeric_limits<double>::quiet_NaN()}) {
        ModesOptions options;
        options.cut = cut;
        GRIDHELM_EXPECT_ERROR(modesOf(good, ones(50), options));
    }
    GRIDHELM_EXPECT_ERROR(modesOf(Matrix(0, 50), ones(50)));
    SnapshotsInMemory rows(good.view());
    const auto shorter = pulses(2, 49);
    SnapshotsInMemory modes(shorter.view());
    GRIDHELM_EXPECT_ERROR(projectOnModes(rows, modes, {ones(50)}, {}));
}

void ModesTest::canBeStopped()
{
    const auto matrix = pulses(10, 2000);
    for (const int after : {1, 5}) { // in the first pass, in the second
        int calls = 0;
        ModesOptions options;
        options.progress = [&](double) { return ++calls < after; };
        QVERIFY(modesOf(matrix, ones(2000), options).modes.cancelled);
        QCOMPARE(calls, after);
    }
}

void ModesTest::projectionsAreInnerProducts()
{
    Random random(3);
    Matrix rows(30, 700), modes(5, 700);
    rows.values = randomValues<float>(random, rows.values.size());
    modes.values = randomValues<float>(random, modes.values.size());
    const auto weights = unevenWeights(700);
    InBlocks readRows(rows, 256), readModes(modes, 256);
    const auto projection = projectOnModes(readRows, readModes, {weights}, {});
    for (std::size_t i = 0; i < rows.rows; ++i) {
        for (std::size_t m = 0; m < modes.rows; ++m) {
            double sum = 0;
            for (std::size_t k = 0; k < rows.columns; ++k)
                sum +=
                    weights[k] * static_cast<double>(rows(i, k)) * static_cast<double>(modes(m, k));
            QVERIFY(std::abs(projection.coefficients[i * modes.rows + m] - sum) <= 1e-11);
        }
        QVERIFY(std::abs(projection.norms[i] - std::sqrt(inner(rows, i, i, weights))) <= 1e-11);
    }
}

void ModesTest::residualsAreWhatModesLack()
{
    const auto matrix = pulses(40, 900);
    const auto weights = unevenWeights(900);
    for (const double cut : {1e-9, 1e-4}) {
        ModesOptions options;
        options.cut = cut;
        auto whole = modesOf(matrix, weights, options);
        InBlocks rows(matrix, 512), modes(whole.values, 512);
        options.cpu = CpuDevice{3};
        const auto projection = projectOnModes(rows, modes, {weights}, options);
        const auto norms = leftOver(matrix, whole, weights);
        for (std::size_t i = 0; i < matrix.rows; ++i) {
            QVERIFY(projection.residuals[i] >= norms[i] * (1 - 1e-6));
            QVERIFY(projection.residuals[i] <= norms[i] + 2e-7 * projection.norms[i]);
        }
        // The coefficients of snapshots are those that the decomposition has, too.
        for (std::size_t i = 0; i < projection.coefficients.size(); ++i)
            QVERIFY(std::abs(projection.coefficients[i] - whole.modes.coefficients[i])
                    <= 1e-6 * whole.modes.singularValues[0]);
    }
}

GRIDHELM_TEST(ModesTest)
#include "tst_modes.moc"
