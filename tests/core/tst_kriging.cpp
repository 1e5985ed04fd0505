// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kriging with given hyperparameters: against the literal reference, and what is known of it.
#include "core/kriging/fit.h"
#include "core/kriging/groups_left_out.h"
#include "core/kriging/kriging_deviations.h"
#include "core/kriging/kriging_surrogate.h"
#include "core/kriging/likelihood.h"
#include "core/kriging/reference/literal.h"
#include "core/kriging/warping.h"

#include "tests/core/closeness.h"
#include "tests/core/expect_error.h"
#include "tests/core/kriging_cases.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

using namespace gridhelm;
using namespace gridhelm::kriging;
using namespace gridhelm::test;

namespace {

constexpr std::array smoothnesses = {Smoothness::matern32, Smoothness::matern52,
                                     Smoothness::matern92, Smoothness::gaussian};

void addFormRows()
{
    QTest::addColumn<int>("smoothness");
    QTest::addColumn<bool>("isLinear");
    QTest::addColumn<bool>("isWarped");
    for (const auto smoothness : smoothnesses)
        for (const bool isLinear : {false, true})
            for (const bool isWarped : {false, true})
                QTest::addRow("%s, %s, %s", std::string(nameOf(smoothness)).c_str(),
                              isLinear ? "linear" : "constant", isWarped ? "warped" : "as it is")
                    << static_cast<int>(smoothness) << isLinear << isWarped;
}

Form formOfRow()
{
    QFETCH(int, smoothness);
    QFETCH(bool, isLinear);
    QFETCH(bool, isWarped);
    return {static_cast<Smoothness>(smoothness),
            isLinear ? std::vector<int>{0, 1, 2} : std::vector<int>{}, isWarped};
}

std::vector<std::vector<double>> somePlaces(int count, int dimension)
{
    Random random(6);
    std::vector<std::vector<double>> places;
    for (int i = 0; i < count; ++i) {
        places.emplace_back();
        for (int t = 0; t < dimension; ++t)
            places.back().push_back(random.real());
    }
    return places;
}

std::vector<double> everyOther(const std::vector<double> &values, std::size_t first,
                               std::size_t step)
{
    std::vector<double> result;
    for (std::size_t i = first; i < values.size(); i += step)
        result.push_back(values[i]);
    return result;
}

/// The gradient beside central differences.
void compareGradient(const Likelihood &likelihood, const std::vector<double> &place)
{
    std::vector<double> gradient(place.size()), differences(place.size());
    likelihood.value(place, gradient);
    constexpr double step = 1e-5;
    for (std::size_t k = 0; k < place.size(); ++k) {
        auto after = place, before = place;
        after[k] += step;
        before[k] -= step;
        differences[k] = (likelihood.value(after, {}) - likelihood.value(before, {})) / (2 * step);
        QVERIFY(std::abs(differences[k]) > 1e-3); // it says something
    }
    GRIDHELM_COMPARE_CLOSE(gradient, differences, 1e-5 * largestMagnitude(gradient), "");
}

} // namespace

class KrigingTest : public QObject
{
    Q_OBJECT

private slots:
    void correlationsAreThoseOfTheDefinition_data() { addFormRows(); }
    void correlationsAreThoseOfTheDefinition();
    void warpingIsMonotoneAndItsDerivativesAreSlopes();

    void predictsWhatTheReferenceDoes_data() { addFormRows(); }
    void predictsWhatTheReferenceDoes();
    void leavingOutIsWhatItSays_data() { addFormRows(); }
    void leavingOutIsWhatItSays();
    void likelihoodIsTheReferences_data() { addFormRows(); }
    void likelihoodIsTheReferences();
    void gradientIsThatOfDifferences_data() { addFormRows(); }
    void gradientIsThatOfDifferences();
    void narrowPriorsAreAroundTheirCentre();
    void derivativesAreThoseOfDifferences_data() { addFormRows(); }
    void derivativesAreThoseOfDifferences();

    void interpolatesWithoutNugget();
    void twoRunsAreAsByHand();
    void linearFunctionsAreExactWithALinearMean();
    void deviationsVanishAtRunsAndGrowAway();
    void aMixtureIsTheSumOfItsParts();
    void groupsOfModesAreAPrefix();
    void outsideItGoesOnLinearly();
    void outputsOfAGroupAreAsAlone();
    void groupsLeftOutAreWhatTheOthersSay_data();
    void groupsLeftOutAreWhatTheOthersSay();
};

