// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which parameters explain measurements: best fits, posteriors against closed forms, and whether
// posteriors are as sure as they say (simulation-based calibration, [Talts2018]).
#include "core/answers/convergence.h"
#include "core/answers/posterior.h"

#include "tests/core/answers_cases.h"
#include "tests/core/expect_error.h"
#include "tests/core/random.h"
#include "tests/core/sanitized.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::answers;
using namespace gridhelm::test;
using sparse::BoundaryTreatment;

namespace {

double normal(Random &random)
{
    return std::sqrt(-2 * std::log(1 - random.real()))
           * std::cos(2 * std::numbers::pi * random.real());
}

/// Several functions on one grid, each a response.
std::shared_ptr<const ResponseModel> responsesOf(const std::vector<UnitFunction> &functions,
                                                 int dimension, int level)
{
    const sparse::GridShape shape(
        dimension, level, {},
        std::vector(static_cast<std::size_t>(dimension), BoundaryTreatment::boundary));
    std::vector<ResponseModel> models;
    for (const auto &function : functions)
        models.push_back(interpolantOf(function, shape));
    std::vector<double> rows;
    for (std::size_t b = 0; b < models[0].parts()[0].rows.size(); ++b)
        for (const auto &model : models)
            rows.push_back(model.parts()[0].rows[b]);
    return std::make_shared<ResponseModel>(
        std::vector<ResponseModel::Part>{{models[0].parts()[0].surrogate, rows}},
        std::vector<double>(functions.size(), 0.0));
}

MeasuredGroup groupOf(const std::shared_ptr<const ResponseModel> &model, std::vector<double> values,
                      double deviation)
{
    const auto count = values.size();
    return {model,
            std::vector<std::optional<double>>(static_cast<std::size_t>(model->dimension())),
            std::move(values),
            std::vector<double>(count, deviation),
            {}};
}

/// Two parameters, seen by three linear sensors.
const std::array<std::array<double, 2>, 3> linearSensors{{{1, 0.5}, {-0.3, 1}, {0.8, 0.8}}};

std::shared_ptr<const ResponseModel> linearModel()
{
    std::vector<UnitFunction> functions;
    for (const auto &sensor : linearSensors)
        functions.emplace_back(
            [sensor](std::span<const double> x) { return sensor[0] * x[0] + sensor[1] * x[1]; });
    return responsesOf(functions, 2, 2);
}

/// chi-square's upper tail with 9 degrees of freedom at 0.01.
constexpr double chiSquare9 = 21.666;

} // namespace

class MatchingTest : public QObject
{
    Q_OBJECT

private slots:
    void bestFitsOfLinearModelsAreLeastSquares();
    void knownParametersAreHeld();
    void severalSensorsFindTheTruth();
    void faceOfTheCubeIsNotLeft();
    void bestFitIsInsideOfThePriorsEnds();
    void whatDataCannotTellIsSaid();
    void linearGaussianPosteriorsAreClosedForms();
    void bimodalPosteriorsHaveBothModes();
    void bananasHaveTheirMoments();
    void chainsThatDisagreeAreSaid();
    void effectiveSamplesOfKnownChains();
    void posteriorsAreCalibrated();
    void badMeasurementsAreRefused();
};

void MatchingTest::bestFitsOfLinearModelsAreLeastSquares()
{
    const Matching matching({groupOf(linearModel(), {0.8, 0.5, 0.9}, 0.1)});
    const auto fit = bestFit(matching);
    // Normal equations of the two parameters.
    double a = 0, b = 0, c = 0, p = 0, q = 0;
    const std::array values{0.8, 0.5, 0.9};
    for (std::size_t i = 0; i < 3; ++i) {
        a += linearSensors[i][0] * linearSensors[i][0];
        b += linearSensors[i][0] * linearSensors[i][1];
        c += linearSensors[i][1] * linearSensors[i][1];
        p += linearSensors[i][0] * values[i];
        q += linearSensors[i][1] * values[i];
    }
    const double x = (c * p - b * q) / (a * c - b * b), y = (a * q - b * p) / (a * c - b * b);
    QVERIFY(std::abs(fit.x[0] - x) <= 1e-9 && std::abs(fit.x[1] - y) <= 1e-9);
    QCOMPARE(fit.startsThatAgree, fit.starts);
    QCOMPARE(fit.isDetermined, std::vector<bool>(2, true));
    QVERIFY(std::abs(fit.chiSquare + 2 * matching.logLikelihood(fit.x)) <= 1e-12);
}

