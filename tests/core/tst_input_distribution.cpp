// SPDX-License-Identifier: GPL-3.0-or-later
//
// Distributions of parameters, the points that are drawn from them, and what becomes of responses
// and fields.
#include "core/answers/input_distribution.h"

#include "core/answers/joint_inputs.h"
#include "core/answers/sample_points.h"
#include "core/answers/uncertainty.h"
#include "tests/core/answers_cases.h"
#include "tests/core/expect_error.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <set>

using namespace gridhelm;
using namespace gridhelm::answers;
using namespace gridhelm::test;

namespace {

double meanBy(const Measure &measure, const std::function<double(double)> &function)
{
    double sum = 0;
    for (std::size_t i = 0; i < measure.nodes.size(); ++i)
        sum += measure.weights[i] * function(measure.nodes[i]);
    return sum;
}

Parameter speed()
{
    return {"speed", "m/s", 10, 30};
}

double spearman(std::vector<double> a, std::vector<double> b)
{
    const auto ranks = [](const std::vector<double> &values) {
        std::vector<std::size_t> order(values.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
        std::vector<double> rank(values.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            rank[order[i]] = static_cast<double>(i);
        return rank;
    };
    a = ranks(a);
    b = ranks(b);
    const auto n = static_cast<double>(a.size());
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        squares += (a[i] - b[i]) * (a[i] - b[i]);
    return 1 - 6 * squares / (n * (n * n - 1));
}

} // namespace

class InputDistributionTest : public QObject
{
    Q_OBJECT

private slots:
    void measuresHaveTheMomentsOfTheirDistributions_data();
    void measuresHaveTheMomentsOfTheirDistributions();
    void quantilesAndMeasuresAgree_data();
    void quantilesAndMeasuresAgree();
    void whatLeavesTheRangeIsRefused();
    void scrambledPointsFillEveryCell();
    void rankCorrelationsAreMet();
    void contradictingCorrelationsAreRefused();
    void samplesOfOneFileStayTogether();
    void whatGoesTogetherIsSaidOnce();
    void measuresOfPolynomialsAreExact();
    void linearResponsesOfNormalInputsAreNormal();
    void exceedanceHasItsInterval();
    void mapsAreTheSpreadOfEachNode();
    void mapsThatNeedTooMuchAreRefused();
};

void InputDistributionTest::measuresHaveTheMomentsOfTheirDistributions_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("mean"); // of the value
    QTest::addColumn<double>("variance");
    QTest::newRow("uniform") << "uniform" << 20.0 << 400.0 / 12;
    QTest::newRow("part") << "uniform(12,18)" << 15.0 << 3.0;
    const double length = std::log(3.0); // of 10 to 30
    QTest::newRow("loguniform") << "loguniform" << 20 / length
                                << 400 / length - std::pow(20 / length, 2);
    QTest::newRow("normal") << "normal(20,1.5)" << 20.0 << 2.25;
    QTest::newRow("triangular") << "triangular(12,14,22)" << 16.0
                                << (144.0 + 196 + 484 - 12 * 14 - 12 * 22 - 14 * 22) / 18;
    QTest::newRow("beta") << "beta(2,3)" << 10 + 20 * 0.4 << 400 * 0.04;
    QTest::newRow("lognormal") << "lognormal(3,0.05)" << std::exp(3 + 0.00125)
                               << (std::exp(0.0025) - 1) * std::exp(6 + 0.0025);
}

void InputDistributionTest::measuresHaveTheMomentsOfTheirDistributions()
{
    QFETCH(QString, text);
    QFETCH(double, mean);
    QFETCH(double, variance);
    const auto input = InputDistribution::parse(text.toStdString(), speed());
    for (const std::size_t cells : {1, 16}) {
        const auto measure = input.measure(cells);
        const auto value = [](double x) { return 10 + 20 * x; };
        QVERIFY(std::abs(meanBy(measure, [](double) { return 1; }) - 1) <= 1e-13);
        QVERIFY(std::abs(meanBy(measure, value) - mean) <= 1e-7 * mean);
        const auto square = [&](double x) { return std::pow(value(x) - mean, 2); };
        QVERIFY(std::abs(meanBy(measure, square) - variance) <= 1e-5 * variance);
    }
}

void InputDistributionTest::quantilesAndMeasuresAgree_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isLogarithmic");
    for (const bool isLogarithmic : {false, true})
        for (const char *text : {"uniform", "loguniform", "loguniform(12,20)", "normal(20,3,15,30)",
                                 "triangular(10,25,30)", "beta(1,4)", "lognormal(3,0.1)"})
            QTest::addRow("%s%s", text, isLogarithmic ? ", logarithmic" : "")
                << QString(text) << isLogarithmic;
}

