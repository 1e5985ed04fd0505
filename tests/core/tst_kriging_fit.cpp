// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kriging with hyperparameters that are fitted: what is chosen, from which runs, and what errors
// say.
#include "core/kriging/field_errors.h"
#include "core/kriging/fit.h"
#include "core/kriging/kriging_surrogate.h"
#include "core/kriging/likelihood.h"
#include "core/kriging/mixture.h"

#include "tests/core/closeness.h"
#include "tests/core/expect_error.h"
#include "tests/core/kriging_cases.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string>

using namespace gridhelm;
using namespace gridhelm::kriging;
using namespace gridhelm::test;

namespace {

double norm(const std::vector<double> &values)
{
    return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

std::vector<double> output(const std::vector<double> &values, std::size_t outputs, std::size_t m)
{
    std::vector<double> result;
    for (std::size_t i = m; i < values.size(); i += outputs)
        result.push_back(values[i]);
    return result;
}

/// The first output's error at random places, relative, in the 2-norm.
template <typename Function>
double relativeError(const Model &model, Function function)
{
    Random random(99);
    const KrigingSurrogate surrogate(model);
    std::vector<double> errors, exact;
    for (int i = 0; i < 300; ++i) {
        std::vector<double> x(static_cast<std::size_t>(model.dimension));
        for (double &coordinate : x)
            coordinate = random.real();
        const auto weights = surrogate.weights(x, 1);
        exact.push_back(function(x));
        errors.push_back((weights.weights.empty() ? 0 : weights.weights.front()) - exact.back());
    }
    return norm(errors) / norm(exact);
}

FitOptions only(Smoothness smoothness, Use linearMean, Use warping)
{
    FitOptions options;
    options.smoothnesses = {smoothness};
    options.linearMean = linearMean;
    options.warping = warping;
    return options;
}

Runs smoothRuns(std::size_t count, int dimension)
{
    Random random(3);
    return runsOf(latinHypercube(random, count, dimension), dimension, smoothFunction);
}

} // namespace

class KrigingFitTest : public QObject
{
    Q_OBJECT

private slots:
    void resultDoesNotDependOnThreads();
    void itTellsHowFarItIs();
    void itStopsWhereverItIs();
    void climbEndsAtAMaximum();
    void errorFallsWithRuns();
    void lengthsTellWhatMatters();
    void warpingIsChosenForALayer();
    void choicesAreTheSmallestErrors();
    void choicesCanBeMadeByHand();
    void ownHyperparametersAreKeptWhereTheyHelp();
    void sharesOfAMixtureAreTheBest();
    void eachOutputHasItsForm();
    void othersShareHyperparameters();
    void leaveOneOutIsNearTheTruth();

    void spreadSubsetTakesWhatIsFar();
    void manyRunsAreFittedByAFew();

    void noiseBecomesANugget();
    void repeatedRunsAreFitted();
    void constantParameterIsNoObstacle();
    void constantOutputsAreTheirValue();
    void fewRunsAreFitted();
    void impossibleOptionsAreErrors();

