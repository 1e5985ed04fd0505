// SPDX-License-Identifier: GPL-3.0-or-later
//
// Trade-offs of two responses, against fronts in closed form.
#include "core/answers/pareto_front.h"

#include "tests/core/answers_cases.h"
#include "tests/core/expect_error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::answers;
using namespace gridhelm::test;

namespace {

constexpr double pi = std::numbers::pi;

ResponseModel modelOf(int dimension, const UnitFunction &first, const UnitFunction &second)
{
    return {dimension, {}, {0.0, 0.0}, {{0, first}, {1, second}}};
}

Goal least(std::size_t response, std::vector<Constraint> constraints = {})
{
    return {Aim::minimum, response, 0, std::move(constraints), {}, {}};
}

/// [Schaffer1985]: x from -4 to 4, x^2 against (x - 2)^2; hollow towards the origin.
ResponseModel convex()
{
    return modelOf(
        1, [](auto x) { return std::pow(8 * x[0] - 4, 2); },
        [](auto x) { return std::pow(8 * x[0] - 6, 2); });
}
double convexFront(double first)
{
    return std::pow(std::sqrt(first) - 2, 2);
}

/// [Fonseca1995], two parameters from -2 to 2: places of the front are x = y within 1 / sqrt(2),
/// and it bulges away from the origin: no weighted sum of both has more than its ends.
ResponseModel bulging()
{
    const auto distance = [](std::span<const double> x, double to) {
        return 1 - std::exp(-std::pow(4 * x[0] - 2 - to, 2) - std::pow(4 * x[1] - 2 - to, 2));
    };
    const double at = 1 / std::numbers::sqrt2;
    return modelOf(
        2, [=](auto x) { return distance(x, at); }, [=](auto x) { return distance(x, -at); });
}
double bulgingFront(double first)
{
    return 1 - std::exp(-std::pow(2 - std::sqrt(-std::log(1 - first)), 2));
}

/// Schaffer's second one, in two pieces: x from -5 to 10, the front is at 1 .. 2 and 4 .. 5.
ResponseModel inPieces()
{
    return modelOf(
        1,
        [](auto x) {
            const double at = 15 * x[0] - 5;
            return at <= 1 ? -at : at <= 3 ? at - 2 : at <= 4 ? 4 - at : at - 4;
        },
        [](auto x) { return std::pow(15 * x[0] - 10, 2); });
}
/// The first one is -1 at 1, 0 at 2 and 4, and 1 at 5.
double frontInPieces(double first)
{
    return first < 0 ? std::pow(first + 2 - 5, 2) : std::pow(first + 4 - 5, 2);
}

struct Front
{
    const char *name;
    ResponseModel model;
    double (*second)(double first); ///< in closed form
    double low, high;               ///< of the first goal
    double widest;                  ///< gap of 25 places, of the front's width or height
};

std::vector<Front> fronts()
{
    const double end = 1 - std::exp(-4.0);
    return {{"convex", convex(), &convexFront, 0, 4, 0.1},
            {"bulging", bulging(), &bulgingFront, 0, end, 0.1},
            {"in pieces", inPieces(), &frontInPieces, -1, 1, 0.55}};
}

} // namespace

class ParetoFrontTest : public QObject
{
    Q_OBJECT

private slots:
    void placesAreThoseOfTheClosedForm_data();
    void placesAreThoseOfTheClosedForm();
    void noTriedPlaceIsBetterInBoth();
    void largestAndNearestAreGoals();
    void constraintsAndBoxesHold();
    void kinksOfSparseGridsDoNoHarm();
    void whatIsBestForBothIsOnePlace();
    void whatNothingFulfilsHasNoFront();
    void sameForAnyNumberOfThreads();
    void whatIsNotThereIsRefused();
};

void ParetoFrontTest::placesAreThoseOfTheClosedForm_data()
{
    QTest::addColumn<std::size_t>("index");
    const auto all = fronts();
    for (std::size_t i = 0; i < all.size(); ++i)
        QTest::newRow(all[i].name) << i;
}

