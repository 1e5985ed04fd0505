// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values of double precision as numbers of single precision, and back.
#include "data/study/stored_values.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

std::vector<double> valuesOf(const Field &field, const std::vector<float> &numbers)
{
    std::vector<double> values;
    for (const float number : numbers)
        values.push_back(field.valueOf(number));
    return values;
}

Field fieldOf(std::size_t values, int components = 1)
{
    return {"p", "Pa", components, Association::point,
            values / static_cast<std::size_t>(components)};
}

} // namespace

class StoredValuesTest : public QObject
{
    Q_OBJECT

private slots:
    void whatVariesKeepsItsDigits_data();
    void whatVariesKeepsItsDigits();
    void singlePrecisionStaysAsItIs();
    void ordinaryValuesHaveNoOffset();
    void vectorsHaveNoOffset();
    void offsetsHaveFewDigits();
    void valuesThatAreNotFiniteStaySo();
    void anotherFieldsNumbersStandForTheSameValues();
};

void StoredValuesTest::whatVariesKeepsItsDigits_data()
{
    QTest::addColumn<double>("offset");
    QTest::addColumn<double>("range");
    QTest::newRow("ordinary") << 0.0 << 1.0;
    QTest::newRow("pressure") << 101325.0 << 1e-3;
    QTest::newRow("energy") << -76122.9981 << 1e-2;
    QTest::newRow("temperature") << 300.0 << 0.01;
    QTest::newRow("tiny") << 0.0 << 1e-50;
    QTest::newRow("tiny, nearly the same") << 1e-50 << 1e-56;
    QTest::newRow("huge") << 0.0 << 1e200;
    QTest::newRow("huge, nearly the same") << -1e200 << 1e195;
}

void StoredValuesTest::whatVariesKeepsItsDigits()
{
    QFETCH(double, offset);
    QFETCH(double, range);
    Random random(5);
    std::vector<double> values(1000);
    for (double &value : values)
        value = offset + range * random.real();
    auto field = fieldOf(values.size());
    const auto stored = valuesOf(field, storedValues(field, values));
    const double digits = std::abs(offset) * std::numeric_limits<double>::epsilon();
    for (std::size_t i = 0; i < values.size(); ++i)
        QVERIFY(std::abs(stored[i] - values[i]) <= 1e-6 * range + 4 * digits);
}

void StoredValuesTest::singlePrecisionStaysAsItIs()
{
    std::vector<double> values;
    for (int i = 0; i < 100; ++i)
        values.push_back(static_cast<double>(101325.0F + 0.25F * static_cast<float>(i % 7)));
    auto field = fieldOf(values.size());
    const auto numbers = storedValues(field, values);
    QVERIFY(field.isPlain());
    QVERIFY(std::ranges::equal(numbers, values,
                               [](float a, double b) { return static_cast<double>(a) == b; }));
}

void StoredValuesTest::ordinaryValuesHaveNoOffset()
{
    for (const double value : {0.1, -0.7, 12.3, 999.9}) { // of a first run, which is one number
        auto field = fieldOf(1);
        QCOMPARE(storedValues(field, std::vector{value}).front(), static_cast<float>(value));
        QVERIFY(field.isPlain());
    }
    std::vector<double> values; // of temperatures
    for (int i = 0; i <= 100; ++i)
        values.push_back(293.15 + 0.2 * i);
    auto field = fieldOf(values.size());
    storedValues(field, values);
    QVERIFY(field.isPlain());
}

void StoredValuesTest::vectorsHaveNoOffset()
{
    std::vector<double> values;
    for (int i = 0; i < 300; ++i)
        values.push_back(1e-50 * (1e5 + 0.1 * i));
    auto field = fieldOf(values.size(), 3);
    const auto stored = valuesOf(field, storedValues(field, values));
    QCOMPARE(field.offset, 0.0);
    for (std::size_t i = 0; i < values.size(); ++i)
        QVERIFY(std::abs(stored[i] - values[i]) <= 1e-7 * values[i]);
}

void StoredValuesTest::offsetsHaveFewDigits()
{
    auto field = fieldOf(3);
    storedValues(field, std::vector{101325.003, 101325.01, 101325.02});
    QCOMPARE(field.offset, 101325.0);
    storedValues(field, std::vector{101325.0, 101325.0, 101325.0}); // before anything has changed
    QCOMPARE(field.offset, 101325.0);
    storedValues(field, std::vector{-76123.4409, -76123.4454, -76123.4422});
    QCOMPARE(field.offset, -76123.44);
}

void StoredValuesTest::valuesThatAreNotFiniteStaySo()
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    auto field = fieldOf(3);
    const auto numbers = storedValues(field, std::vector{none, 101325.003, 101325.01});
    QVERIFY(std::isnan(numbers[0]));
    QCOMPARE(field.valueOf(numbers[1]), 101325.003);
    auto all = fieldOf(2);
    QVERIFY(std::isnan(storedValues(all, std::vector{none, none}).front()));
    QVERIFY(all.isPlain());
}

void StoredValuesTest::anotherFieldsNumbersStandForTheSameValues()
{
    auto field = fieldOf(3), other = fieldOf(3);
    storedValues(field, std::vector{101325.003, 101325.01, 101325.02});
    const std::vector values{101326.5, 101326.503, 101326.501};
    auto numbers = storedValues(other, values);
    QVERIFY(other.offset != field.offset);
    storeAs(field, other, numbers);
    for (std::size_t i = 0; i < values.size(); ++i)
        QVERIFY(std::abs(field.valueOf(numbers[i]) - values[i]) < 1e-6);
}

GRIDHELM_TEST(StoredValuesTest)
#include "tst_stored_values.moc"
