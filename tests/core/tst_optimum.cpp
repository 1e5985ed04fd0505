// SPDX-License-Identifier: GPL-3.0-or-later
//
// Optima of surrogates, against many quasi-random places with a polish of their own.
#include "core/answers/optimum.h"

#include "core/answers/sample_points.h"
#include "tests/core/answers_cases.h"
#include "tests/core/expect_error.h"
#include "tests/core/sanitized.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::answers;
using namespace gridhelm::test;
using sparse::BoundaryTreatment;

namespace {

constexpr std::size_t placesTried = isSanitized ? 2'000 : 50'000;
constexpr std::size_t placesPolished = isSanitized ? 3 : 20;

struct Multimodal
{
    const char *name;
    int dimension;
    int degree;
    UnitFunction function;
};

double rastrigin(std::span<const double> x)
{
    double sum = 0;
    for (const double at : x) {
        const double z = 5 * (at - 0.43);
        sum += z * z - 2 * std::cos(2 * std::numbers::pi * z);
    }
    return sum;
}
double branin(std::span<const double> x)
{
    const double a = 15 * x[0] - 5, b = 15 * x[1];
    return std::pow(b - 5.1 / (4 * std::numbers::pi * std::numbers::pi) * a * a
                        + 5 / std::numbers::pi * a - 6,
                    2)
           + 10 * (1 - 1 / (8 * std::numbers::pi)) * std::cos(a) + 10;
}
double camel(std::span<const double> x)
{
    const double a = 4 * x[0] - 2, b = 2 * x[1] - 1;
    return (4 - 2.1 * a * a + a * a * a * a / 3) * a * a + a * b + (4 * b * b - 4) * b * b;
}
double waves(std::span<const double> x)
{
    double product = 1;
    for (std::size_t t = 0; t < x.size(); ++t)
        product *= std::cos((5 + static_cast<double>(t)) * x[t] + 0.3);
    return product + 0.2 * x[0];
}

const std::vector<Multimodal> &multimodal()
{
    static const std::vector<Multimodal> cases{
        {"rastrigin, hats", 2, 1, rastrigin}, {"rastrigin, cubic", 2, 3, rastrigin},
        {"branin, hats", 2, 1, branin},       {"branin, cubic", 2, 3, branin},
        {"camel, hats", 2, 1, camel},         {"camel, quadratic", 2, 2, camel},
        {"ishigami, hats", 3, 1, ishigami},   {"ishigami, cubic", 3, 3, ishigami},
        {"waves, hats", 4, 1, waves},         {"waves, quadratic", 3, 2, waves}};
    return cases;
}

ResponseModel modelOf(const Multimodal &given)
{
    const auto d = static_cast<std::size_t>(given.dimension);
    return interpolantOf(given.function, {given.dimension,
                                          given.dimension > 2 ? 5 : 7,
                                          {},
                                          std::vector(d, BoundaryTreatment::boundary),
                                          0,
                                          std::vector<int>(d, given.degree)});
}

/// Steps along axes and diagonals that halve, from one place.
double polish(const ResponseModel &model, std::vector<double> x, double value)
{
    const auto d = x.size();
    for (double step = 0x1p-6; step > 1e-9;) {
        bool isBetter = false;
        for (std::size_t code = 0; code < 9 * d * d; ++code) {
            const std::size_t i = code / 9 % d, j = code / 9 / d;
            auto next = x;
            next[i] += step * (static_cast<double>(code % 3) - 1);
            next[j] += step * (static_cast<double>(code / 3 % 3) - 1);
            for (auto &at : next)
                at = std::clamp(at, 0.0, 1.0);
            const double there = model.value(next);
            if (there < value) {
                x = next;
                value = there;
                isBetter = true;
            }
        }
        if (!isBetter)
            step /= 2;
    }
    return value;
}

} // namespace

class OptimumTest : public QObject
{
    Q_OBJECT

private slots:
    void minimaAreThoseOfManyPlaces_data();
    void minimaAreThoseOfManyPlaces();
    void maximaAndTargetsAreMet();
    void constraintsHold();
    void whatNothingFulfilsIsSaid();
    void whatIsNoNumberFulfilsNothing();
    void heldParametersStay();
    void singlePrecisionIsNotPolishedToTheLastDigitsOfDouble();
    void anOptimumAtAnEndIsAtTheEnd();
    void goalsThatNameNothingAreRefused();
};

