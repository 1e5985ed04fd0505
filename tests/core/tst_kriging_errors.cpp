// SPDX-License-Identifier: GPL-3.0-or-later
//
// What kriging refuses: runs, models and places that make no sense.
#include "core/kriging/fit.h"
#include "core/kriging/kriging_deviations.h"
#include "core/kriging/kriging_surrogate.h"

#include "tests/core/expect_error.h"
#include "tests/core/kriging_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::kriging;
using namespace gridhelm::test;

class KrigingErrorsTest : public QObject
{
    Q_OBJECT

private slots:
    void badRunsAreErrors();
    void badModelsAreErrors();
    void badPlacesAreErrors();
    void runsAtOnePlaceNeedANugget();
};

void KrigingErrorsTest::badRunsAreErrors()
{
    const auto good = someRuns();
    const Form form{Smoothness::matern52, {}, false};
    const auto hyperparameters = someHyperparameters(3, 1e-6, false);
    const auto tried = [&](auto change) {
        auto runs = good;
        change(runs);
        return [=] {
            fitWith(runs, form, {hyperparameters}, {runs.outputs}, onCpu());
            fit(runs, {}, onCpu());
        };
    };
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    GRIDHELM_EXPECT_ERROR(tried([](Runs &runs) { runs.values[7] = nan; })());
    GRIDHELM_EXPECT_ERROR(tried([](Runs &runs) { runs.values[0] = HUGE_VAL; })());
    GRIDHELM_EXPECT_ERROR(tried([](Runs &runs) { runs.places[4] = nan; })());
    GRIDHELM_EXPECT_ERROR(tried([](Runs &runs) { runs.places[4] = 1.01; })());
    GRIDHELM_EXPECT_ERROR(tried([](Runs &runs) { runs.places.pop_back(); })());
    GRIDHELM_EXPECT_ERROR(tried([](Runs &runs) { runs.values.pop_back(); })());
    GRIDHELM_EXPECT_ERROR(tried([](Runs &runs) { runs.dimension = 0; })());
    GRIDHELM_EXPECT_ERROR(tried([](Runs &runs) { runs = onlyRuns(runs, {0}); })());
    GRIDHELM_EXPECT_ERROR(tried([](Runs &runs) { runs = onlyRuns(runs, {}); })());
    // Fewer runs than the mean has terms; parameters that vary together.
    GRIDHELM_EXPECT_ERROR(fitWith(onlyRuns(good, {0, 1, 2}),
                                  {Smoothness::matern52, {0, 1, 2}, false}, {hyperparameters}, {2},
                                  onCpu()));
    const Runs together{4, 2, 1, {0.1, 0.1, 0.2, 0.2, 0.5, 0.5, 0.9, 0.9}, {1, 2, 3, 4}};
    GRIDHELM_EXPECT_ERROR(fitWith(together, {Smoothness::matern52, {0, 1}, false},
                                  {someHyperparameters(2, 1e-6, false)}, {1}, onCpu()));
    GRIDHELM_EXPECT_ERROR(fitWith(good, form, {hyperparameters}, {1}, onCpu()));
    GRIDHELM_EXPECT_ERROR(fitWith(good, form, {}, {}, onCpu()));
}

void KrigingErrorsTest::badModelsAreErrors()
{
    const auto good = oneGroup(someRuns(), {Smoothness::matern52, {0, 2}, true},
                               someHyperparameters(3, 1e-6, true))
                          .model;
    requireSound(good);
    const auto spoiled = [&](auto change) {
        auto model = good;
        change(model);
        return [model] { KrigingSurrogate{model}; };
    };
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    GRIDHELM_EXPECT_ERROR(spoiled([](Model &model) { model.dimension = 4; })());
    GRIDHELM_EXPECT_ERROR(spoiled([](Model &model) { model.dimension = -1; })());
    GRIDHELM_EXPECT_ERROR(spoiled([](Model &model) { model.runs = 0; })());
    GRIDHELM_EXPECT_ERROR(spoiled([](Model &model) { model.groups.clear(); })());
    GRIDHELM_EXPECT_ERROR(spoiled([](Model &model) { model.groups[0].form.linear = {3}; })());
    GRIDHELM_EXPECT_ERROR(spoiled([](Model &model) { model.groups[0].form.isWarped = false; })());
    GRIDHELM_EXPECT_ERROR(spoiled([](Model &model) { model.places[3] = nan; })());
    GRIDHELM_EXPECT_ERROR(spoiled([](Model &model) { model.groups[0].outputs = 1; })());
    GRIDHELM_EXPECT_ERROR(spoiled([](Model &model) { model.groups[0].weights[5] = nan; })());
    GRIDHELM_EXPECT_ERROR(
        spoiled([](Model &model) { model.groups[0].hyperparameters.lengths[0] = 0; })());
    GRIDHELM_EXPECT_ERROR(
        spoiled([](Model &model) { model.groups[0].hyperparameters.nugget = -1; })());
    GRIDHELM_EXPECT_ERROR(spoiled([](Model &model) { model.groups[0].variances[0] = -1; })());
}

void KrigingErrorsTest::badPlacesAreErrors()
{
    const auto model =
        oneGroup(someRuns(), {Smoothness::matern52, {}, false}, someHyperparameters(3, 1e-6, false))
            .model;
    const KrigingSurrogate surrogate(model);
    const KrigingDeviations deviations(model, onCpu());
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    GRIDHELM_EXPECT_ERROR(surrogate.weights(std::array{0.5, 0.5}, 1));
    GRIDHELM_EXPECT_ERROR(surrogate.weights(std::array{0.5, nan, 0.5}, 1));
    GRIDHELM_EXPECT_ERROR(
        surrogate.weights(std::array{0.5, nan, 0.5}, 1, OutOfRange::extrapolated));
    GRIDHELM_EXPECT_ERROR(surrogate.weights(std::array{0.5, 1.1, 0.5}, 1));
    GRIDHELM_EXPECT_ERROR(surrogate.derivativeWeights(std::array{0.5, 0.5, 0.5}, 3, 1));
    GRIDHELM_EXPECT_ERROR(surrogate.derivativeWeights(std::array{0.5, 0.5, 0.5}, -1, 1));
    GRIDHELM_EXPECT_ERROR(deviations.variances(std::array{0.5, 0.5}));
    GRIDHELM_EXPECT_ERROR(deviations.ofField(std::array{0.5, 0.5, nan}));
}

void KrigingErrorsTest::runsAtOnePlaceNeedANugget()
{
    const Runs runs{4, 1, 1, {0.1, 0.4, 0.4, 0.9}, {1, 2, 3, 2}};
    const Form form{Smoothness::matern52, {}, false};
    GRIDHELM_EXPECT_ERROR(oneGroup(runs, form, {{0.3}, 0, {}, {}}));
    const KrigingSurrogate surrogate(oneGroup(runs, form, {{0.3}, 1e-6, {}, {}}).model);
    QVERIFY(std::abs(valuesAt(surrogate, std::array{0.4}).front() - 2.5) < 1e-5); // their mean
}

GRIDHELM_TEST(KrigingErrorsTest)
#include "tst_kriging_errors.moc"