void KrigingTest::correlationsAreThoseOfTheDefinition()
{
    const auto form = formOfRow();
    const auto hyperparameters = someHyperparameters(3, 0, form.isWarped);
    const auto runs = someRuns();
    // One run alone has B = 0, so correlations are seen through two: the weights of the unit
    // values.
    const kriging::Matrix places = placesOf(runs);
    kriging::Matrix correlations;
    fillCorrelations(warpedPlaces(places, hyperparameters), hyperparameters, form.smoothness,
                     correlations);
    for (std::size_t i = 0; i < runs.runs; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            const auto expected = static_cast<double>(reference::correlation(
                {runs.places.data() + 3 * i, 3}, {runs.places.data() + 3 * j, 3}, hyperparameters,
                form.smoothness));
            QVERIFY(
                std::abs(correlations(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j))
                         - expected)
                < 1e-13);
        }
    }
}

void KrigingTest::warpingIsMonotoneAndItsDerivativesAreSlopes()
{
    constexpr double step = 1e-6;
    for (const double a : {0.3, 1.0, 2.5}) {
        for (const double b : {0.4, 1.0, 3.0}) {
            double before = -1;
            for (const double u : {0.0, 0.1, 0.45, 0.8, 1.0}) {
                const auto here = warped(u, a, b);
                QVERIFY(here.value > before && here.value >= 0 && here.value <= 1);
                before = here.value;
                const auto slope = [&](double after, double earlier) {
                    return (after - earlier) / (2 * step);
                };
                const auto isNear = [](double derivative, double difference) {
                    return std::abs(derivative - difference) < 1e-5 * (1 + std::abs(difference));
                };
                QVERIFY(isNear(here.byLogA, slope(warped(u, a * std::exp(step), b).value,
                                                  warped(u, a * std::exp(-step), b).value)));
                QVERIFY(isNear(here.byLogB, slope(warped(u, a, b * std::exp(step)).value,
                                                  warped(u, a, b * std::exp(-step)).value)));
                if (u > 0 && u < 1)
                    QVERIFY(isNear(here.slope, slope(warped(u + step, a, b).value,
                                                     warped(u - step, a, b).value)));
            }
        }
    }
    QVERIFY(std::abs(warped(0.5, 1, 1).value - 0.5) < 1e-15); // nothing is moved
}

void KrigingTest::predictsWhatTheReferenceDoes()
{
    const auto form = formOfRow();
    const auto hyperparameters = someHyperparameters(3, 1e-6, form.isWarped);
    const auto runs = someRuns();
    const auto fitted = oneGroup(runs, form, hyperparameters);
    const KrigingSurrogate surrogate(fitted.model);
    const KrigingDeviations deviations(fitted.model, onCpu());
    for (const auto &x : somePlaces(20, 3)) {
        const auto values = valuesAt(surrogate, x);
        const auto variances = deviations.variances(x);
        for (std::size_t m = 0; m < 2; ++m) {
            const auto expected =
                reference::predict(onlyOutputs(runs, m, m + 1), form, hyperparameters, x);
            QVERIFY2(std::abs(values[m] - expected.value) < 1e-8,
                     qPrintable(QString::number(values[m] - expected.value)));
            const double variance = expected.variance * fitted.model.groups[0].variances[m];
            QVERIFY2(std::abs(variances[m] - variance) < 1e-9 * fitted.model.groups[0].variances[m],
                     qPrintable(QString::number(variances[m] - variance)));
        }
        QVERIFY(std::abs(deviations.ofField(x) - std::sqrt(variances[0] + variances[1])) < 1e-15);
    }
}

void KrigingTest::leavingOutIsWhatItSays()
{
    const auto form = formOfRow();
    const auto hyperparameters = someHyperparameters(3, 1e-5, form.isWarped);
    const auto runs = someRuns();
    const auto fitted = oneGroup(runs, form, hyperparameters);
    for (std::size_t m = 0; m < 2; ++m)
        GRIDHELM_COMPARE_CLOSE(
            everyOther(fitted.leaveOneOut, m, 2),
            reference::leaveOneOut(onlyOutputs(runs, m, m + 1), form, hyperparameters), 1e-8,
            "output " + std::to_string(m));
}