void InputDistributionTest::quantilesAndMeasuresAgree()
{
    QFETCH(QString, text);
    QFETCH(bool, isLogarithmic);
    auto parameter = speed();
    if (isLogarithmic)
        parameter.scale = ParameterScale::logarithmic;
    const auto input = InputDistribution::parse(text.toStdString(), parameter);
    const auto function = [](double x) { return std::exp(x) + std::sin(9 * x); };
    const int count = 20'000;
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += function(input.unitQuantile((i + 0.5) / count)) / count;
    QVERIFY(std::abs(meanBy(input.measure(8), function) - sum) <= 5e-6); // of the rule in u
}

void InputDistributionTest::whatLeavesTheRangeIsRefused()
{
    for (const char *text : {"normal(10,5)", "normal(20,-1)", "normal(20,1,5,25)", "uniform(5,15)",
                             "uniform(20,15)", "triangular(12,40,20)", "beta(0.5,1)", "gauss(1,2)",
                             "normal(20", "normal(20,x)", "", "lognormal(1,1)", "normal(20,nan)"})
        GRIDHELM_EXPECT_ERROR(InputDistribution::parse(text, speed()));
    QVERIFY(isRefused([] { InputDistribution::parse("normal(10,5)", speed()); }, "50 %"));
    const Parameter angle{"angle", "", -30, -10}, either{"angle", "", -5, 5};
    const auto isTooLow = [](const char *text, const Parameter &parameter) {
        return isRefused([&] { InputDistribution::parse(text, parameter); },
                         "its values are above 0");
    };
    QVERIFY(isTooLow("lognormal(0,1)", angle));
    QVERIFY(isRefused([&] { InputDistribution::parse("loguniform", either); }, "above 0"));
    GRIDHELM_EXPECT_ERROR(InputDistribution::parse("loguniform(5,15)", speed()));
    QVERIFY(isTooLow("lognormal(0,1,-20,-15)", angle));
    QVERIFY(isTooLow("lognormal(0,1,-3,-1)", either));
    QCOMPARE(InputDistribution::parse("lognormal(0,0.2)", either).quantile(0), 0.0);
    GRIDHELM_EXPECT_ERROR(InputDistribution::ofSamples({}, speed()));
    GRIDHELM_EXPECT_ERROR(InputDistribution::ofSamples({12, 40}, speed()));
    const auto samples = InputDistribution::ofSamples({12, 20, 14}, speed());
    QCOMPARE(samples.quantile(0.1), 12.0);
    QCOMPARE(samples.quantile(0.5), 14.0);
    QCOMPARE(samples.quantile(0.9), 20.0);
}

void InputDistributionTest::scrambledPointsFillEveryCell()
{
    const int dimension = 7;
    const std::size_t count = 256;
    std::set<double> firsts;
    for (const std::uint64_t seed : {1, 2, 3}) {
        const auto points = scrambledPoints(count, dimension, seed);
        firsts.insert(points.front());
        for (std::size_t t = 0; t < dimension; ++t) {
            std::set<int> cells;
            for (std::size_t i = 0; i < count; ++i)
                cells.insert(static_cast<int>(points[i * dimension + t] * count));
            QCOMPARE(cells.size(), count);
        }
    }
    QCOMPARE(firsts.size(), std::size_t{3});
    QVERIFY(isRefused([] { scrambledPoints(100'000'000'000'000, 10, 1); }, "take fewer samples"));
    GRIDHELM_EXPECT_ERROR(scrambledPoints(4, 0, 1));
}