    void fieldErrorsAddEnergies();
    void badFieldErrorsAreErrors();
};

void KrigingFitTest::resultDoesNotDependOnThreads()
{
    Random random(4);
    const auto runs = runsOf(latinHypercube(random, 25, 3), 3, smoothFunction, waveFunction,
                             layerFunction, smoothFunction, waveFunction);
    FitOptions options;
    options.refined = 3;
    const auto expected = fit(runs, options, onCpu(1));
    for (const int threads : {2, 5}) {
        const auto result = fit(runs, options, onCpu(threads));
        QVERIFY(result.model == expected.model);
        QCOMPARE(result.leaveOneOut, expected.leaveOneOut);
        QCOMPARE(result.evaluations, expected.evaluations);
    }
}

void KrigingFitTest::itTellsHowFarItIs()
{
    const auto runs = smoothRuns(40, 2);
    std::vector<double> told;
    FitOptions options;
    options.hyperparameterRuns = 20;
    options.progress = [&](double share) {
        told.push_back(share);
        return true;
    };
    const auto watched = fit(runs, options, onCpu(1));
    options.progress = {};
    QVERIFY(watched.model == fit(runs, options, onCpu(1)).model);
    QVERIFY(told.size() > 50);
    QVERIFY(std::ranges::is_sorted(told));
    QVERIFY(told.front() > 0 && told.front() < 0.1);
    QCOMPARE(told.back(), 1.0);
}

void KrigingFitTest::itStopsWhereverItIs()
{
    const auto runs = smoothRuns(30, 2);
    std::atomic<int> told = 0;
    FitOptions options;
    options.progress = [&](double) {
        ++told;
        return true;
    };
    fit(runs, options, onCpu());
    const int all = told;
    for (const int threads : {1, 3}) {
        for (int last = 0; last < all; last += all / 9) {
            told = 0;
            options.progress = [&](double) { return ++told <= last; };
            QVERIFY_THROWS_EXCEPTION(FitStopped, fit(runs, options, onCpu(threads)));
            QVERIFY(told <= last + 10); // each other climb of that stage was told once
        }
    }
}

void KrigingFitTest::climbEndsAtAMaximum()
{
    const auto runs = smoothRuns(40, 2);
    for (const Use warping : {Use::never, Use::always}) {
        const auto fitted = fit(runs, only(Smoothness::matern52, Use::never, warping), onCpu());
        const Likelihood likelihood(runs, fitted.model.groups[0].form);
        const auto place = likelihood.logarithms(fitted.model.groups[0].hyperparameters);
        const double reached = likelihood.value(place, {});
        for (std::size_t k = 0; k < place.size(); ++k) {
            for (const double step : {-0.3, 0.3}) {
                auto beside = place;
                beside[k] += step;
                QVERIFY2(likelihood.value(beside, {}) > reached - 0.05,
                         qPrintable(QString::number(k)));
            }
        }
    }
}

void KrigingFitTest::errorFallsWithRuns()
{
    const double few = relativeError(fit(smoothRuns(20, 3), {}, onCpu()).model, smoothFunction);
    const double many = relativeError(fit(smoothRuns(80, 3), {}, onCpu()).model, smoothFunction);
    QVERIFY(few < 0.05);
    QVERIFY(many < few / 8);
}

void KrigingFitTest::lengthsTellWhatMatters()
{
    Random random(7);
    const auto function = [](std::span<const double> x) { return std::sin(6 * x[1]) + 0.1 * x[2]; };
    const auto runs = runsOf(latinHypercube(random, 40, 3), 3, function);
    const auto lengths = fit(runs, only(Smoothness::matern52, Use::never, Use::never), onCpu())
                             .model.groups[0]
                             .hyperparameters.lengths;
    QVERIFY(lengths[1] < lengths[2] / 3);
    QVERIFY(lengths[1] < lengths[0] / 3);
}

void KrigingFitTest::warpingIsChosenForALayer()
{
    Random random(11);
    const auto layer = [](std::span<const double> x) { return std::log(0.02 + x[0]) + x[1]; };
    const auto runs = runsOf(latinHypercube(random, 25, 2), 2, layer);
    const auto plain = fit(runs, only(Smoothness::matern52, Use::never, Use::never), onCpu());
    const auto chosen = fit(runs, only(Smoothness::matern52, Use::never, Use::chosen), onCpu());
    QVERIFY(chosen.model.groups[0].form.isWarped);
    const double with = relativeError(chosen.model, layer);
    const double without = relativeError(plain.model, layer);
    QVERIFY2(with < 0.9 * without, qPrintable(QString("%1 for %2").arg(with).arg(without)));
}

void KrigingFitTest::choicesAreTheSmallestErrors()
{
    FitOptions options;
    options.mixed = 0;
    const auto fitted = fit(smoothRuns(30, 3), options, onCpu());
    QCOMPARE(fitted.candidates.size(), 16U); // four, times two, times two
    std::set<std::string> forms;
    double smallest = std::numeric_limits<double>::infinity(), ofChosen = 0;
    for (const auto &candidate : fitted.candidates) {
        forms.insert(std::string(nameOf(candidate.form.smoothness))
                     + (candidate.form.linear.empty() ? "c" : "l")
                     + (candidate.form.isWarped ? "w" : "p"));
        const double error = candidate.leaveOneOut * (candidate.form.isWarped ? 1.2 : 1);
        smallest = std::min(smallest, error);
        if (candidate.form == fitted.model.groups[0].form)
            ofChosen = error;
    }
    QCOMPARE(forms.size(), 16U);
    QCOMPARE(ofChosen, smallest);
}

void KrigingFitTest::choicesCanBeMadeByHand()
{
    const auto runs = smoothRuns(30, 3);
    const auto always = fit(runs, only(Smoothness::matern32, Use::always, Use::always), onCpu());
    QCOMPARE(always.candidates.size(), 1U);
    QVERIFY((always.model.groups[0].form == Form{Smoothness::matern32, {0, 1, 2}, true}));
    const auto never = fit(runs, only(Smoothness::gaussian, Use::never, Use::never), onCpu());
    QCOMPARE(never.candidates.size(), 1U);
    QVERIFY((never.model.groups[0].form == Form{Smoothness::gaussian, {}, false}));
}

void KrigingFitTest::ownHyperparametersAreKeptWhereTheyHelp()
{
    Random random(12);
    const auto along = [](int t) {
        return
            [t](std::span<const double> x) { return std::sin(9 * x[static_cast<std::size_t>(t)]); };
    };
    const auto runs = runsOf(latinHypercube(random, 25, 2), 2, along(0), along(1));
    FitOptions options;
    options.mixed = 0;
    const auto own = fit(runs, options, onCpu());
    options.refined = 0;
    options.sharedGroups = 1;
    const auto shared = fit(runs, options, onCpu());
    QCOMPARE(own.model.groups.size(), 2U);
    const auto candidate =
        std::ranges::find(own.candidates, own.model.groups[0].form, &Candidate::form);
    const auto leading =
        fitWith(runs, own.model.groups[0].form, {candidate->hyperparameters}, {2}, onCpu());
    for (std::size_t m = 0; m < 2; ++m)
        QVERIFY(norm(output(own.leaveOneOut, 2, m))
                <= norm(output(leading.leaveOneOut, 2, m)) * (1 + 1e-9));
    const double with = norm(own.leaveOneOut), without = norm(shared.leaveOneOut);
    QVERIFY2(with < 0.9 * without, qPrintable(QString("%1 for %2").arg(with).arg(without)));
}

/// Of all shares in steps of a hundredth, of any two.
void KrigingFitTest::sharesOfAMixtureAreTheBest()
{
    Random random(31);
    for (int round = 0; round < 50; ++round) {
        std::vector<MixturePart> parts(static_cast<std::size_t>(random.integer(1, 5)));
        for (auto &part : parts) {
            part.leaveOneOut = randomValues<double>(random, 20);
            part.caution = random.real(1, 1.5);
        }
        const auto errorOf = [&](const std::vector<double> &shares) {
            double sum = 0;
            for (std::size_t i = 0; i < 20; ++i) {
                double mixed = 0;
                for (std::size_t k = 0; k < parts.size(); ++k)
                    mixed += shares[k] * parts[k].caution * parts[k].leaveOneOut[i];
                sum += mixed * mixed;
            }
            return sum;
        };
        const auto found = mixtureShares(parts);
        double total = 0;
        for (const double share : found) {
            QVERIFY(share >= 0);
            total += share;
        }
        QVERIFY(std::abs(total - 1) < 1e-12);
        QVERIFY(std::ranges::count_if(found, [](double share) { return share > 0; }) <= 2);
        for (std::size_t i = 0; i < parts.size(); ++i)
            for (std::size_t j = 0; j < parts.size(); ++j)
                for (int step = 0; step <= 100; ++step) {
                    if (i != j && (step == 1 || step == 99))
                        continue; // less than what is worth its time
                    std::vector<double> shares(parts.size());
                    shares[i] += 1 - 0.01 * step;
                    shares[j] += 0.01 * step;
                    QVERIFY(errorOf(found) <= errorOf(shares) * (1 + 1e-9));
                }
    }
}

/// A wave and an output with kinks, which no one form fits.
void KrigingFitTest::eachOutputHasItsForm()
{
    Random random(5);
    const auto wave = [](std::span<const double> x) { return std::sin(8 * x[0] + 3 * x[1]); };
    const auto kinked = [](std::span<const double> x) {
        return std::abs(x[0] - 0.43) + 0.5 * std::abs(x[1] - 0.61);
    };
    const auto runs = runsOf(latinHypercube(random, 40, 2), 2, wave, kinked);
    FitOptions options;
    const auto each = fit(runs, options, onCpu());
    options.mixed = 0;
    const auto together = fit(runs, options, onCpu());
    for (std::size_t m = 0; m < 2; ++m)
        QVERIFY(norm(output(each.leaveOneOut, 2, m))
                <= norm(output(together.leaveOneOut, 2, m)) * (1 + 1e-9));
    const auto errorOf = [&](const Fit &fitted) {
        const KrigingSurrogate surrogate(fitted.model);
        double sum = 0;
        Random places(6);
        for (int i = 0; i < 200; ++i) {
            const std::vector x{places.real(), places.real()};
            sum += std::pow(valuesAt(surrogate, x)[1] - kinked(x), 2);
        }
        return std::sqrt(sum);
    };
    const double own = errorOf(each), shared = errorOf(together);
    QVERIFY2(own < 0.6 * shared, qPrintable(QString("%1 for %2").arg(own).arg(shared)));
    QVERIFY(!each.model.hasOneForm() && together.model.hasOneForm());
    QVERIFY(fitWith(runs, componentsOf(each.model), onCpu()).model == each.model);
    options = {};
    options.mixed = 60;
    QVERIFY(fit(runs, options, onCpu(2)).model == each.model);
}

void KrigingFitTest::othersShareHyperparameters()
{
    Random random(13);
    auto runs = smoothRuns(12, 2);
    const auto places = runs.places;
    runs.outputs = 9;
    runs.values = randomValues<double>(random, runs.runs * runs.outputs);
    FitOptions options = only(Smoothness::matern52, Use::never, Use::never);
    options.refined = 2;
    options.sharedGroups = 3;
    options.mixed = 0;
    const auto fitted = fit(runs, options, onCpu());
    QCOMPARE(fitted.model.outputs(), 9U);
    QCOMPARE(fitted.leaveOneOut.size(), 12U * 9U);
    std::vector<std::size_t> sizes;
    for (const auto &group : fitted.model.groups)
        sizes.push_back(group.outputs);
    QCOMPARE(sizes, (std::vector<std::size_t>{1, 1, 2, 2, 3}));
}

void KrigingFitTest::leaveOneOutIsNearTheTruth()
{
    for (const int dimension : {2, 4}) {
        const auto runs = smoothRuns(50, dimension);
        const auto fitted = fit(runs, {}, onCpu());
        const double estimated = norm(fitted.leaveOneOut) / norm(runs.values);
        const double real = relativeError(fitted.model, smoothFunction);
        QVERIFY2(estimated < 3 * real && real < 4 * estimated,
                 qPrintable(QString("%1 for %2").arg(estimated).arg(real)));
    }
}

void KrigingFitTest::spreadSubsetTakesWhatIsFar()
{
    // The middle, the ends, then the first of equals; doubles last.
    const Runs runs{6, 1, 1, {0.1, 0.5, 0.12, 1.0, 0.5, 0.75}, {0, 0, 0, 0, 0, 0}};
    QCOMPARE(spreadSubset(runs, 1), (std::vector<std::size_t>{1}));
    QCOMPARE(spreadSubset(runs, 2), (std::vector<std::size_t>{1, 3}));
    QCOMPARE(spreadSubset(runs, 3), (std::vector<std::size_t>{0, 1, 3}));
    QCOMPARE(spreadSubset(runs, 4), (std::vector<std::size_t>{0, 1, 3, 5}));
    QCOMPARE(spreadSubset(runs, 5), (std::vector<std::size_t>{0, 1, 2, 3, 5}));
    QCOMPARE(spreadSubset(runs, 60), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
}

void KrigingFitTest::manyRunsAreFittedByAFew()
{
    const auto runs = smoothRuns(60, 2);
    auto options = only(Smoothness::matern52, Use::never, Use::never);
    options.hyperparameterRuns = 25;
    const auto fitted = fit(runs, options, onCpu());
    const auto few = fit(onlyRuns(runs, spreadSubset(runs, 25)), options, onCpu());
    QVERIFY(fitted.model.groups[0].hyperparameters == few.model.groups[0].hyperparameters);
    QCOMPARE(fitted.model.runs, 60U);
    QCOMPARE(fitted.leaveOneOut.size(), 60U);
    QVERIFY(relativeError(fitted.model, smoothFunction)
            < relativeError(few.model, smoothFunction) / 3);
}

void KrigingFitTest::noiseBecomesANugget()
{
    Random random(14);
    auto runs = smoothRuns(80, 2);
    for (double &value : runs.values)
        value += 0.05 * random.real(-1, 1); // standard deviation 0.029
    const auto fitted = fit(runs, {}, onCpu());
    const auto &group = fitted.model.groups[0];
    const double noise = std::sqrt(group.variances[0] * group.hyperparameters.nugget);
    QVERIFY2(noise > 0.02 && noise < 0.04, qPrintable(QString::number(noise)));
    QVERIFY(relativeError(fitted.model, smoothFunction) < 0.03); // smoothed
}

void KrigingFitTest::repeatedRunsAreFitted()
{
    auto runs = smoothRuns(20, 2);
    const auto once = relativeError(fit(runs, {}, onCpu()).model, smoothFunction);
    for (int repeat = 0; repeat < 5; ++repeat) {
        runs.places.insert(runs.places.end(), {runs.places[0], runs.places[1]});
        runs.values.push_back(runs.values[0]);
        ++runs.runs;
    }
    const auto repeated = relativeError(fit(runs, {}, onCpu()).model, smoothFunction);
    QVERIFY2(repeated < 2 * once, qPrintable(QString("%1 for %2").arg(repeated).arg(once)));
}

void KrigingFitTest::constantParameterIsNoObstacle()
{
    Random random(15);
    auto places = latinHypercube(random, 30, 3);
    for (std::size_t i = 1; i < places.size(); i += 3)
        places[i] = 0.5;
    const auto function = [](std::span<const double> x) { return std::cos(3 * x[0]) + x[2]; };
    const auto fitted = fit(runsOf(places, 3, function), {}, onCpu());
    for (const int t : fitted.model.groups[0].form.linear)
        QVERIFY(t != 1);
    QVERIFY(relativeError(fitted.model, function) < 0.01); // at any value of that parameter
}

void KrigingFitTest::constantOutputsAreTheirValue()
{
    auto runs = smoothRuns(15, 2);
    const auto varying = fit(runs, {}, onCpu());
    std::vector<double> values;
    for (const double value : runs.values)
        values.insert(values.end(), {value, 3.0, 0.0});
    runs.values = values;
    runs.outputs = 3;
    const auto fitted = fit(runs, {}, onCpu());
    const KrigingSurrogate surrogate(fitted.model);
    const auto weights = surrogate.weights(std::array{0.2, 0.9}, 1);
    QCOMPARE(weights.rows, (std::vector<std::uint64_t>{0, 1})); // the third is 0
    QVERIFY(std::abs(weights.weights[1] - 3) < 1e-12);
    QVERIFY(largestMagnitude(output(fitted.leaveOneOut, 3, 1)) < 1e-12);
    QVERIFY(fitted.model.groups[0].form == varying.model.groups[0].form);

    runs.outputs = 1;
    runs.values.assign(15, -2.0);
    const KrigingSurrogate constant(fit(runs, {}, onCpu()).model);
    QVERIFY(std::abs(constant.weights(std::array{0.2, 0.9}, 1).weights[0] + 2) < 1e-12);
}

void KrigingFitTest::fewRunsAreFitted()
{
    for (const std::size_t count : {2U, 3U, 4U, 5U, 6U}) {
        const auto runs = smoothRuns(count, 3);
        const auto fitted = fit(runs, {}, onCpu());
        QVERIFY2(relativeError(fitted.model, smoothFunction) < 0.5,
                 qPrintable(QString::number(count)));
        for (const double error : fitted.leaveOneOut)
            QVERIFY(std::isfinite(error));
        // With so few, errors that are left out are luck.
        QVERIFY(fitted.model.groups[0].form.linear.empty()
                && !fitted.model.groups[0].form.isWarped);
    }
}

void KrigingFitTest::impossibleOptionsAreErrors()
{
    const auto runs = smoothRuns(4, 3);
    FitOptions options;
    options.smoothnesses.clear();
    GRIDHELM_EXPECT_ERROR(fit(runs, options, onCpu()));
    options = {};
    options.leading = 0;
    GRIDHELM_EXPECT_ERROR(fit(runs, options, onCpu()));
    options = {};
    options.linearMean = Use::always;
    GRIDHELM_EXPECT_ERROR(fit(runs, options, onCpu())); // four runs, four terms
}

void KrigingFitTest::fieldErrorsAddEnergies()
{
    const std::array leaveOneOut{3.0, 4.0, 0.0, 1.0, 0.0, 0.0}; // three runs, two modes
    const std::array cut{11.0, 3.0, 0.0}, norms{144.0, 16.0, 0.0};
    const auto errors = fieldLeaveOneOut(leaveOneOut, cut, norms);
    GRIDHELM_COMPARE_CLOSE(errors.relative, (std::vector<double>{0.5, 0.5, 0}), 1e-15, "");
    QVERIFY(std::abs(errors.mean - 1.0 / 3) < 1e-15);
    QVERIFY(std::abs(errors.rootMeanSquare - std::sqrt(0.5 / 3)) < 1e-15);
    QCOMPARE(errors.largest, 0.5);
    QVERIFY(std::abs(fieldLeaveOneOut(leaveOneOut, {}, norms).relative[0] - 5.0 / 12) < 1e-15);
    const std::array nothing{0.0, 0.0, 0.0};
    QCOMPARE(fieldLeaveOneOut(leaveOneOut, {}, nothing).relative[0], 5.0); // the absolute one
}

void KrigingFitTest::badFieldErrorsAreErrors()
{
    const std::array three{1.0, 2.0, 3.0}, bad{1.0, -1.0, 1.0};
    const std::array two{1.0, 2.0};
    GRIDHELM_EXPECT_ERROR(fieldLeaveOneOut(three, {}, {}));
    GRIDHELM_EXPECT_ERROR(fieldLeaveOneOut(three, {}, two));
    GRIDHELM_EXPECT_ERROR(fieldLeaveOneOut(three, two, three));
    GRIDHELM_EXPECT_ERROR(fieldLeaveOneOut(three, bad, three));
    GRIDHELM_EXPECT_ERROR(fieldLeaveOneOut(three, {}, bad));
    const std::array nan{1.0, std::numeric_limits<double>::quiet_NaN(), 1.0};
    GRIDHELM_EXPECT_ERROR(fieldLeaveOneOut(nan, {}, three));
}

GRIDHELM_TEST(KrigingFitTest)
#include "tst_kriging_fit.moc"
