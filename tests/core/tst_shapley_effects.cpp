// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shapley effects: of linear models of correlated normal variables against their closed form, of
// independent parameters against Sobol' indices, sampled ones against exact ones.
#include "core/answers/shapley_effects.h"

#include "tests/core/answers_cases.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

using namespace gridhelm;
using namespace gridhelm::answers;
using namespace gridhelm::test;
using sparse::BoundaryTreatment;

namespace {

/// Normal variables in the middle of the unit cube, a tenth wide, with Pearson's correlations.
Inputs normalInputs(const std::vector<double> &pearson)
{
    const auto d = static_cast<std::size_t>(std::lround(std::sqrt(pearson.size())));
    const auto space = unitSpace(static_cast<int>(d));
    Inputs inputs;
    for (std::size_t t = 0; t < d; ++t)
        inputs.distributions.push_back(InputDistribution::parse("normal(0.5,0.1)", space[t]));
    for (const double r : pearson)
        inputs.rankCorrelations.push_back(r == 1 ? 1 : 6 / std::numbers::pi * std::asin(r / 2));
    return inputs;
}

/// By the definition, over all orders, of sum_t slopes[t] z_t: with S the known ones and R the
/// correlations, the variance of its mean given them is b^T R_S (R_SS)^-1 R_S^T b.
std::vector<double> closedForm(const std::vector<double> &slopes,
                               const std::vector<double> &pearson)
{
    const auto d = slopes.size();
    const auto at = [&](std::size_t i, std::size_t j) { return pearson[i * d + j]; };
    const auto explained = [&](const std::vector<std::size_t> &known) {
        const auto n = static_cast<Eigen::Index>(known.size());
        if (n == 0)
            return 0.0;
        Eigen::MatrixXd among(n, n);
        Eigen::VectorXd covariance = Eigen::VectorXd::Zero(n);
        for (Eigen::Index i = 0; i < n; ++i) {
            const auto row = known[static_cast<std::size_t>(i)];
            for (Eigen::Index j = 0; j < n; ++j)
                among(i, j) = at(row, known[static_cast<std::size_t>(j)]);
            for (std::size_t t = 0; t < d; ++t)
                covariance(i) += slopes[t] * at(row, t);
        }
        return covariance.dot(among.ldlt().solve(covariance));
    };
    std::vector<std::size_t> order(d);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> effects(d, 0.0);
    double orders = 0, all = 0;
    do {
        std::vector<std::size_t> known;
        double before = 0;
        for (const auto t : order) {
            known.push_back(t);
            all = explained(known);
            effects[t] += all - before;
            before = all;
        }
        ++orders;
    } while (std::ranges::next_permutation(order).found);
    for (auto &effect : effects)
        effect /= orders * all;
    return effects;
}

double sumOf(const std::vector<double> &values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

class ShapleyEffectsTest : public QObject
{
    Q_OBJECT

private slots:
    void linearModelsHaveTheirClosedForm_data();
    void linearModelsHaveTheirClosedForm();
    void twoCorrelatedOnesByHand();
    void independentOnesAreBetweenSobolsIndices();
    void sampledOnesAreNearExactOnes();
    void whatIsHeldHasNoPart();
    void whatIsHeldSaysNothingOfOthers();
    void fewDifferentValuesAreNotTakenForRanks();
    void constantResponsesAreSaid();
    void whatCannotBeIsSaid();
};

void ShapleyEffectsTest::linearModelsHaveTheirClosedForm_data()
{
    QTest::addColumn<QList<double>>("slopes");
    QTest::addColumn<QList<double>>("pearson");
    QTest::newRow("two") << QList<double>{1, 2} << QList<double>{1, 0.6, 0.6, 1};
    QTest::newRow("three") << QList<double>{1, -1, 2}
                           << QList<double>{1, 0.5, 0.2, 0.5, 1, -0.4, 0.2, -0.4, 1};
    QTest::newRow("idle, but it goes with another one")
        << QList<double>{1, 0, 1} << QList<double>{1, 0.8, 0, 0.8, 1, 0, 0, 0, 1};
    QTest::newRow("four, independent but for a pair")
        << QList<double>{1, 1, 1, 1}
        << QList<double>{1, -0.7, 0, 0, -0.7, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
}

void ShapleyEffectsTest::linearModelsHaveTheirClosedForm()
{
    QFETCH(QList<double>, slopes);
    QFETCH(QList<double>, pearson);
    const std::vector<double> b(slopes.begin(), slopes.end()), r(pearson.begin(), pearson.end());
    const auto found = shapleyBySampling(
        [&](std::span<const double> x) {
            return std::inner_product(x.begin(), x.end(), b.begin(), 3.0);
        },
        normalInputs(r), 1 << 13, 7, wholeCpu());
    const auto exact = closedForm(b, r);
    QVERIFY(!found.isExact);
    QCOMPARE(found.evaluations, (std::size_t{1} << 13) * ((std::size_t{1} << b.size()) - 1));
    double variance = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j)
            variance += 0.01 * b[i] * b[j] * r[i * b.size() + j];
    QVERIFY(std::abs(found.variance / variance - 1) <= 0.01);
    QVERIFY(std::abs(sumOf(found.effects) - 1) <= 1e-12);
    for (std::size_t t = 0; t < b.size(); ++t) {
        QVERIFY(found.errors[t] > 0 && found.errors[t] < 0.01);
        QVERIFY2(std::abs(found.effects[t] - exact[t]) <= 5 * found.errors[t] + 1e-4,
                 qPrintable(QString("%1 is not %2").arg(found.effects[t]).arg(exact[t])));
    }
}

/// The test's own closed form: with slopes a, b and correlation r, the first one's effect is
/// (a^2 (1 - r^2 / 2) + a b r + b^2 r^2 / 2) / (a^2 + 2 a b r + b^2).
void ShapleyEffectsTest::twoCorrelatedOnesByHand()
{
    const double a = 1, b = 2, r = 0.6;
    const double first =
        (a * a * (1 - r * r / 2) + a * b * r + b * b * r * r / 2) / (a * a + 2 * a * b * r + b * b);
    const auto exact = closedForm({a, b}, {1, r, r, 1});
    QVERIFY(std::abs(exact[0] - first) <= 1e-14);
    QVERIFY(std::abs(exact[1] - (1 - first)) <= 1e-14);
}

void ShapleyEffectsTest::independentOnesAreBetweenSobolsIndices()
{
    const auto inputs = uniformInputs(unitSpace(3));
    const auto model = interpolantOf(
        ishigami,
        {3,
         5,
         {},
         {BoundaryTreatment::modified, BoundaryTreatment::modified, BoundaryTreatment::modified}});
    const auto sobol = sobolIndices(model, inputs, 0, 1, wholeCpu()).front();
    const auto shapley = shapleyEffects(model, inputs, 0, 1, wholeCpu());
    QVERIFY(shapley.isExact);
    QVERIFY(std::abs(shapley.mean - sobol.mean) <= 1e-14);
    QVERIFY(std::abs(shapley.variance / sobol.variance - 1) <= 1e-13);
    QVERIFY(std::abs(sumOf(shapley.effects) - 1) <= 1e-12);
    // All that there is of pairs and of all three, by Sobol's indices.
    double three = 1 - sumOf(sobol.first);
    for (const auto &[s, t] :
         std::array<std::pair<std::size_t, std::size_t>, 3>{{{0, 1}, {0, 2}, {1, 2}}})
        three -= sobol.pairs[s * 3 + t];
    for (std::size_t t = 0; t < 3; ++t) {
        double wanted = sobol.first[t] + three / 3;
        for (std::size_t s = 0; s < 3; ++s)
            if (s != t)
                wanted += sobol.pairs[s * 3 + t] / 2;
        QVERIFY(std::abs(shapley.effects[t] - wanted) <= 1e-12);
    }
}

void ShapleyEffectsTest::sampledOnesAreNearExactOnes()
{
    const auto inputs = uniformInputs(unitSpace(3));
    const auto model = interpolantOf(
        ishigami,
        {3,
         5,
         {},
         {BoundaryTreatment::modified, BoundaryTreatment::modified, BoundaryTreatment::modified}});
    const auto exact = shapleyEffects(model, inputs, 0, 1, wholeCpu());
    const auto found = shapleyBySampling([&](std::span<const double> x) { return model.value(x); },
                                         inputs, 1 << 13, 3, wholeCpu());
    for (std::size_t t = 0; t < 3; ++t) {
        QVERIFY(found.errors[t] > 0 && found.errors[t] < 0.02);
        QVERIFY(std::abs(found.effects[t] - exact.effects[t]) <= 5 * found.errors[t]);
    }
    // The same through the model, once it is asked with a correlation.
    auto together = inputs;
    together.rankCorrelations = {1, 0.3, 0, 0.3, 1, 0, 0, 0, 1};
    const auto sampled = shapleyEffects(model, together, 1 << 12, 3, wholeCpu());
    QVERIFY(!sampled.isExact);
    QCOMPARE(sampled.effects,
             shapleyBySampling([&](std::span<const double> x) { return model.value(x); }, together,
                               1 << 12, 3, wholeCpu())
                 .effects);
    // Correlations of 0 are none.
    together.rankCorrelations = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const auto again = shapleyEffects(model, together, 0, 1, wholeCpu());
    QVERIFY(again.isExact);
    QCOMPARE(again.effects, exact.effects);
}

void ShapleyEffectsTest::whatIsHeldHasNoPart()
{
    auto inputs = normalInputs({1, 0.5, 0, 0.5, 1, 0, 0, 0, 1});
    inputs.distributions[2] = InputDistribution::ofSamples({0.7}, unitSpace(3)[2]);
    const auto found =
        shapleyBySampling([](std::span<const double> x) { return x[0] + x[1] * x[2]; }, inputs,
                          1 << 12, 1, wholeCpu());
    QCOMPARE(found.effects[2], 0.0);
    QCOMPARE(found.evaluations, std::size_t{1 << 12} * 3);
    const auto exact = closedForm({1, 0.7}, {1, 0.5, 0.5, 1});
    QVERIFY(std::abs(found.effects[0] - exact[0]) <= 5 * found.errors[0] + 1e-3);
}

/// Its normal variable says much of the first parameter, but nobody knows it: there is one value.
void ShapleyEffectsTest::whatIsHeldSaysNothingOfOthers()
{
    auto inputs = normalInputs({1, 0, 0.9, 0, 1, 0, 0.9, 0, 1});
    inputs.distributions[2] = InputDistribution::ofSamples({0.7}, unitSpace(3)[2]);
    const auto found = shapleyBySampling([](std::span<const double> x) { return x[0]; }, inputs,
                                         1 << 12, 1, wholeCpu());
    QVERIFY2(std::abs(found.effects[0] - 1) <= 5 * found.errors[0] + 1e-3,
             qPrintable(QString::number(found.effects[0])));
    QVERIFY(std::abs(found.effects[1]) <= 5 * found.errors[1] + 1e-3);
    QCOMPARE(found.effects[2], 0.0);
}

/// Of the first one's normal variable the sign alone is known, and with it of the second one's
/// variance rho^2 2 / pi: what is computed from normal variables would say rho^2.
void ShapleyEffectsTest::fewDifferentValuesAreNotTakenForRanks()
{
    const auto response = [](std::span<const double> x) { return x[1]; };
    auto inputs = normalInputs({1, 0.9, 0.9, 1});
    const auto refused = [&](const std::vector<double> &samples) {
        inputs.distributions[0] = InputDistribution::ofSamples(samples, unitSpace(2)[0]);
        return isRefused([&] { shapleyBySampling(response, inputs, 256, 1, wholeCpu()); },
                         "different values");
    };
    QVERIFY(refused({0.2, 0.8}));
    std::vector<double> all(50), tied(50, 0.5);
    for (std::size_t i = 0; i < 50; ++i)
        all[i] = 0.01 * static_cast<double>(i);
    std::copy_n(all.begin(), 25, tied.begin());
    QVERIFY(refused(tied));
    QVERIFY(!refused(all));
    inputs.rankCorrelations.clear(); // ranks do not matter then
    QVERIFY(!refused({0.2, 0.8}));
    inputs.rankCorrelations = {1, 0.5, 0.5, 1};
    QVERIFY(!refused({0.8})); // it is held
}

void ShapleyEffectsTest::constantResponsesAreSaid()
{
    const auto found = shapleyBySampling([](std::span<const double>) { return 4.0; },
                                         normalInputs({1, 0.5, 0.5, 1}), 256, 1, wholeCpu());
    QVERIFY(found.isConstant);
    QCOMPARE(found.effects, std::vector<double>(2, 0.0));
}

void ShapleyEffectsTest::whatCannotBeIsSaid()
{
    const auto response = [](std::span<const double> x) { return x[0]; };
    GRIDHELM_EXPECT_ERROR(
        shapleyBySampling(response, normalInputs({1, 0.5, 0.5, 1}), 255, 1, wholeCpu()));
    GRIDHELM_EXPECT_ERROR(
        shapleyBySampling(response, uniformInputs(unitSpace(11)), 256, 1, wholeCpu()));
    auto joint = uniformInputs(unitSpace(2));
    joint.joint = {{{0, 1}, {{0.1, 0.2}, {0.3, 0.4}}}};
    GRIDHELM_EXPECT_ERROR(shapleyBySampling(response, joint, 256, 1, wholeCpu()));
    auto contradicting = normalInputs({1, 0.9, 0.9, 0.9, 1, -0.9, 0.9, -0.9, 1});
    GRIDHELM_EXPECT_ERROR(shapleyBySampling(response, contradicting, 256, 1, wholeCpu()));
}

GRIDHELM_TEST(ShapleyEffectsTest)
#include "tst_shapley_effects.moc"