void ParetoFrontTest::placesAreThoseOfTheClosedForm()
{
    QFETCH(std::size_t, index);
    const auto given = std::move(fronts()[index]);
    const auto front = paretoFront(given.model, least(0), least(1));
    QCOMPARE(front.size(), std::size_t{25});
    const double width = given.high - given.low;
    const double height = front.front().second - front.back().second;
    QVERIFY(std::abs(front.front().first - given.low) <= 1e-6 * width);
    // The second one's best to 1e-9 is enough, and costs less; in a hollow that is the root of it.
    QVERIFY(std::abs(front.back().first - given.high) <= 5e-4 * width);
    QVERIFY(front.back().second <= given.second(given.high) + 1e-7 * height);
    for (std::size_t i = 0; i < front.size(); ++i) {
        const auto &place = front[i];
        std::vector<double> values(2);
        given.model.values(place.x, values);
        QCOMPARE(place.values, values);
        QCOMPARE(place.first, values[0]);
        QCOMPARE(place.second, values[1]);
        // The distance along one axis, where the front is steep along the other.
        const double off =
            std::min(std::abs(place.second - given.second(place.first)),
                     std::abs(place.second - given.second(place.first - 1e-6 * width)));
        QVERIFY2(off <= 2e-5 * height, qPrintable(QString("%1: %2, %3 off by %4")
                                                      .arg(i)
                                                      .arg(place.first)
                                                      .arg(place.second)
                                                      .arg(off)));
        if (i == 0)
            continue;
        QVERIFY(place.first > front[i - 1].first && place.second < front[i - 1].second);
        QVERIFY((place.first - front[i - 1].first) / width <= given.widest);
        QVERIFY((front[i - 1].second - place.second) / height <= given.widest);
    }
}

void ParetoFrontTest::noTriedPlaceIsBetterInBoth()
{
    // Waves with many hollows, which no closed form is known of.
    const auto model = modelOf(
        2,
        [](auto x) { return x[0] + 0.1 * std::cos(9 * pi * x[0]) + 0.3 * std::pow(x[1] - 0.5, 2); },
        [](auto x) { return 1 - x[0] * x[0] + 0.2 * std::sin(6 * pi * x[1] + 3 * x[0]); });
    const auto front = paretoFront(model, least(0), least(1));
    QVERIFY(front.size() >= 10);
    for (int i = 0; i <= 60; ++i)
        for (int j = 0; j <= 60; ++j) {
            std::vector<double> values(2);
            model.values(std::vector{i / 60.0, j / 60.0}, values);
            for (const auto &place : front)
                QVERIFY(values[0] >= place.first - 1e-7 || values[1] >= place.second - 1e-7);
        }
}

void ParetoFrontTest::largestAndNearestAreGoals()
{
    // Of x + y and x y: small sums and large products, x = y.
    const auto model = modelOf(
        2, [](auto x) { return x[0] + x[1]; }, [](auto x) { return x[0] * x[1]; });
    const auto front = paretoFront(model, least(0), {Aim::maximum, 1, 0, {}, {}, {}});
    QVERIFY(front.front().first <= 1e-6 && front.back().second >= 1 - 1e-6);
    for (const auto &place : front)
        QVERIFY(std::abs(place.second - place.first * place.first / 4) <= 1e-5);
    // The sum near 1 and the product large: from 1/4 to 1, where the sum is 2.
    const auto near =
        paretoFront(model, {Aim::target, 0, 1, {}, {}, {}}, {Aim::maximum, 1, 0, {}, {}, {}});
    QVERIFY(std::abs(near.front().first - 1) <= 1e-6);
    QVERIFY(std::abs(near.front().second - 0.25) <= 1e-6);
    QVERIFY(near.size() > 10 && std::abs(near.back().first - 2) <= 1e-5);
}

void ParetoFrontTest::constraintsAndBoxesHold()
{
    const auto given = convex();
    const auto held = paretoFront(given, least(0, {{1, {}, 1.0}}), least(1));
    QVERIFY(held.size() > 10);
    QVERIFY(std::abs(held.front().second - 1) <= 1e-6); // x = 1
    auto half = least(0);
    half.low = {0.5};
    half.high = {0.625}; // x from 0 to 1
    for (const auto &place : paretoFront(given, half, least(1))) {
        QVERIFY(place.x[0] >= 0.5 && place.x[0] <= 0.625);
        QVERIFY(std::abs(place.second - convexFront(place.first)) <= 1e-4);
    }
}

