// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ranks of many columns at once, against sorting each; means and deviations against sums.
#include "core/answers/column_statistics.h"

#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::answers;
using namespace gridhelm::test;

namespace {

using Value = std::function<float(Random &random, std::size_t sample, std::size_t column)>;

std::vector<float> samplesOf(std::size_t count, const Value &value)
{
    Random random(11);
    std::vector<float> samples(count * blockColumns);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < blockColumns; ++j)
            samples[i * blockColumns + j] = value(random, i, j);
    return samples;
}

/// Of any sign, over 60 decades.
float ofAnySize(Random &random, std::size_t, std::size_t)
{
    const double size = std::pow(10, random.real(-30, 30));
    return static_cast<float>(random.real() < 0.5 ? -size : size);
}
float uniform(Random &random, std::size_t, std::size_t)
{
    return static_cast<float>(random.real(-1, 3));
}
float ofFewValues(Random &random, std::size_t, std::size_t column)
{
    return static_cast<float>(std::floor(random.real(0, 1 + static_cast<double>(column % 5))));
}
float constant(Random &, std::size_t, std::size_t column)
{
    return static_cast<float>(column) - 7;
}
float withOutliers(Random &random, std::size_t sample, std::size_t column)
{
    const float value = uniform(random, sample, column);
    return sample % 97 == 3 ? value * 1e30F : value;
}
float neighbours(Random &random, std::size_t, std::size_t)
{
    // Numbers with none between them.
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(1.0F)
                                + static_cast<std::uint32_t>(random.real(0, 5)));
}
float largest(Random &random, std::size_t, std::size_t)
{
    return (random.real() < 0.5 ? -1.0F : 1.0F) * std::numeric_limits<float>::max();
}

} // namespace

class ColumnStatisticsTest : public QObject
{
    Q_OBJECT

private slots:
    void ranksAreThoseOfSorting_data();
    void ranksAreThoseOfSorting();
    void momentsAreTheirSums();
    void whatIsNoNumberEnds();
};

void ColumnStatisticsTest::ranksAreThoseOfSorting_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("which");
    const std::pair<const char *, int> kinds[] = {
        {"uniform", 0},  {"of any size", 1}, {"of few values", 2}, {"constant", 3},
        {"outliers", 4}, {"neighbours", 5},  {"largest", 6}};
    for (const auto &[name, which] : kinds)
        for (const int count : {2, 3, 17, 1000})
            QTest::addRow("%d, %s", count, name) << count << which;
}

void ColumnStatisticsTest::ranksAreThoseOfSorting()
{
    QFETCH(int, count);
    QFETCH(int, which);
    const Value kinds[] = {uniform,      ofAnySize,  ofFewValues, constant,
                           withOutliers, neighbours, largest};
    const auto n = static_cast<std::size_t>(count);
    const auto samples = samplesOf(n, kinds[which]);
    const std::vector<std::size_t> ranks{0, n / 20, n / 2, n - 1 - n / 20, n - 1};
    ColumnStatistics statistics;
    columnStatistics(samples.data(), n, ranks, std::nullopt, statistics);
    for (std::size_t j = 0; j < blockColumns; ++j) {
        std::vector<float> column;
        for (std::size_t i = 0; i < n; ++i)
            column.push_back(samples[i * blockColumns + j]);
        std::ranges::sort(column);
        for (std::size_t r = 0; r < ranks.size(); ++r)
            QCOMPARE(statistics.ranks[r][j], column[ranks[r]]);
    }
}

void ColumnStatisticsTest::momentsAreTheirSums()
{
    const std::size_t count = 501;
    const auto samples = samplesOf(count, [](Random &random, std::size_t, std::size_t column) {
        return static_cast<float>(1000 * static_cast<double>(column) + random.real(-1, 1));
    });
    ColumnStatistics statistics;
    const double threshold = 3000.25;
    columnStatistics(samples.data(), count, {}, threshold, statistics);
    for (std::size_t j = 0; j < blockColumns; ++j) {
        double sum = 0, squares = 0, above = 0;
        for (std::size_t i = 0; i < count; ++i)
            sum += static_cast<double>(samples[i * blockColumns + j]);
        for (std::size_t i = 0; i < count; ++i) {
            const auto value = static_cast<double>(samples[i * blockColumns + j]);
            squares += std::pow(value - sum / count, 2);
            above += value > threshold ? 1 : 0;
        }
        QVERIFY(std::abs(statistics.mean[j] - sum / count) <= 1e-9);
        QVERIFY(std::abs(statistics.deviation[j] - std::sqrt(squares / (count - 1))) <= 1e-9);
        QCOMPARE(statistics.above[j], above);
    }
    QVERIFY(statistics.above[3] > 100 && statistics.above[3] < 400);
}

/// Fields of rows that are no numbers are refused elsewhere; here it only has to come to an end.
void ColumnStatisticsTest::whatIsNoNumberEnds()
{
    const auto samples = samplesOf(64, [](Random &random, std::size_t sample, std::size_t column) {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        const float odd[] = {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity};
        return sample % 5 == column % 5 ? odd[column % 3] : uniform(random, sample, column);
    });
    ColumnStatistics statistics;
    columnStatistics(samples.data(), 64, std::vector<std::size_t>{0, 5, 32, 63}, 0.5, statistics);
    QVERIFY(!std::isfinite(statistics.mean[0]));
}

GRIDHELM_TEST(ColumnStatisticsTest)
#include "tst_column_statistics.moc"