void InputDistributionTest::rankCorrelationsAreMet()
{
    auto inputs = uniformInputs(unitSpace(3));
    inputs.distributions[1] = InputDistribution::parse("beta(2,5)", unitSpace(3)[1]);
    inputs.rankCorrelations = {1, 0.6, 0, 0.6, 1, -0.4, 0, -0.4, 1};
    const std::size_t count = 4096;
    const auto places = samplePlaces(inputs, count, 1);
    const auto column = [&](std::size_t t) {
        std::vector<double> values;
        for (std::size_t i = 0; i < count; ++i)
            values.push_back(places[i * 3 + t]);
        return values;
    };
    QVERIFY(std::abs(spearman(column(0), column(1)) - 0.6) <= 0.01);
    QVERIFY(std::abs(spearman(column(1), column(2)) + 0.4) <= 0.01);
    QVERIFY(std::abs(spearman(column(0), column(2))) <= 0.02);
}

void InputDistributionTest::contradictingCorrelationsAreRefused()
{
    auto inputs = uniformInputs(unitSpace(3));
    inputs.rankCorrelations = {1, 0.9, 0.9, 0.9, 1, -0.9, 0.9, -0.9, 1};
    GRIDHELM_EXPECT_ERROR(samplePlaces(inputs, 8, 1));
    inputs.rankCorrelations = {1, 2, 0, 2, 1, 0, 0, 0, 1};
    GRIDHELM_EXPECT_ERROR(samplePlaces(inputs, 8, 1));
    inputs.rankCorrelations = {1, 1, 0, 1, 1, 0, 0, 0, 1};
    QVERIFY(isRefused([&] { samplePlaces(inputs, 8, 1); }, "between -1 and 1"));
    inputs.rankCorrelations = {1, 0.5};
    GRIDHELM_EXPECT_ERROR(samplePlaces(inputs, 8, 1));
}

void InputDistributionTest::samplesOfOneFileStayTogether()
{
    const std::vector<double> first{0.1, 0.9, 0.2}, last{0.8, 0.5, 0.3};
    auto inputs = uniformInputs(unitSpace(3));
    addJointSamples(inputs, unitSpace(3), {{0, 2}, {first, last}});
    QVERIFY(!inputs.areIndependent());
    const auto places = samplePlaces(inputs, 3000, 5);
    std::vector<int> counts(3);
    double mean = 0;
    for (std::size_t i = 0; i < 3000; ++i) {
        const auto row =
            static_cast<std::size_t>(std::ranges::find(first, places[i * 3]) - first.begin());
        QVERIFY(row < 3);
        QCOMPARE(places[i * 3 + 2], last[row]);
        ++counts[row];
        mean += places[i * 3 + 1] / 3000;
    }
    for (const int count : counts)
        QVERIFY(std::abs(count - 1000) <= 10);
    QVERIFY(std::abs(mean - 0.5) <= 0.01); // which belongs to no row
}

