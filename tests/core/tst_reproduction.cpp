// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a sparse grid holds, it reproduces exactly: combinations of its basis functions, and linear
// functions where the treatment has them.
#include "core/sparse/backend.h"

#include "tests/core/backends.h"
#include "tests/core/closeness.h"
#include "tests/core/definition.h"
#include "tests/core/random_grids.h"
#include "tests/core/sanitized.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

/// constant + sum_t slopes_t x_t + x_first x_second (if they differ): linear in every coordinate.
struct MultilinearFunction
{
    double constant;
    std::vector<double> slopes;
    std::size_t first, second;

    template <typename Coordinate>
    double operator()(std::span<const Coordinate> x) const
    {
        double sum = constant;
        for (std::size_t t = 0; t < x.size(); ++t)
            sum += slopes[t] * static_cast<double>(x[t]);
        if (first != second)
            sum += static_cast<double>(x[first]) * static_cast<double>(x[second]);
        return sum;
    }
};

MultilinearFunction randomLinearFunction(Random &random, int dimension)
{
    const auto d = static_cast<std::size_t>(dimension);
    MultilinearFunction function{random.real(-1, 1), {}, 0, 0};
    for (std::size_t t = 0; t < d; ++t)
        function.slopes.push_back(random.real(-1, 1));
    return function;
}

template <typename T>
void checkReproduction(const Backend &backend, const GridPointer &grid,
                       const MultilinearFunction &function, Random &random)
{
    std::vector<T> coefficients(grid->points());
    std::vector<double> x(static_cast<std::size_t>(grid->dimension()));
    for (std::uint64_t j = 0; j < grid->points(); ++j) {
        grid->coordinates(j, x);
        coefficients[j] = static_cast<T>(function(std::span<const double>(x)));
    }
    backend.hierarchize(*grid, std::span(coefficients));
    const auto points = randomPoints<T>(random, *grid, 50);
    const auto view = viewOf(points, *grid);
    std::vector<double> expected;
    for (std::size_t j = 0; j < view.count(); ++j)
        expected.push_back(function(view.point(j)));
    std::vector<T> result(view.count());
    backend.load(grid, coefficients)->interpolate(view, {result});
    // Every coefficient errs by about the rounding of the sampled values, also those that should be
    // zero; towards the corners `modified` functions pass this on doubled per dimension.
    const std::vector<T> errors(grid->points(), T(4));
    const double tolerance =
        interpolationTolerance<T>(*grid, interpolationScale(*grid, coefficients, points))
        + epsilon<T> * largestMagnitude(expected) * interpolationScale(*grid, errors, points);
    GRIDHELM_COMPARE_CLOSE(result, expected, tolerance, describe(*grid));
}

} // namespace

class ReproductionTest : public QObject
{
    Q_OBJECT

private slots:
    void combinationsOfBasisFunctionsGiveTheirCoefficients_data()
    {
        addBackendAndTypeRows(Backends::all);
    }
    void combinationsOfBasisFunctionsGiveTheirCoefficients();
    void boundaryReproducesLinearFunctions_data() { addBackendAndTypeRows(Backends::all); }
    void boundaryReproducesLinearFunctions();
    void boundaryReproducesProductsOfCoordinates_data() { addBackendAndTypeRows(Backends::all); }
    void boundaryReproducesProductsOfCoordinates();
    void modifiedReproducesLinearFunctions_data() { addBackendAndTypeRows(Backends::all); }
    void modifiedReproducesLinearFunctions();
};

void ReproductionTest::combinationsOfBasisFunctionsGiveTheirCoefficients()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(1);
        for (int i = 0; i < repeats(100); ++i) {
            const auto grid = randomGrid(random, 8, 300);
            const auto expected = randomValues<T>(random, grid->points());
            std::vector<T> values(grid->points());
            std::vector<double> x(static_cast<std::size_t>(grid->dimension()));
            double scale = 1;
            for (std::uint64_t j = 0; j < grid->points(); ++j) {
                grid->coordinates(j, x);
                std::vector<T> point(x.begin(), x.end());
                const auto sum = sumOfAllFunctions<T>(*grid, expected, point).value;
                values[j] = static_cast<T>(sum.value);
                scale = std::max(scale, sum.magnitude);
            }
            backend.hierarchize(*grid, std::span(values));
            // Rounding the values by eps * scale grows by up to 2 (hats) or 3 (where outermost
            // functions extrapolate) a dimension in the coefficients, though not everywhere at
            // once.
            double growth = 1;
            for (auto treatment : grid->treatments())
                growth *= endsOf(treatment).outermost == AtEnds{} ? 2 : 3;
            GRIDHELM_COMPARE_CLOSE(values, expected,
                                   hierarchizationTolerance<T>(*grid, scale * std::sqrt(growth)),
                                   describe(*grid));
        }
    });
}

void ReproductionTest::boundaryReproducesLinearFunctions()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(2);
        for (int i = 0; i < repeats(60) && !QTest::currentTestFailed(); ++i) {
            const auto d = static_cast<std::size_t>(random.integer(1, 6));
            const std::vector treatments(d, BoundaryTreatment::boundary);
            const auto grid = std::make_shared<SparseGrid>(
                treatments, randomClosedSet(random, treatments, 2'000));
            checkReproduction<T>(backend, grid, randomLinearFunction(random, grid->dimension()),
                                 random);
        }
    });
}

void ReproductionTest::boundaryReproducesProductsOfCoordinates()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(3);
        for (int i = 0; i < repeats(30) && !QTest::currentTestFailed(); ++i) {
            const int d = random.integer(2, 5);
            auto function = randomLinearFunction(random, d);
            function.second = static_cast<std::size_t>(d) - 1;
            const auto grid =
                makeGrid(GridShape(d, random.integer(1, 3), BoundaryTreatment::boundary));
            checkReproduction<T>(backend, grid, function, random);
        }
    });
}

void ReproductionTest::modifiedReproducesLinearFunctions()
{
    checkBackendAndType([]<typename T>(const Backend &backend) {
        Random random(4);
        for (int i = 0; i < repeats(60) && !QTest::currentTestFailed(); ++i) {
            const int d = random.integer(1, 8), level = random.integer(2, d <= 4 ? 6 : 4);
            std::vector<int> caps;
            for (int t = 0; t < d; ++t)
                caps.push_back(random.integer(2, level));
            // `boundary` mixes in well: it is linear too.
            auto treatments = std::vector(static_cast<std::size_t>(d), BoundaryTreatment::modified);
            if (random.chance(0.3))
                treatments[random.index(treatments.size())] = BoundaryTreatment::boundary;
            const auto grid = makeGrid(GridShape(d, level, caps, treatments));
            checkReproduction<T>(backend, grid, randomLinearFunction(random, d), random);
        }
        const auto grid = makeGrid(GridShape(20, 4, BoundaryTreatment::modified));
        checkReproduction<T>(backend, grid, randomLinearFunction(random, 20), random);
    });
}

GRIDHELM_TEST(ReproductionTest)
#include "tst_reproduction.moc"