void MatchingTest::knownParametersAreHeld()
{
    // The same sensor, at two known values of the second parameter.
    const auto model =
        responsesOf({[](std::span<const double> x) { return x[0] * (1 + x[1]); }}, 2, 3);
    auto early = groupOf(model, {0.6 * 1.25}, 0.01), late = groupOf(model, {0.6 * 1.75}, 0.01);
    early.known[1] = 0.25;
    late.known[1] = 0.75;
    const Matching matching({early, late});
    QCOMPARE(matching.unknowns(), std::vector<std::size_t>{0});
    const auto fit = bestFit(matching);
    QVERIFY(std::abs(fit.x[0] - 0.6) <= 1e-9);
    QVERIFY(fit.chiSquare <= 1e-12);
}

void MatchingTest::severalSensorsFindTheTruth()
{
    std::vector<UnitFunction> functions;
    for (int k = 0; k < 50; ++k)
        functions.emplace_back([k](std::span<const double> x) {
            return std::exp(-std::pow(x[0] - 0.02 * k, 2) / 0.08) + x[1] * std::sin(0.3 * k)
                   + 0.2 * x[2] * x[0] * std::cos(0.7 * k);
        });
    const auto model = responsesOf(functions, 3, 5);
    const std::vector truth{0.37, 0.81, 0.22};
    std::vector<double> values(50);
    model->values(truth, values);
    const Matching matching({groupOf(model, values, 0.01)});
    const auto fit = bestFit(matching);
    for (std::size_t t = 0; t < 3; ++t)
        QVERIFY(std::abs(fit.x[t] - truth[t]) <= 1e-6);
    // From the truth's neighbourhood, as while a value is dragged.
    const auto again = bestFit(matching, 1, 1, std::vector{0.4, 0.8, 0.2});
    QCOMPARE(again.starts, std::size_t{1});
    QVERIFY(std::abs(again.x[0] - truth[0]) <= 1e-6);
}

void MatchingTest::faceOfTheCubeIsNotLeft()
{
    const Matching matching({groupOf(linearModel(), {4, 0.5, 3}, 0.1)});
    const auto fit = bestFit(matching);
    QCOMPARE(fit.x[0], 1.0);
    QVERIFY(fit.x[1] >= 0 && fit.x[1] <= 1);
    // There the other one is best by itself.
    auto beside = fit.x;
    for (const double step : {-1e-4, 1e-4}) {
        beside[1] = std::clamp(fit.x[1] + step, 0.0, 1.0);
        QVERIFY(-2 * matching.logLikelihood(beside) >= fit.chiSquare);
    }
}

void MatchingTest::bestFitIsInsideOfThePriorsEnds()
{
    const Matching matching({groupOf(linearModel(), {0.8, 0.5, 0.9}, 0.1)});
    auto prior = uniformInputs(unitSpace(2));
    prior.distributions[0] = InputDistribution::parse("uniform(0.1,0.2)", unitSpace(2)[0]);
    QVERIFY(bestFit(matching).x[0] > 0.3);
    const auto fit = bestFit(matching, 8, 1, {}, boxOf(prior));
    QCOMPARE(fit.x[0], 0.2);
    QVERIFY(fit.x[1] > 0 && fit.x[1] < 1);
    GRIDHELM_EXPECT_ERROR(bestFit(Matching({groupOf(linearModel(), {1e300, 0.5, 0.9}, 1e-10)})));
}

void MatchingTest::whatDataCannotTellIsSaid()
{
    const auto model = responsesOf({[](std::span<const double> x) { return x[0] + x[1]; },
                                    [](std::span<const double> x) { return x[2]; }},
                                   3, 2);
    const auto fit = bestFit(Matching({groupOf(model, {1.0, 0.3}, 0.01)}));
    QCOMPARE(fit.isDetermined, (std::vector<bool>{false, false, true}));
    const auto blunt = bestFit(Matching({groupOf(model, {1.0, 0.3}, 50)}));
    QCOMPARE(blunt.isDetermined, std::vector<bool>(3, false));
}

