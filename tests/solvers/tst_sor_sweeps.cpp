// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fast SOR sweeps against the literal ones, and the literal ones against hand-made cases.
#include "core/solvers/poisson_reference.h"
#include "core/solvers/sor/mlssor_tiling.h"
#include "core/solvers/sor/sor_literal.h"
#include "core/solvers/sor/sor_options.h"
#include "tests/solvers/sor_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::solvers;

namespace {

constexpr double w = 1.7;

/// So many iterations of the literal method.
std::vector<double> literalValues(const PoissonProblem &problem,
                                  const test::TestedSettings &settings, std::size_t iterations)
{
    reference::LiteralSor literal(problem);
    const auto direction = directionOf(settings.options);
    bool backward = direction == SweepDirection::backward;
    const auto shape = shapeOf(settings.options);
    const auto layers = settings.method == "mlssor" ? shape.layers : 1;
    for (std::size_t i = 0; i < iterations; i += layers) {
        if (settings.method == "red-black")
            literal.redBlackSweep(w);
        else if (settings.method == "mlssor")
            literal.multiLayerSweep(w, shape, backward);
        else if (backward)
            literal.backwardSweep(w);
        else
            literal.forwardSweep(w);
        if (direction == SweepDirection::alternating)
            backward = !backward;
    }
    return literal.values();
}

std::vector<double> steppedValues(const PoissonProblem &problem, test::TestedSettings settings,
                                  std::size_t iterations)
{
    settings.set(relaxationOption, w);
    const auto stepper = test::makePoisson(problem, settings);
    stepper->advance(iterations);
    return test::valuesOf(*stepper);
}

void addSizes(int dimension)
{
    using Size = std::array<std::size_t, 3>;
    if (dimension == 3) {
        for (const auto &[x, y, z] : {Size{1, 1, 1}, {2, 1, 3}, {1, 5, 2}, {7, 9, 5}, {37, 12, 23}})
            QTest::addRow("3D %zu x %zu x %zu", x, y, z) << 3 << int(x) << int(y) << int(z);
        return;
    }
    for (const auto &[x, y] : {std::array<std::size_t, 2>{1, 1},
                               {2, 1},
                               {1, 3},
                               {5, 4},
                               {17, 31},
                               {64, 33},
                               {33, 64},
                               {131, 97},
                               {211, 150}})
        QTest::addRow("2D %zu x %zu", x, y) << 2 << int(x) << int(y) << 1;
}

} // namespace

