// SPDX-License-Identifier: GPL-3.0-or-later
//
// The asynchronous Jacobi methods: what their tiles hear of each other, and the same solution.
#include "core/solvers/jacobi/async_options.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "tests/core/closeness.h"
#include "tests/core/field_values.h"
#include "tests/core/on_cpu.h"
#include "tests/core/sanitized.h"
#include "tests/solvers/jacobi_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm;
using namespace gridhelm::solvers;
using namespace gridhelm::test;

namespace {

constexpr std::array asynchronous{"async0", "async1", "async2", "async3"};

} // namespace

class JacobiAsyncTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }
    void asyncReachesDirectSolution();
    void asyncWithoutNeighboursIsExact();
    void async3UpdatesInPlace();
    void neighboursHearAtOnceButForAsync2();
};

void JacobiAsyncTest::asyncReachesDirectSolution()
{
    Random random(8);
    for (const auto &kinds : {allDirichlet, mixed, allNeumann}) {
        const auto problem =
            randomProblem(random, 2, {isSanitized ? 19U : 35U, isSanitized ? 15U : 27U, 1}, kinds);
        const auto expected = directSolution(problem);
        for (auto method : asynchronous) {
            for (int threads : {1, 2}) {
                auto options = with(method, Precision::float64, threads);
                // Threads meet after every launch, which takes long where cores are busy: fewer.
                options.set(
                    jacobi::alphaOption,
                    std::int64_t{(threads == 1 ? 4 : 12) + (std::string_view(method) == "async3")});
                options.set(jacobi::tileOption, std::vector<std::size_t>{16, 7});
                const auto stepper = makePoisson(problem, options);
                for (int i = 0; i < 400 && !(stepper->report().residual < 1e-13); ++i)
                    stepper->advance(1'003);
                QCOMPARE(stepper->report().iterations % 1'003, std::uint64_t{0});
                GRIDHELM_COMPARE_CLOSE(valuesOf(*stepper), expected,
                                       1e-10 * std::max(1.0, largestMagnitude(expected)),
                                       describe(problem, options));
            }
        }
    }
}

void JacobiAsyncTest::asyncWithoutNeighboursIsExact()
{
    // One tile has nobody to be late; except for async3, it does Jacobi iterations.
    Random random(9);
    for (const auto &kinds : {allDirichlet, mixed}) {
        for (int source = 0; source < 3; ++source) {
            const auto problem = iterationProblem(random, 2, {45, 38, 1}, kinds, source);
            for (auto method : {"async0", "async1", "async2"}) {
                const auto naive = makePoissonStepper(problem, with("naive"), test::onCpu());
                const auto stepper = makePoisson(problem, with(method));
                naive->advance(17);
                stepper->advance(17);
                GRIDHELM_COMPARE_CLOSE(valuesOf(*stepper), valuesOf(*naive), 1e-14,
                                       describe(problem, with(method)));
            }
        }
    }
}

void JacobiAsyncTest::async3UpdatesInPlace()
{
    // Half of its neighbours' values are new ones: a single tile is ahead of Jacobi.
    Random random(14);
    const auto problem = randomProblem(random, 2, {45, 38, 1}, allDirichlet);
    for (int alpha : {5, 6}) {
        auto options = with("async3");
        options.set(jacobi::alphaOption, std::int64_t{alpha});
        const auto naive = makePoissonStepper(problem, with("naive"), test::onCpu());
        const auto stepper = makePoisson(problem, options);
        naive->advance(840);
        stepper->advance(840);
        const double share = stepper->report().residual / naive->report().residual;
        QVERIFY2(share < 0.8, qPrintable(QString::number(share)));
    }
}

void JacobiAsyncTest::neighboursHearAtOnceButForAsync2()
{
    GRIDHELM_SKIP_ON_CUDA("which tile is first is known on one thread alone");
    // On one thread, the lower of two tiles first: it hears nothing new from the upper one, which
    // then finds the lower one's penultimate fringe as its last iteration has left it.
    Random random(15);
    const auto problem = iterationProblem(random, 2, {24, 12, 1}, allDirichlet, 0);
    const auto afterOneLaunch = [&](const char *method) {
        auto options = with(method);
        options.set(jacobi::alphaOption, std::int64_t{4});
        options.set(jacobi::tileOption, std::vector<std::size_t>{24, 6});
        const auto stepper = makePoisson(problem, options);
        stepper->advance(5);
        return valuesOf(*stepper);
    };
    const auto late = afterOneLaunch("async2");
    for (auto method : {"async0", "async1"}) {
        const auto values = afterOneLaunch(method);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto row = i / 24;
            if (row < 6)
                QCOMPARE(values[i], late[i]);
            else if (row < 11) // 4 iterations and the closing one carry the news 5 rows on
                QVERIFY2(values[i] != late[i], qPrintable(QString::number(i)));
        }
    }
}

GRIDHELM_TEST(JacobiAsyncTest)
#include "tst_jacobi_async.moc"