void InputDistributionTest::whatGoesTogetherIsSaidOnce()
{
    const auto space = unitSpace(3);
    auto inputs = uniformInputs(space);
    addRankCorrelation(inputs, space, " x0 , x1 =0.5", "correlation");
    QCOMPARE(inputs.rankCorrelations, (std::vector<double>{1, 0.5, 0, 0.5, 1, 0, 0, 0, 1}));
    const auto refuses = [&](const char *typed, const char *why) {
        return isRefused([&] { addRankCorrelation(inputs, space, typed, "correlation"); }, why);
    };
    QVERIFY(refuses("x1,x0=0.2", "twice"));
    QVERIFY(refuses("x1,x1=0.2", "anyway"));
    QVERIFY(refuses("x0=0.2", "two parameters"));
    QVERIFY(refuses("x0,x2", "two parameters"));
    QVERIFY(refuses("x0,x2=much", "much"));
    QVERIFY(refuses("x0,z=0.1", "z"));
    const auto joins = [&](JointSamples samples, const char *why) {
        return isRefused([&] { addJointSamples(inputs, space, std::move(samples)); }, why);
    };
    QVERIFY(joins({{0, 2}, {{0.1, 0.2}, {0.3, 0.4}}}, "already"));
    addRankCorrelation(inputs, space, "x1,x2=0", "correlation");
    QVERIFY(refuses("x2,x1=0.3", "twice"));
    QCOMPARE(inputs.rankCorrelations[1 * 3 + 2], 0.0);
    QVERIFY(joins({{2}, {{}}}, "at least one"));
    QVERIFY(joins({{2}, {{1.5}}}, "range"));
    inputs.rankCorrelations.clear();
    QVERIFY(joins({{0, 2}, {{0.1, 0.2}, {0.3}}}, "as many"));
    auto none = uniformInputs(space);
    addRankCorrelation(none, space, "x0,x1=0", "correlation");
    QVERIFY(!none.areCorrelated() && none.areIndependent());
    addRankCorrelation(none, space, "x0,x2=0.1", "correlation");
    QVERIFY(none.areCorrelated() && !none.areIndependent());
    addJointSamples(inputs, space, {{0, 2}, {{0.1, 0.2}, {0.3, 0.4}}});
    QVERIFY(refuses("x0,x1=0.5", "row by row"));
    QVERIFY(joins({{1, 2}, {{0.1, 0.2}, {0.3, 0.4}}}, "already"));
    QCOMPARE(inputs.joint.size(), std::size_t{1});
}

void InputDistributionTest::measuresOfPolynomialsAreExact()
{
    const auto measure = uniformInputs(unitSpace(1)).distributions[0].measure(16, 127);
    for (int k = 0; k <= 126; k += 2) { // Chebyshev's polynomials, of which this is the mean
        double mean = 0;
        for (std::size_t i = 0; i < measure.nodes.size(); ++i)
            mean += measure.weights[i] * std::cos(k * std::acos(2 * measure.nodes[i] - 1));
        QVERIFY(std::abs(mean - 1.0 / (1 - k * k)) <= 1e-13);
    }
    const auto narrow = InputDistribution::parse("normal(0.5,1e-320)", unitSpace(1)[0]);
    QVERIFY(isRefused([&] { narrow.measure(16); }, "too narrow"));
}

void InputDistributionTest::linearResponsesOfNormalInputsAreNormal()
{
    const auto space = unitSpace(2);
    Inputs inputs;
    inputs.distributions = {InputDistribution::parse("normal(0.5,0.08)", space[0]),
                            InputDistribution::parse("normal(0.4,0.06)", space[1])};
    const auto model =
        interpolantOf([](std::span<const double> x) { return 2 * x[0] + 3 * x[1]; },
                      {2, 2, {}, std::vector(2, sparse::BoundaryTreatment::boundary)});
    const auto values = responsesAt(model, samplePlaces(inputs, 1 << 14, 1), wholeCpu());
    const double deviation = std::hypot(2 * 0.08, 3 * 0.06);
    const auto spread = spreadOf(values[0], std::vector{0.05, 0.5, 0.95}, 2.2 + deviation, 20);
    QVERIFY(std::abs(spread.mean - 2.2) <= 1e-3);
    QVERIFY(std::abs(spread.deviation - deviation) <= 1e-3);
    QVERIFY(std::abs(spread.percentiles[0] - (2.2 - 1.6449 * deviation)) <= 5e-3);
    QVERIFY(std::abs(spread.percentiles[2] - (2.2 + 1.6449 * deviation)) <= 5e-3);
    QVERIFY(std::abs(spread.above->share - 0.15866) <= 2e-3);
    QVERIFY(spread.above->low < 0.15866 && 0.15866 < spread.above->high);
    QCOMPARE(std::accumulate(spread.histogram.counts.begin(), spread.histogram.counts.end(),
                             std::size_t{0}),
             std::size_t{1 << 14});
    GRIDHELM_EXPECT_ERROR(spreadOf({1.0}, {}, {}, 4));
}