void KrigingTest::likelihoodIsTheReferences()
{
    const auto form = formOfRow();
    const auto runs = someRuns();
    const Likelihood likelihood(runs, form);
    // Outputs are scaled inside, which adds a constant: differences say all.
    const auto first = someHyperparameters(3, 1e-4, form.isWarped);
    auto second = someHyperparameters(3, 1e-2, form.isWarped);
    second.lengths = {0.7, 0.2, 3};
    const auto value = [&](const Hyperparameters &hyperparameters) {
        return likelihood.value(likelihood.logarithms(hyperparameters), {});
    };
    const double expected = reference::negativeLogLikelihood(runs, form, second)
                            - reference::negativeLogLikelihood(runs, form, first);
    QVERIFY(std::abs(expected) > 1);
    QVERIFY2(std::abs(value(second) - value(first) - expected) < 1e-7 * std::abs(expected),
             qPrintable(QString::number(value(second) - value(first) - expected)));
}

void KrigingTest::gradientIsThatOfDifferences()
{
    const auto form = formOfRow();
    const Likelihood wide(someRuns(), form);
    const auto narrow = wide.around(someHyperparameters(3, 1e-5, form.isWarped));
    const auto place = wide.logarithms(someHyperparameters(3, 1e-3, form.isWarped));
    QCOMPARE(place.size(), form.isWarped ? 10U : 4U);
    for (const auto &likelihood : {wide, narrow})
        compareGradient(likelihood, place);
}

void KrigingTest::narrowPriorsAreAroundTheirCentre()
{
    const Form form{Smoothness::matern52, {}, true};
    const Likelihood wide(someRuns(), form);
    const auto centre = someHyperparameters(3, 1e-4, true);
    const auto narrow = wide.around(centre);
    auto place = wide.logarithms(centre);
    const double atCentre = narrow.value(place, {}) - wide.value(place, {});
    for (std::size_t k = 0; k < place.size(); ++k) {
        const double before = place[k];
        for (const double step : {-0.4, 0.4}) {
            place[k] = before + step;
            const double beside = narrow.value(place, {}) - wide.value(place, {});
            if (k == 3)
                QVERIFY(std::abs(beside - atCentre) < 1e-9); // the nugget is free
            else
                QVERIFY(beside > atCentre + 0.1);
        }
        place[k] = before;
    }
}

void KrigingTest::derivativesAreThoseOfDifferences()
{
    const auto form = formOfRow();
    const auto runs = someRuns();
    const KrigingSurrogate surrogate(
        oneGroup(runs, form, someHyperparameters(3, 1e-4, form.isWarped)).model);
    constexpr double step = 1e-5;
    for (const auto &x : somePlaces(10, 3)) {
        for (int t = 0; t < 3; ++t) {
            auto after = x, before = x;
            after[static_cast<std::size_t>(t)] += step;
            before[static_cast<std::size_t>(t)] -= step;
            const auto later = valuesAt(surrogate, after, OutOfRange::extrapolated);
            const auto earlier = valuesAt(surrogate, before, OutOfRange::extrapolated);
            const auto slopes = surrogate.derivativeWeights(x, t, 1);
            QCOMPARE(slopes.rows.size(), 2U);
            for (std::size_t m = 0; m < 2; ++m)
                QVERIFY(std::abs(slopes.weights[m] - (later[m] - earlier[m]) / (2 * step)) < 1e-5);
        }
    }
}

void KrigingTest::interpolatesWithoutNugget()
{
    const auto runs = someRuns();
    for (const auto smoothness :
         {Smoothness::matern32, Smoothness::matern52, Smoothness::matern92}) {
        const KrigingSurrogate surrogate(
            oneGroup(runs, {smoothness, {}, false}, someHyperparameters(3, 0, false)).model);
        for (std::size_t i = 0; i < runs.runs; ++i) {
            const auto values = valuesAt(surrogate, {runs.places.data() + 3 * i, 3});
            for (std::size_t m = 0; m < 2; ++m)
                QVERIFY(std::abs(values[m] - runs.values[2 * i + m]) < 1e-9);
        }
    }
}