void MatchingTest::linearGaussianPosteriorsAreClosedForms()
{
    // Sharp enough that the prior's ends are far away.
    const double sigma = 0.05;
    const Matching matching({groupOf(linearModel(), {0.75, 0.35, 0.8}, sigma)});
    PosteriorOptions options;
    options.samples = 60'000;
    options.cpu = wholeCpu();
    const auto posterior = samplePosterior(matching, uniformInputs(unitSpace(2)), options);
    double a = 0, b = 0, c = 0;
    for (const auto &sensor : linearSensors) {
        a += sensor[0] * sensor[0] / (sigma * sigma);
        b += sensor[0] * sensor[1] / (sigma * sigma);
        c += sensor[1] * sensor[1] / (sigma * sigma);
    }
    const auto fit = bestFit(matching);
    const std::array deviations{std::sqrt(c / (a * c - b * b)), std::sqrt(a / (a * c - b * b))};
    QVERIFY(posterior.hasConverged);
    double covariance = 0;
    for (std::size_t i = 0; i < posterior.values[0].size(); ++i)
        covariance += (posterior.values[0][i] - posterior.means[0])
                      * (posterior.values[1][i] - posterior.means[1])
                      / static_cast<double>(posterior.values[0].size());
    for (std::size_t t = 0; t < 2; ++t) {
        const double error = deviations[t] / std::sqrt(posterior.effective[t]);
        QVERIFY(std::abs(posterior.means[t] - fit.x[t]) <= 5 * error);
        QVERIFY(std::abs(posterior.deviations[t] / deviations[t] - 1) <= 0.05);
        QVERIFY(posterior.rHats[t] < 1.01);
        QVERIFY(posterior.leftOver[t] < 0.4);
    }
    QVERIFY(std::abs(covariance + b / (a * c - b * b)) <= 0.05 * deviations[0] * deviations[1]);
    QVERIFY(posterior.acceptance > 0.3 && posterior.acceptance < 0.95);

    options.cpu = CpuDevice{1};
    QCOMPARE(samplePosterior(matching, uniformInputs(unitSpace(2)), options).values,
             posterior.values);
}

void MatchingTest::bimodalPosteriorsHaveBothModes()
{
    const auto model =
        responsesOf({[](std::span<const double> x) { return std::pow(x[0] - 0.5, 2); }}, 1, 9);
    PosteriorOptions options;
    options.samples = 40'000;
    const auto posterior = samplePosterior(Matching({groupOf(model, {0.0625}, 0.01)}),
                                           uniformInputs(unitSpace(1)), options);
    const auto low = std::ranges::count_if(posterior.values[0], [](double x) { return x < 0.5; });
    const double share = static_cast<double>(low) / static_cast<double>(posterior.values[0].size());
    QVERIFY2(std::abs(share - 0.5) <= 0.1, qPrintable(QString::number(share)));
}

void MatchingTest::bananasHaveTheirMoments()
{
    // y = 8 u - 4 is normal, and so is z - y^2 with z = 40 v - 10: moments are closed forms.
    const LogLikelihood banana = [](std::span<const double> u) {
        const double y = 8 * u[0] - 4, z = 40 * u[1] - 10;
        return -0.5 * y * y - 0.5 * std::pow(z - y * y, 2);
    };
    PosteriorOptions options;
    options.samples = 200'000;
    const auto posterior = samplePosterior(banana, 2, options);
    QVERIFY2(std::abs(8 * posterior.means[0] - 4) <= 0.1,
             qPrintable(QString::number(posterior.means[0])));
    QVERIFY(std::abs(8 * posterior.deviations[0] - 1) <= 0.1);
    QVERIFY(std::abs(40 * posterior.means[1] - 10 - 1) <= 0.15);
    QVERIFY(std::abs(40 * posterior.deviations[1] - std::sqrt(3.0)) <= 0.25);
}

void MatchingTest::chainsThatDisagreeAreSaid()
{
    Random random(3);
    Chains same(4), apart(4), wider(4);
    for (std::size_t c = 0; c < 4; ++c)
        for (int i = 0; i < 1000; ++i) {
            same[c].push_back(normal(random));
            apart[c].push_back(normal(random) + (c == 0 ? 1 : 0));
            wider[c].push_back(normal(random) * (c == 0 ? 3 : 1));
        }
    QVERIFY(rankNormalisedRHat(same) < 1.01);
    QVERIFY(rankNormalisedRHat(apart) > 1.05);
    QVERIFY(rankNormalisedRHat(wider) > 1.05); // the same mean
    QVERIFY(std::isnan(rankNormalisedRHat({{1, 1, 1, 1}, {1, 1, 1, 1}})));
    QVERIFY(std::isnan(rankNormalisedRHat({})));
    // An ensemble that had no time.
    PosteriorOptions options;
    options.samples = 600;
    const LogLikelihood narrow = [](std::span<const double> u) {
        return -0.5 * std::pow((u[0] - 0.3) / 1e-4, 2) - 0.5 * std::pow((u[1] - u[0]) / 1e-5, 2);
    };
    QVERIFY(!samplePosterior(narrow, 2, options).hasConverged);
}