void OptimumTest::minimaAreThoseOfManyPlaces_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < multimodal().size(); ++i)
        QTest::newRow(multimodal()[i].name) << static_cast<int>(i);
}

void OptimumTest::minimaAreThoseOfManyPlaces()
{
    QFETCH(int, index);
    const auto &given = multimodal()[static_cast<std::size_t>(index)];
    const auto model = modelOf(given);
    const auto found = optimize(model, {Aim::minimum, 0, 0, {}, {}, {}});
    QVERIFY(found.isFeasible);
    const auto d = static_cast<std::size_t>(given.dimension);
    const std::size_t count = placesTried;
    const auto points = scrambledPoints(count, given.dimension, 99);
    std::vector<std::pair<double, std::size_t>> values;
    for (std::size_t i = 0; i < count; ++i)
        values.emplace_back(model.value(std::span(points).subspan(i * d, d)), i);
    std::ranges::partial_sort(values, values.begin() + placesPolished);
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < placesPolished; ++k)
        best = std::min(
            best, polish(model,
                         {points.begin() + static_cast<std::ptrdiff_t>(values[k].second * d),
                          points.begin() + static_cast<std::ptrdiff_t>((values[k].second + 1) * d)},
                         values[k].first));
    QVERIFY2(found.values[0] <= best + 1e-6 * std::abs(best),
             qPrintable(QString("%1, and %2 by many places")
                            .arg(found.values[0], 0, 'g', 12)
                            .arg(best, 0, 'g', 12)));
    QCOMPARE(model.value(found.x), found.values[0]);
}

void OptimumTest::maximaAndTargetsAreMet()
{
    const auto model = modelOf(multimodal()[0]);
    const auto highest = optimize(model, {Aim::maximum, 0, 0, {}, {}, {}});
    const auto lowest = optimize(model, {Aim::minimum, 0, 0, {}, {}, {}});
    QVERIFY(highest.values[0] > lowest.values[0] + 1);
    const double target = 0.3 * highest.values[0] + 0.7 * lowest.values[0];
    const auto found = optimize(model, {Aim::target, 0, target, {}, {}, {}});
    QVERIFY(std::abs(found.values[0] - target) <= 1e-6 * std::abs(target));
}

namespace {

/// x + y and x y.
ResponseModel sumAndProduct()
{
    const sparse::GridShape shape(2, 2, {}, std::vector(2, BoundaryTreatment::boundary));
    const auto sum = interpolantOf([](std::span<const double> x) { return x[0] + x[1]; }, shape);
    const auto product =
        interpolantOf([](std::span<const double> x) { return x[0] * x[1]; }, shape);
    std::vector<double> rows;
    for (std::size_t b = 0; b < sum.parts()[0].rows.size(); ++b) {
        rows.push_back(sum.parts()[0].rows[b]);
        rows.push_back(product.parts()[0].rows[b]);
    }
    return {{{sum.parts()[0].surrogate, rows}}, {0.0, 0.0}};
}

} // namespace

void OptimumTest::constraintsHold()
{
    // The smallest x + y with x y >= 1/4 is at 1/2, 1/2.
    const auto found = optimize(sumAndProduct(), {Aim::minimum, 0, 0, {{1, 0.25, {}}}, {}, {}});
    QVERIFY(found.isFeasible);
    QVERIFY(found.values[1] >= 0.25 - 1e-8);
    QVERIFY2(std::abs(found.values[0] - 1) <= 1e-6,
             qPrintable(QString::number(found.values[0], 'g', 12)));
    // The largest x y with x + y <= 1 is there, too.
    const auto other = optimize(sumAndProduct(), {Aim::maximum, 1, 0, {{0, {}, 1.0}}, {}, {}});
    QVERIFY(std::abs(other.values[1] - 0.25) <= 1e-6);
}

void OptimumTest::whatNothingFulfilsIsSaid()
{
    const auto found = optimize(sumAndProduct(), {Aim::minimum, 0, 0, {{1, 2.0, {}}}, {}, {}});
    QVERIFY(!found.isFeasible);
    QVERIFY(std::abs(found.violation - 1) <= 0.01); // of x y, which spans 0 to 1
    QVERIFY(std::abs(found.values[1] - 1) <= 1e-6); // as near as it gets
}