void KrigingTest::twoRunsAreAsByHand()
{
    // Values 1 and 3 at 0.25 and 0.75: the mean is 2, and with r the correlation of the runs and
    // k1, k2 those with x, the value is 2 + (k2 - k1) / (1 - r). Left out, each is predicted by the
    // other.
    const Runs runs{2, 1, 1, {0.25, 0.75}, {1, 3}};
    const Hyperparameters hyperparameters{{0.5}, 0, {}, {}};
    const auto fitted = oneGroup(runs, {Smoothness::matern32, {}, false}, hyperparameters);
    const auto k = [](double distance) {
        const double s = std::numbers::sqrt3 * distance / 0.5;
        return (1 + s) * std::exp(-s);
    };
    const KrigingSurrogate surrogate(fitted.model);
    for (const double x : {0.0, 0.25, 0.4, 1.0}) {
        const double expected = 2 + (k(std::abs(x - 0.75)) - k(std::abs(x - 0.25))) / (1 - k(0.5));
        QVERIFY(std::abs(valuesAt(surrogate, std::array{x}).front() - expected) < 1e-13);
    }
    GRIDHELM_COMPARE_CLOSE(fitted.leaveOneOut, (std::vector<double>{-2, 2}), 1e-13, "");
    // y^T B y = (3 - 1)^2 / (2 (1 - r)), one degree of freedom.
    QVERIFY(std::abs(fitted.model.groups[0].variances[0] - 2 / (1 - k(0.5))) < 1e-12);
}

void KrigingTest::linearFunctionsAreExactWithALinearMean()
{
    Random random(8);
    const auto linear = [](std::span<const double> x) { return 4 + x[0] - 7 * x[2]; };
    const auto runs = runsOf(latinHypercube(random, 12, 3), 3, linear);
    const auto fitted =
        oneGroup(runs, {Smoothness::matern92, {0, 1, 2}, true}, someHyperparameters(3, 1e-8, true));
    const KrigingSurrogate surrogate(fitted.model);
    for (const auto &x : somePlaces(10, 3))
        QVERIFY(std::abs(valuesAt(surrogate, x).front() - linear(x)) < 1e-12);
    QVERIFY(largestMagnitude(fitted.leaveOneOut) < 1e-12);
    const std::array outside{1.5, -0.5, 2.0};
    QVERIFY(
        std::abs(valuesAt(surrogate, outside, OutOfRange::extrapolated).front() - linear(outside))
        < 1e-11);
}

void KrigingTest::deviationsVanishAtRunsAndGrowAway()
{
    const Runs runs{3, 1, 1, {0.1, 0.3, 0.4}, {1, 2, 0}};
    const auto model = oneGroup(runs, {Smoothness::matern52, {}, false}, {{0.2}, 0, {}, {}}).model;
    const KrigingDeviations deviations(model, onCpu());
    for (const double x : runs.places)
        QVERIFY(deviations.ofField(std::array{x}) < 1e-6);
    double before = 0;
    for (const double x : {0.45, 0.6, 0.8, 1.0}) {
        QVERIFY(deviations.ofField(std::array{x}) > before);
        before = deviations.ofField(std::array{x});
    }
    QVERIFY(before > std::sqrt(model.groups[0].variances[0])); // the mean is uncertain, too
}