void ParetoFrontTest::kinksOfSparseGridsDoNoHarm()
{
    // Piecewise linear, between 33 points: of x^2 and (x - 1)^2, on the same grid. All x are the
    // front, which is known at the points.
    const sparse::GridShape shape(1, 6, {}, {sparse::BoundaryTreatment::boundary});
    const auto one = interpolantOf([](std::span<const double> x) { return x[0] * x[0]; }, shape);
    const auto two =
        interpolantOf([](std::span<const double> x) { return (x[0] - 1) * (x[0] - 1); }, shape);
    std::vector<double> rows;
    for (std::size_t b = 0; b < one.parts()[0].rows.size(); ++b) {
        rows.push_back(one.parts()[0].rows[b]);
        rows.push_back(two.parts()[0].rows[b]);
    }
    const ResponseModel model{{{one.parts()[0].surrogate, rows}}, {0.0, 0.0}};
    const auto front = paretoFront(model, least(0), least(1));
    QCOMPARE(front.size(), std::size_t{25});
    for (const auto &place : front) {
        std::vector<double> values(2);
        model.values(std::vector{place.x[0]}, values);
        QVERIFY(std::abs(place.second - convexFront(4 * place.first) / 4) <= 1e-3);
        QCOMPARE(values[1], place.second);
    }
}

void ParetoFrontTest::whatIsBestForBothIsOnePlace()
{
    const auto model = modelOf(
        1, [](auto x) { return std::pow(x[0] - 0.3, 2); },
        [](auto x) { return 5 + std::abs(x[0] - 0.3); });
    const auto front = paretoFront(model, least(0), least(1));
    QCOMPARE(front.size(), std::size_t{1});
    QVERIFY(std::abs(front[0].x[0] - 0.3) <= 1e-3);
    const auto constant = modelOf(
        1, [](auto) { return 3.0; }, [](auto) { return 4.0; });
    QCOMPARE(paretoFront(constant, least(0), least(1)).size(), std::size_t{1});
    // Against one that is the same everywhere the best of the other is all there is.
    const auto oneSided = modelOf(
        1, [](auto x) { return std::pow(x[0] - 0.3, 2); }, [](auto) { return 4.0; });
    const auto best = paretoFront(oneSided, least(1), least(0));
    QCOMPARE(best.size(), std::size_t{1});
    QVERIFY(best[0].second <= 1e-9);
}

void ParetoFrontTest::whatNothingFulfilsHasNoFront()
{
    QVERIFY(paretoFront(convex(), least(0, {{1, 1e6, {}}}), least(1)).empty());
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto nothing = modelOf(
        1, [=](auto) { return nan; }, [](auto x) { return x[0]; });
    QVERIFY(paretoFront(nothing, least(0), least(1)).empty());
}

void ParetoFrontTest::sameForAnyNumberOfThreads()
{
    FrontOptions one, three;
    one.places = three.places = 9;
    one.search.places = three.search.places = 256;
    one.search.cpu.threads = 1;
    three.search.cpu.threads = 3;
    const auto a = paretoFront(bulging(), least(0), least(1), one);
    const auto b = paretoFront(bulging(), least(0), least(1), three);
    QCOMPARE(a.size(), std::size_t{9});
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        QCOMPARE(a[i].x, b[i].x);
}

void ParetoFrontTest::whatIsNotThereIsRefused()
{
    GRIDHELM_EXPECT_ERROR(paretoFront(convex(), least(0), least(2)));
    GRIDHELM_EXPECT_ERROR(paretoFront(convex(), least(3), least(1)));
    FrontOptions one;
    one.places = 1;
    GRIDHELM_EXPECT_ERROR(paretoFront(convex(), least(0), least(1), one));
}

GRIDHELM_TEST(ParetoFrontTest)
#include "tst_pareto_front.moc"