void OptimumTest::whatIsNoNumberFulfilsNothing()
{
    const auto model = sumAndProduct();
    const ResponseModel broken(model.parts(), {0.0, std::numeric_limits<double>::quiet_NaN()});
    QVERIFY(!optimize(broken, {Aim::minimum, 0, 0, {{1, 0.1, {}}}, {}, {}}).isFeasible);
}

void OptimumTest::heldParametersStay()
{
    const auto found =
        optimize(sumAndProduct(), {Aim::minimum, 0, 0, {}, {0.25, 0.1}, {0.25, 0.6}});
    QCOMPARE(found.x[0], 0.25);
    QVERIFY(std::abs(found.x[1] - 0.1) <= 1e-9);
    const auto nothing =
        optimize(sumAndProduct(), {Aim::minimum, 0, 0, {}, {0.25, 0.5}, {0.25, 0.5}});
    QCOMPARE(nothing.values[1], 0.125);
}

/// Of fields, each evaluation of which takes milliseconds.
void OptimumTest::singlePrecisionIsNotPolishedToTheLastDigitsOfDouble()
{
    const auto valley = [](std::span<const double> x) {
        return static_cast<double>(
            static_cast<float>(3 + std::abs(x[0] - 0.37) + (x[1] - 0.61) * (x[1] - 0.61)));
    };
    const auto modelWith = [&](double step) {
        return ResponseModel(2, {}, {0.0}, {{0, valley, step}});
    };
    QVERIFY(modelWith(ResponseModel::inSingle).isInSingle());
    QVERIFY(!modelWith(ResponseModel::inDouble).isInSingle());
    const OptimumOptions few{64, 4, 1, {}};
    const auto fine = optimize(modelWith(ResponseModel::inDouble), {Aim::minimum, 0}, few);
    const auto coarse = optimize(modelWith(ResponseModel::inSingle), {Aim::minimum, 0}, few);
    QVERIFY(std::abs(coarse.values[0] - 3) <= 1e-5);
    QVERIFY(coarse.values[0] <= fine.values[0] + 1e-6);
    QVERIFY2(5 * coarse.evaluations <= 4 * fine.evaluations,
             qPrintable(QString("%1 of %2").arg(coarse.evaluations).arg(fine.evaluations)));
}

void OptimumTest::anOptimumAtAnEndIsAtTheEnd()
{
    // Values that are noisy by the last digits of single precision, as reduced fields are.
    const ResponseModel rounded(2, {}, {0.0},
                                {{0,
                                  [](std::span<const double> x) {
                                      return x[0] * x[0] + (1 - x[1]) * (1 + x[0])
                                             - 2e-8 * std::abs(std::sin(1e7 * (x[0] + 1 - x[1])));
                                  },
                                  ResponseModel::inSingle}});
    const auto found = optimize(rounded, {Aim::minimum, 0, 0, {}, {}, {}});
    QCOMPARE(found.x, (std::vector<double>{0, 1}));
    QCOMPARE(found.values[0], 0.0);
    // Of a box inside of the ranges it is the box's end, and an optimum beside an end stays there.
    const auto inBox = optimize(rounded, {Aim::minimum, 0, 0, {}, {0.3, 0.1}, {0.7, 0.6}});
    QCOMPARE(inBox.x, (std::vector<double>{0.3, 0.6}));
    const ResponseModel beside(1, {}, {0.0},
                               {{0, [](std::span<const double> x) { return std::abs(x[0] - 1e-5); },
                                 ResponseModel::inDouble}});
    QVERIFY(std::abs(optimize(beside, {Aim::minimum, 0, 0, {}, {}, {}}).x[0] - 1e-5) < 1e-7);
}

void OptimumTest::goalsThatNameNothingAreRefused()
{
    GRIDHELM_EXPECT_ERROR(optimize(sumAndProduct(), {Aim::minimum, 2, 0, {}, {}, {}}));
    GRIDHELM_EXPECT_ERROR(optimize(sumAndProduct(), {Aim::minimum, 0, 0, {{5, 0.0, {}}}, {}, {}}));
    GRIDHELM_EXPECT_ERROR(
        optimize(sumAndProduct(), {Aim::minimum, 0, 0, {}, {0.5, 0.0}, {0.2, 1.0}}));
}

GRIDHELM_TEST(OptimumTest)
#include "tst_optimum.moc"