/// Values, slopes, deviations and errors of two forms, one of which covers two outputs.
void KrigingTest::aMixtureIsTheSumOfItsParts()
{
    const auto runs = someRuns();
    const Form plain{Smoothness::matern32, {}, false}, linear{Smoothness::gaussian, {0, 2}, true};
    const auto ofPlain = someHyperparameters(3, 1e-5, false);
    const auto ofLinear = someHyperparameters(3, 1e-6, true);
    const std::vector<Component> mixed{
        {plain, ofPlain, 0, 2, 0.3}, {linear, ofLinear, 0, 1, 0.7}, {plain, ofPlain, 1, 1, 0.7}};
    const auto both = kriging::fitWith(runs, mixed, onCpu());
    QCOMPARE(both.model.outputs(), 2U);
    const auto a = oneGroup(runs, plain, ofPlain), b = oneGroup(runs, linear, ofLinear);
    const auto isSum = [](const auto &found, const auto &ofA, const auto &ofB) {
        return std::abs(found[0] - (0.3 * ofA[0] + 0.7 * ofB[0])) < 1e-9
               && std::abs(found[1] - ofA[1]) < 1e-9; // 0.3 and 0.7 of the same
    };
    const KrigingSurrogate surrogate(both.model), first(a.model), second(b.model);
    const KrigingDeviations deviations(both.model, onCpu()), ofFirst(a.model, onCpu()),
        ofSecond(b.model, onCpu());
    for (const auto &x : somePlaces(20, 3)) {
        QVERIFY(isSum(valuesAt(surrogate, x), valuesAt(first, x), valuesAt(second, x)));
        QVERIFY(isSum(deviations.variances(x), ofFirst.variances(x), ofSecond.variances(x)));
        for (int t = 0; t < 3; ++t)
            QVERIFY(isSum(surrogate.derivativeWeights(x, t, 1).weights,
                          first.derivativeWeights(x, t, 1).weights,
                          second.derivativeWeights(x, t, 1).weights));
        // Of the first output alone.
        QCOMPARE(KrigingSurrogate(both.model, {0, 1}).weights(x, 1).weights[0],
                 surrogate.weights(x, 1).weights[0]);
    }
    std::vector<std::size_t> groupOf(runs.runs);
    for (std::size_t run = 0; run < runs.runs; ++run)
        groupOf[run] = run / 2;
    const auto errors = leaveGroupsOut(both.model, groupOf, onCpu(2));
    const auto ofA = leaveGroupsOut(a.model, groupOf, onCpu());
    const auto ofB = leaveGroupsOut(b.model, groupOf, onCpu());
    for (std::size_t run = 0; run < runs.runs; ++run) {
        const auto at = [&](const std::vector<double> &all) { return all.data() + 2 * run; };
        QVERIFY(isSum(at(errors), at(ofA), at(ofB)));
        QVERIFY(isSum(at(both.leaveOneOut), at(a.leaveOneOut), at(b.leaveOneOut)));
    }
    GRIDHELM_EXPECT_ERROR(kriging::fitWith(runs, {{plain, ofPlain, 1, 1, 1}}, onCpu()));
    GRIDHELM_EXPECT_ERROR(
        kriging::fitWith(runs, {{plain, ofPlain, 1, 1, 1}, {plain, ofPlain, 0, 1, 1}}, onCpu()));
}

void KrigingTest::groupsOfModesAreAPrefix()
{
    Random random(9);
    const auto runs =
        runsOf(latinHypercube(random, 15, 2), 2, smoothFunction, waveFunction, layerFunction);
    const Form form{Smoothness::matern52, {}, false};
    auto other = someHyperparameters(2, 1e-6, false);
    other.lengths[0] = 0.9;
    const auto fitted =
        fitWith(runs, form, {someHyperparameters(2, 1e-6, false), other}, {1, 2}, onCpu());
    const KrigingSurrogate surrogate(fitted.model, {0, 2});
    QCOMPARE(surrogate.groups(), 2);
    QCOMPARE(surrogate.rows(0), 0U);
    QCOMPARE(surrogate.rows(1), 2U);
    QCOMPARE(surrogate.rows(2), 3U);
    const std::array x{0.3, 0.6};
    const auto all = surrogate.weights(x, 2), first = surrogate.weights(x, 1);
    QCOMPARE(all.rows, (std::vector<std::uint64_t>{0, 1, 2}));
    QCOMPARE(first.rows, (std::vector<std::uint64_t>{0, 1}));
    QCOMPARE(first.weights[1], all.weights[1]);
    QCOMPARE(first.lastGroupBegin, 2U); // no row is the indicator's
    QCOMPARE(all.lastGroupBegin, 3U);
    GRIDHELM_EXPECT_ERROR(KrigingSurrogate(fitted.model, {0, 3}));
    GRIDHELM_EXPECT_ERROR(KrigingSurrogate(fitted.model, {1}));
    GRIDHELM_EXPECT_ERROR(KrigingSurrogate(fitted.model, {0, 2, 2}));
}

void KrigingTest::outsideItGoesOnLinearly()
{
    const KrigingSurrogate surrogate(
        oneGroup(someRuns(), {Smoothness::matern52, {}, true}, someHyperparameters(3, 1e-6, true))
            .model);
    const std::array end{1.0, 0.4, 0.0}, outside{1.25, 0.4, -0.5};
    const auto atEnd = valuesAt(surrogate, end);
    const auto byFirst = surrogate.derivativeWeights(end, 0, 1);
    const auto byLast = surrogate.derivativeWeights(end, 2, 1);
    const auto values = valuesAt(surrogate, outside, OutOfRange::extrapolated);
    for (std::size_t m = 0; m < 2; ++m)
        QVERIFY(
            std::abs(values[m] - (atEnd[m] + 0.25 * byFirst.weights[m] - 0.5 * byLast.weights[m]))
            < 1e-12);
    // So its slope there is that at the end.
    const auto slope = surrogate.derivativeWeights(outside, 0, 1, OutOfRange::extrapolated);
    QCOMPARE(slope.weights, byFirst.weights);
}