void MatchingTest::effectiveSamplesOfKnownChains()
{
    Random random(5);
    Chains independent(4), slow(4);
    const double memory = 0.9; // an autoregression: (1 - memory) / (1 + memory) of the samples
    for (std::size_t c = 0; c < 4; ++c) {
        double value = normal(random);
        for (int i = 0; i < 5000; ++i) {
            independent[c].push_back(normal(random));
            value = memory * value + std::sqrt(1 - memory * memory) * normal(random);
            slow[c].push_back(value);
        }
    }
    QVERIFY(std::abs(effectiveSamples(independent) / 20'000 - 1) <= 0.1);
    QVERIFY(std::abs(effectiveSamples(slow) / (20'000 * 0.1 / 1.9) - 1) <= 0.25);
}

void MatchingTest::posteriorsAreCalibrated()
{
    // Truths from the prior, measurements from the truths: among samples of its posterior, a
    // truth's rank is any rank.
    const auto model =
        responsesOf({[](std::span<const double> x) { return x[0] + 0.5 * x[1] * x[1]; },
                     [](std::span<const double> x) { return x[1] - x[0] * x[1]; },
                     [](std::span<const double> x) { return std::sin(3 * x[0]) * x[1]; }},
                    2, 4);
    Random random(11);
    const std::size_t truths = isSanitized ? 25 : 200;
    const std::size_t bins = 10;
    std::vector<std::vector<std::size_t>> counts(2, std::vector<std::size_t>(bins));
    for (std::size_t repeat = 0; repeat < truths; ++repeat) {
        const std::vector truth{random.real(), random.real()};
        std::vector<double> values(3);
        model->values(truth, values);
        for (auto &value : values)
            value += 0.15 * normal(random);
        PosteriorOptions options;
        options.samples = 10'000;
        options.ensembles = 1;
        options.seed = repeat + 1;
        const auto posterior = samplePosterior(Matching({groupOf(model, values, 0.15)}),
                                               uniformInputs(unitSpace(2)), options);
        for (std::size_t t = 0; t < 2; ++t) {
            // Thinned to 99: of each walker its few samples that are far from each other.
            const auto &all = posterior.values[t];
            std::size_t rank = 0;
            for (std::size_t i = 0; i < 99; ++i)
                rank += all[i * (all.size() / 99)] < truth[t] ? 1 : 0;
            ++counts[t][rank * bins / 100];
        }
    }
    for (const auto &ofParameter : counts) {
        double chiSquare = 0;
        const double expected = static_cast<double>(truths) / static_cast<double>(bins);
        for (const auto count : ofParameter)
            chiSquare += std::pow(static_cast<double>(count) - expected, 2) / expected;
        QVERIFY2(chiSquare < chiSquare9, qPrintable(QString::number(chiSquare)));
    }
}

void MatchingTest::badMeasurementsAreRefused()
{
    const auto model = linearModel();
    GRIDHELM_EXPECT_ERROR(Matching({}));
    GRIDHELM_EXPECT_ERROR(Matching({groupOf(model, {1, 2, 3}, 0)}));
    GRIDHELM_EXPECT_ERROR(Matching({groupOf(model, {1, 2}, 1)}));
    GRIDHELM_EXPECT_ERROR(
        Matching({groupOf(model, {1, 2, std::numeric_limits<double>::quiet_NaN()}, 1)}));
    auto known = groupOf(model, {1, 2, 3}, 1);
    known.known = {0.5, 0.5};
    GRIDHELM_EXPECT_ERROR(Matching({known}));
    auto correlated = uniformInputs(unitSpace(2));
    correlated.rankCorrelations = {1, 0.5, 0.5, 1};
    GRIDHELM_EXPECT_ERROR(
        samplePosterior(Matching({groupOf(model, {1, 1, 1}, 1)}), correlated, {}));
    PosteriorOptions tooMany;
    tooMany.samples = 100'000'000'000'000;
    QVERIFY(
        isRefused([&] { samplePosterior([](std::span<const double>) { return 0.0; }, 2, tooMany); },
                  "take fewer samples"));
}

GRIDHELM_TEST(MatchingTest)
#include "tst_matching.moc"