class TestSorSweeps : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }

    void threeUnknownsByHand()
    {
        // Ghosts 0, w = 1: every unknown becomes a quarter of its neighbours' sum.
        PoissonProblem problem;
        problem.unknowns = {3, 1, 1};
        problem.initialGuess = {{4, 8, 12}};
        reference::LiteralSor forward(problem);
        forward.forwardSweep(1);
        QCOMPARE(forward.values(), (std::vector<double>{2, 3.5, 0.875}));
        reference::LiteralSor backward(problem);
        backward.backwardSweep(1);
        QCOMPARE(backward.values(), (std::vector<double>{0.375, 1.5, 2}));
        reference::LiteralSor redBlack(problem); // red: 0 and 2
        redBlack.redBlackSweep(1);
        QCOMPARE(redBlack.values(), (std::vector<double>{2, 1, 2}));
        reference::LiteralSor relaxed(problem);
        relaxed.redBlackSweep(0.5);
        QCOMPARE(relaxed.values(), (std::vector<double>{3, 5.25, 7}));
    }

    void sourceAndSidesByHand()
    {
        PoissonProblem problem;
        problem.spacing = 2;
        problem.source.emplace<GridSource>(GridSource{3});
        problem.sides[0] = {SideKind::dirichlet, 5};
        problem.sides[1] = {SideKind::neumann, 1};
        problem.initialGuess = {{10}};
        reference::LiteralSor literal(problem); // 5 + (10 + 2) + 0 + 0 + 4 * 3
        literal.forwardSweep(1);
        QCOMPARE(literal.values(), std::vector<double>{7.25});
    }

    void tilesCoverEveryLayerOnce_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("unknowns");
        for (const auto &[layers, width] :
             {std::array{1, 2}, {2, 4}, {4, 8}, {3, 7}, {2, 9}, {16, 32}}) {
            for (int n : {1, 2, 3, 7, 8, 9, 31, 32, 33, 40, 64, 97})
                QTest::addRow("%d x %d, %d", layers, width, n) << layers << width << n;
        }
    }
    void tilesCoverEveryLayerOnce()
    {
        QFETCH(const int, layers);
        QFETCH(const int, width);
        QFETCH(const int, unknowns);
        const MlssorTiling tiling({std::size_t(layers), std::size_t(width)}, std::size_t(unknowns));
        for (bool backward : {false, true}) {
            for (int k = 0; k < layers; ++k) {
                std::vector<int> covered(std::size_t(unknowns), 0);
                for (auto d = tiling.subdomains().begin; d < tiling.subdomains().end; ++d) {
                    for (int t : {0, 1}) {
                        const auto range = tiling.tile(d, t, k, backward);
                        for (auto i = range.begin; i < range.end; ++i)
                            ++covered[std::size_t(i)];
                    }
                }
                QVERIFY(std::all_of(covered.begin(), covered.end(), [](int c) { return c == 1; }));
            }
        }
    }

    /// What makes the result independent of the number of threads.
    void tilesOfAKernelDoNotTouch()
    {
        for (const auto &[layers, width] : {std::array{1, 2}, {2, 4}, {3, 7}, {2, 9}, {16, 32}}) {
            for (int unknowns : {3, 8, 33, 97}) {
                const MlssorTiling tiling({std::size_t(layers), std::size_t(width)},
                                          std::size_t(unknowns));
                for (bool backward : {false, true}) {
                    for (int t : {0, 1}) {
                        std::ptrdiff_t last = -2;
                        for (auto d = tiling.subdomains().begin; d < tiling.subdomains().end; ++d) {
                            const auto range = tiling.footprint(d, t, backward);
                            if (range.begin >= range.end)
                                continue;
                            QVERIFY(range.begin > last);
                            last = range.end; // one unknown between them
                        }
                    }
                }
            }
        }
    }

    void firstTileHasThePapersSize()
    {
        // [Di2010], Table III: 3 x 3 and 7 x 7 unknowns of K_1,1 in the bottom layer.
        for (const auto &[layers, width, bottom] : {std::array{2, 4, 3}, {4, 8, 7}}) {
            const MlssorTiling tiling({std::size_t(layers), std::size_t(width)}, 100);
            const auto inner = tiling.tile(3, 0, 0, false);
            QCOMPARE(inner.end - inner.begin, std::ptrdiff_t(bottom));
            const auto top = tiling.tile(3, 0, layers - 1, false);
            QCOMPARE(top.end - top.begin, std::ptrdiff_t(1));
        }
    }

    void oneSubdomainIsPlainSor()
    {
        const auto problem = test::roughProblem(2, {9, 7, 1}, true, false);
        reference::LiteralSor tiles(problem);
        tiles.multiLayerSweep(w, {5, 10}, false);
        reference::LiteralSor plain(problem);
        for (int i = 0; i < 5; ++i)
            plain.forwardSweep(w);
        QVERIFY(test::largestDistance(tiles.values(), plain.values()) < 1e-13);
    }

    void fastIsLiteral_data()
    {
        QTest::addColumn<int>("dimension");
        QTest::addColumn<int>("x");
        QTest::addColumn<int>("y");
        QTest::addColumn<int>("z");
        addSizes(2);
        addSizes(3);
    }
    void fastIsLiteral()
    {
        QFETCH(const int, dimension);
        QFETCH(const int, x);
        QFETCH(const int, y);
        QFETCH(const int, z);
        const std::array<std::size_t, 3> size{std::size_t(x), std::size_t(y), std::size_t(z)};
        constexpr std::size_t iterations = 12; // whole sweeps of 1, 2, 3 and 4 layers
        for (int variant = 0; variant < 4; ++variant) {
            const auto problem =
                test::roughProblem(dimension, size, variant % 2 == 1, variant / 2 == 1);
            for (auto &[name, settings] : test::allMethods(dimension)) {
                const auto expected = literalValues(problem, settings, iterations);
                const double scale = std::max(1.0, test::largestOf(expected));
                for (const auto precision : {Precision::float32, Precision::float64}) {
                    settings.precision = precision;
                    settings.threads = 1;
                    const auto alone = steppedValues(problem, settings, iterations);
                    const double epsilon = precision == Precision::float32
                                               ? double(std::numeric_limits<float>::epsilon())
                                               : std::numeric_limits<double>::epsilon();
                    // Each iteration rounds about 6 times, and errors hardly grow.
                    QVERIFY2(test::largestDistance(alone, expected)
                                 <= 2 * iterations * epsilon * scale,
                             name.c_str());
                    settings.threads = 2;
                    QVERIFY2(steppedValues(problem, settings, iterations) == alone, name.c_str());
                }
            }
        }
    }

    void residualIsTheReferences()
    {
        using Size = std::array<std::size_t, 3>;
        for (const auto &[dimension, size] : {std::pair{2, Size{18, 13, 1}}, {3, Size{6, 5, 7}}}) {
            const auto problem = test::roughProblem(dimension, size, true, true);
            const auto source = sampleSource(problem);
            const auto start =
                reference::residualNorm(problem, source, problem.initialGuess.value());
            for (auto &[name, settings] : test::allMethods(dimension)) {
                settings.precision = Precision::float64;
                settings.set(relaxationOption, w);
                const auto stepper = test::makePoisson(problem, settings);
                stepper->advance(12);
                const double expected =
                    reference::residualNorm(problem, source, test::valuesOf(*stepper)) / start;
                QVERIFY2(std::abs(stepper->report().residual / expected - 1) < 1e-10, name.c_str());
            }
        }
    }

    void redBlackPassesDoNotChangeTheValues()
    {
        for (int dimension : {2, 3}) {
            const auto size = dimension == 2 ? std::array<std::size_t, 3>{45, 83, 1}
                                             : std::array<std::size_t, 3>{13, 14, 50};
            const auto problem = test::roughProblem(dimension, size, true, true);
            test::TestedSettings settings{{"red-black"}};
            settings.set(passOption, std::int64_t{1});
            const auto expected = steppedValues(problem, settings, 11);
            for (std::int64_t perPass : {2, 3, 5, 8, 20}) {
                for (int threads : {1, 2, 3}) {
                    settings.set(passOption, perPass);
                    settings.threads = threads;
                    QVERIFY(steppedValues(problem, settings, 11) == expected);
                }
            }
        }
    }

    /// The colours are kept by reflections in the middle of odd grids, and by the diagonal one.
    void redBlackKeepsSymmetry()
    {
        constexpr std::size_t n = 33;
        PoissonProblem problem;
        problem.unknowns = {n, n, 1};
        problem.source.emplace<SpikeSource>();
        test::TestedSettings settings{{"red-black"}};
        settings.threads = 2;
        const auto u = steppedValues(problem, settings, 30);
        QVERIFY(test::largestOf(u) > 0.1);
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = 0; i < n; ++i) {
                QVERIFY(std::abs(u[j * n + i] - u[j * n + n - 1 - i]) < 1e-14);
                QVERIFY(std::abs(u[j * n + i] - u[(n - 1 - j) * n + i]) < 1e-14);
                QVERIFY(std::abs(u[j * n + i] - u[i * n + j]) < 1e-14);
            }
        }
    }

    void chunksOfARequestDoNotMatter()
    {
        const auto problem = test::roughProblem(2, {50, 41, 1}, true, false);
        for (const auto &[name, settings] : test::allMethods(2)) {
            const auto atOnce = test::makePoisson(problem, settings);
            atOnce->advance(24);
            const auto inParts = test::makePoisson(problem, settings);
            for (std::uint64_t part : {1, 1, 5, 2, 8, 7})
                inParts->advance(part);
            QCOMPARE(inParts->report().iterations, std::uint64_t(24));
            QVERIFY2(test::valuesOf(*atOnce) == test::valuesOf(*inParts), name.c_str());
        }
    }
};

GRIDHELM_TEST(TestSorSweeps)
#include "tst_sor_sweeps.moc"
