// SPDX-License-Identifier: GPL-3.0-or-later
//
// Factoring and inverting, against the definitions, at sizes that are no multiple of anything.
#include "core/kriging/cholesky.h"

#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <vector>

using namespace gridhelm::kriging;
using namespace gridhelm::test;

namespace {

/// Columns one after the other, each a little longer than its entries.
struct Dense
{
    std::size_t rows, stride;
    std::vector<double> values;

    Dense(std::size_t rows_, std::size_t columns, double fill = 0)
        : rows(rows_)
        , stride(rows_ + 3)
        , values(stride * columns, fill)
    {
    }
    Block block() { return {values.data(), stride}; }
    double &operator()(std::size_t i, std::size_t j) { return values[i + j * stride]; }
};

Dense randomDense(Random &random, std::size_t rows, std::size_t columns)
{
    Dense result(rows, columns);
    for (double &value : result.values)
        value = random.real(-1, 1);
    return result;
}

/// a a^T + 0.1, symmetric and positive definite.
Dense randomPositive(Random &random, std::size_t size)
{
    Dense a = randomDense(random, size, size), result(size, size);
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j) {
            for (std::size_t p = 0; p < size; ++p)
                result(i, j) += a(i, p) * a(j, p);
            result(i, j) += i == j ? 0.1 : 0;
        }
    return result;
}

} // namespace

class CholeskyTest : public QObject
{
    Q_OBJECT

private slots:
    void productIsTheDefinition();
    void factorTimesItselfIsTheMatrix();
    void inverseTimesTheMatrixIsOne();
    void indefiniteMatricesAreFound();
};

void CholeskyTest::productIsTheDefinition()
{
    Random random(1);
    for (int k = 0; k < 60; ++k) {
        const std::size_t rows = random.index(70), columns = random.index(30),
                          depth = random.index(220);
        Dense a = randomDense(random, rows, depth), b = randomDense(random, columns, depth);
        Dense c = randomDense(random, rows, columns), before = c;
        const double sign = random.chance(0.5) ? 1 : -1;
        addProduct(sign, a.block(), b.block(), c.block(), rows, columns, depth);
        for (std::size_t j = 0; j < columns; ++j)
            for (std::size_t i = 0; i < c.stride; ++i) { // what is between columns stays
                double expected = before(i, j);
                for (std::size_t p = 0; i < rows && p < depth; ++p)
                    expected += sign * a(i, p) * b(j, p);
                QVERIFY(std::abs(c(i, j) - expected) < 1e-12);
            }
    }
}

void CholeskyTest::factorTimesItselfIsTheMatrix()
{
    Random random(2);
    for (const std::size_t size : {1U, 2U, 7U, 8U, 9U, 24U, 47U, 49U, 101U, 200U}) {
        Dense a = randomPositive(random, size), lower = a;
        QVERIFY(factor(lower.block(), size, 0));
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                double sum = 0;
                for (std::size_t p = 0; p <= j; ++p)
                    sum += lower(i, p) * lower(j, p);
                QVERIFY(std::abs(sum - a(i, j)) < 1e-12 * static_cast<double>(size + 10));
            }
    }
}

void CholeskyTest::inverseTimesTheMatrixIsOne()
{
    Random random(3);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (const std::size_t size : {1U, 2U, 8U, 9U, 23U, 48U, 50U, 97U, 161U}) {
        Dense a = randomPositive(random, size), lower = a;
        QVERIFY(factor(lower.block(), size, 0));
        Dense work(size, size, nan), inverse(size, size, nan);
        invertFactored(lower.block(), work.block(), inverse.block(), size);
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < size; ++j) {
                double sum = 0;
                for (std::size_t p = 0; p < size; ++p)
                    sum += (p < i ? inverse(i, p) : inverse(p, i)) * a(p, j);
                QVERIFY(std::abs(sum - (i == j ? 1 : 0)) < 1e-9);
            }
    }
}

void CholeskyTest::indefiniteMatricesAreFound()
{
    Random random(4);
    for (const std::size_t size : {1U, 8U, 9U, 60U}) {
        for (const std::size_t where : {std::size_t{0}, size / 2, size - 1}) {
            Dense a = randomPositive(random, size);
            a(where, where) = -0.5;
            QVERIFY(!factor(a.block(), size, 0));
            a(where, where) = std::numeric_limits<double>::quiet_NaN();
            QVERIFY(!factor(a.block(), size, 0));
        }
    }
    Dense identity(2, 2);
    identity(0, 0) = identity(1, 1) = 1;
    QVERIFY(!factor(identity.block(), 2, 1)); // the smallest pivot is not allowed itself
}

GRIDHELM_TEST(CholeskyTest)
#include "tst_cholesky.moc"