void KrigingTest::outputsOfAGroupAreAsAlone()
{
    const auto runs = someRuns();
    const Form form{Smoothness::matern92, {}, false};
    const auto hyperparameters = someHyperparameters(3, 1e-6, false);
    const auto together = oneGroup(runs, form, hyperparameters);
    for (std::size_t m = 0; m < 2; ++m) {
        const auto alone = oneGroup(onlyOutputs(runs, m, m + 1), form, hyperparameters);
        GRIDHELM_COMPARE_CLOSE(everyOther(together.leaveOneOut, m, 2), alone.leaveOneOut, 1e-10,
                               "");
    }
}

void KrigingTest::groupsLeftOutAreWhatTheOthersSay_data()
{
    QTest::addColumn<double>("nugget");
    QTest::addColumn<double>("length");
    QTest::addColumn<bool>("isLinear");
    for (const double nugget : {1e-11, 1e-6})
        for (const double length : {0.5, 4.0})
            for (const bool isLinear : {false, true})
                QTest::addRow("nugget %g, length %g, %s mean", nugget, length,
                              isLinear ? "linear" : "constant")
                    << nugget << length << isLinear;
}

void KrigingTest::groupsLeftOutAreWhatTheOthersSay()
{
    QFETCH(double, nugget);
    QFETCH(double, length);
    QFETCH(bool, isLinear);
    // Simulations at 14 places of two parameters, each with nine times, one after the other.
    constexpr std::size_t simulations = 14, times = 9;
    Random random(5);
    const auto places = latinHypercube(random, simulations, 2);
    std::vector<double> all;
    std::vector<std::size_t> groupOf;
    for (std::size_t time = 0; time < times; ++time)
        for (std::size_t i = 0; i < simulations; ++i) {
            all.insert(all.end(),
                       {places[2 * i], places[2 * i + 1], static_cast<double>(time) / (times - 1)});
            groupOf.push_back(100 - i);
        }
    const auto runs = runsOf(all, 3, smoothFunction, waveFunction);
    const Form form{Smoothness::matern52, isLinear ? std::vector{0, 2} : std::vector<int>(), false};
    const Hyperparameters hyperparameters{{length, 0.7 * length, length}, nugget, {}, {}};
    const auto model =
        fitWith(runs, form, {hyperparameters, hyperparameters}, {1, 1}, onCpu()).model;
    const auto found = leaveGroupsOut(model, groupOf, onCpu());
    QCOMPARE(leaveGroupsOut(model, groupOf, onCpu(3)), found);
    for (const std::size_t left : {0, 7, 13}) {
        std::vector<std::size_t> others;
        for (std::size_t run = 0; run < runs.runs; ++run)
            if (run % simulations != left)
                others.push_back(run);
        const KrigingSurrogate surrogate(
            fitWith(onlyRuns(runs, others), form, {hyperparameters}, {2}, onCpu()).model);
        for (std::size_t run = left; run < runs.runs; run += simulations) {
            const auto said = surrogate.weights({all.data() + 3 * run, 3}, 1);
            for (std::size_t m = 0; m < 2; ++m) {
                const double expected = runs.values[2 * run + m] - said.weights[m];
                QVERIFY2(std::abs(found[2 * run + m] - expected)
                             <= 1e-4 * std::abs(expected) + 1e-7,
                         QString("%1 %2").arg(found[2 * run + m]).arg(expected).toUtf8());
            }
        }
    }
    // One alone is surrogates.md, eq:kriging-left-out, as it stands.
    std::vector<std::size_t> alone(runs.runs);
    std::iota(alone.begin(), alone.end(), std::size_t{0});
    GRIDHELM_COMPARE_CLOSE(leaveGroupsOut(model, alone, onCpu()),
                           fitWith(runs, form, {hyperparameters}, {2}, onCpu()).leaveOneOut, 1e-4,
                           "");
    GRIDHELM_EXPECT_ERROR(leaveGroupsOut(model, std::vector<std::size_t>(runs.runs), onCpu()));
    GRIDHELM_EXPECT_ERROR(leaveGroupsOut(model, std::vector<std::size_t>(3), onCpu()));
}

GRIDHELM_TEST(KrigingTest)
#include "tst_kriging.moc"