void InputDistributionTest::exceedanceHasItsInterval()
{
    // Wilson's interval by its definition: |p - share| = z sqrt(p (1 - p) / n) at both ends.
    for (const auto &[count, of] : {std::pair<std::size_t, std::size_t>{3, 40}, {200, 400}}) {
        const auto p = proportionOf(count, of);
        const auto n = static_cast<double>(of);
        for (const double end : {p.low, p.high})
            QVERIFY(std::abs(std::abs(end - p.share)
                             - 1.959963984540054 * std::sqrt(end * (1 - end) / n))
                    <= 1e-12);
    }
    QCOMPARE(proportionOf(0, 10).low, 0.0);
    QVERIFY(proportionOf(0, 10).high > 0.2);
    QCOMPARE(proportionOf(10, 10).high, 1.0);
}

void InputDistributionTest::mapsAreTheSpreadOfEachNode()
{
    const auto model =
        interpolantOf(ishigami, {3, 4, {}, std::vector(3, sparse::BoundaryTreatment::modified)});
    const auto &surrogate = *model.parts()[0].surrogate;
    const auto places = samplePlaces(uniformInputs(unitSpace(3)), 300, 1);
    Random random(4);
    const std::size_t rows = surrogate.rows(), columns = 61;
    std::vector<float> matrix(rows * columns);
    for (auto &value : matrix)
        value = static_cast<float>(random.real(-1, 1));
    const std::vector shares{0.05, 0.5, 0.95};
    const auto maps = uncertaintyMaps(surrogate, {matrix.data(), rows, columns, columns}, places,
                                      shares, 0.1, wholeCpu());
    for (std::size_t n = 0; n < columns; n += 6) {
        std::vector<double> one;
        for (std::size_t b = 0; b < rows; ++b)
            one.push_back(static_cast<double>(matrix[b * columns + n]));
        const ResponseModel node({{model.parts()[0].surrogate, one}}, {0.0});
        const auto exact = spreadOf(responsesAt(node, places, wholeCpu())[0], shares, 0.1, 10);
        const auto isNear = [](float a, double b) {
            return std::abs(static_cast<double>(a) - b) <= 1e-5;
        };
        QVERIFY(isNear(maps.mean[n], exact.mean));
        QVERIFY(isNear(maps.deviation[n], exact.deviation));
        for (std::size_t s = 0; s < shares.size(); ++s)
            QVERIFY(isNear(maps.percentiles[s][n], exact.percentiles[s]));
        QVERIFY(std::abs(static_cast<double>(maps.above[n]) - exact.above->share) <= 0.004);
    }
    GRIDHELM_EXPECT_ERROR(uncertaintyMaps(surrogate, {matrix.data(), rows, columns, columns},
                                          std::span(places).first(3), shares, {}, wholeCpu()));
    GRIDHELM_EXPECT_ERROR(uncertaintyMaps(surrogate, {matrix.data(), rows, columns, columns},
                                          places, std::vector{0.5, 0.1}, {}, wholeCpu()));
}

/// Each of 16,384 places names 1,024 rows that no other one does: of all of them these are 1 TB.
void InputDistributionTest::mapsThatNeedTooMuchAreRefused()
{
    constexpr std::size_t count = 16'384, each = 1024;
    class Wide final : public Surrogate
    {
    public:
        int dimension() const override { return 1; }
        int groups() const override { return 1; }
        std::uint64_t rows(int) const override { return count * each; }
        std::uint64_t activeRows(int) const override { return each; }
        SparseWeights weights(std::span<const double> x, int, OutOfRange) const override
        {
            SparseWeights weights;
            const auto place = static_cast<std::size_t>(x[0] * static_cast<double>(count));
            for (std::size_t k = 0; k < each; ++k) {
                weights.rows.push_back(place * each + k);
                weights.weights.push_back(1);
            }
            return weights;
        }
        SparseWeights derivativeWeights(std::span<const double>, int, int,
                                        OutOfRange) const override
        {
            return {};
        }
    };
    const auto places = samplePlaces(uniformInputs(unitSpace(1)), count, 1);
    // Without columns no row is read.
    QVERIFY(isRefused(
        [&] {
            uncertaintyMaps(Wide(), {nullptr, count * each, 0, 0}, places, std::vector{0.5}, {},
                            wholeCpu());
        },
        "--modes"));
}

GRIDHELM_TEST(InputDistributionTest)
#include "tst_input_distribution.moc"
