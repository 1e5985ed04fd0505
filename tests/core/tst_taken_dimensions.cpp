// SPDX-License-Identifier: GPL-3.0-or-later
//
// Interpolants of which some dimensions are taken at a place or averaged, against the whole ones.
#include "core/answers/taken_dimensions.h"

#include "tests/core/answers_cases.h"
#include "tests/core/expect_error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::answers;
using namespace gridhelm::test;
using sparse::BoundaryTreatment;

namespace {

double bumpy(std::span<const double> x)
{
    return std::exp(x[0] - x[1] * x[2]) + std::sin(5 * x[1] + x[0] * x[2]);
}

ResponseModel wholeOf(BoundaryTreatment treatment)
{
    return interpolantOf(bumpy, {3, 4, {}, {treatment, BoundaryTreatment::boundary, treatment}});
}

ResponseModel leftOf(const ResponseModel &whole,
                     const std::vector<std::optional<Measure>> &measures)
{
    const auto left = withTaken(*gridCoefficients(whole), measures);
    return {{{std::make_shared<sparse::SparseGridSurrogate>(left.grid), left.coefficients}}, {0.0}};
}

} // namespace

class TakenDimensionsTest : public QObject
{
    Q_OBJECT

private slots:
    void atAPlaceItIsTheWholeOneThere_data();
    void atAPlaceItIsTheWholeOneThere();
    void averagesAreThoseOfItsValues_data();
    void averagesAreThoseOfItsValues();
    void whatCannotBeIsSaid();
};

void TakenDimensionsTest::atAPlaceItIsTheWholeOneThere_data()
{
    QTest::addColumn<int>("treatment");
    const auto row = [](const char *name, BoundaryTreatment treatment) {
        QTest::newRow(name) << static_cast<int>(treatment);
    };
    row("hats", BoundaryTreatment::modified);
    row("ends", BoundaryTreatment::boundary);
    row("clenshaw-curtis", BoundaryTreatment::clenshawCurtis);
    row("leja", BoundaryTreatment::leja);
}

void TakenDimensionsTest::atAPlaceItIsTheWholeOneThere()
{
    QFETCH(int, treatment);
    const auto whole = wholeOf(static_cast<BoundaryTreatment>(treatment));
    const Measure first{{0.31}, {1}}, last{{0.77}, {1}};
    const auto middle = leftOf(whole, {first, std::nullopt, last});
    const auto outer = leftOf(whole, {std::nullopt, Measure{{0.45}, {1}}, std::nullopt});
    for (const double at : {0.0, 0.123, 0.5, 0.86, 1.0}) {
        QVERIFY(std::abs(middle.value(std::vector{at}) - whole.value(std::vector{0.31, at, 0.77}))
                <= 1e-12);
        QVERIFY(
            std::abs(outer.value(std::vector{at, 0.3}) - whole.value(std::vector{at, 0.45, 0.3}))
            <= 1e-12);
    }
}

void TakenDimensionsTest::averagesAreThoseOfItsValues_data()
{
    atAPlaceItIsTheWholeOneThere_data();
}

/// Against a midpoint rule that is much finer than the grid.
void TakenDimensionsTest::averagesAreThoseOfItsValues()
{
    QFETCH(int, treatment);
    const auto whole = wholeOf(static_cast<BoundaryTreatment>(treatment));
    const auto &grid = *gridCoefficients(whole)->grid;
    const auto first = leftOf(whole, {meanOver(grid, 0, 0, 1), meanOver(grid, 1, 0.6, 0.6), {}});
    const auto second =
        leftOf(whole, {meanOver(grid, 0, 0.31, 0.31), meanOver(grid, 1, 0.22, 0.71), {}});
    constexpr int nodes = 400;
    for (const double at : {0.2, 0.9}) {
        double ofFirst = 0, ofSecond = 0;
        for (int i = 0; i < nodes; ++i) {
            const double share = (i + 0.5) / nodes;
            ofFirst += whole.value(std::vector{share, 0.6, at}) / nodes;
            ofSecond += whole.value(std::vector{0.31, 0.22 + 0.49 * share, at}) / nodes;
        }
        QVERIFY(std::abs(first.value(std::vector{at}) - ofFirst) <= 2e-5);
        QVERIFY(std::abs(second.value(std::vector{at}) - ofSecond) <= 2e-5);
    }
    const auto place = meanOver(grid, 0, 0.4, 0.4);
    QCOMPARE(place.nodes, std::vector{0.4});
    QCOMPARE(place.weights, std::vector{1.0});
}

void TakenDimensionsTest::whatCannotBeIsSaid()
{
    const auto whole = *gridCoefficients(wholeOf(BoundaryTreatment::modified));
    const Measure place{{0.5}, {1}};
    GRIDHELM_EXPECT_ERROR(withTaken(whole, {place, place}));
    GRIDHELM_EXPECT_ERROR(withTaken(whole, {place, place, place}));
}

GRIDHELM_TEST(TakenDimensionsTest)
#include "tst_taken_dimensions.moc"
