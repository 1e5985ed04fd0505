// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whatever is guessed, the sweeps end at the same times, and never below them on the way.
#include "core/solvers/pmm/initial_guess.h"
#include "tests/core/expect_error.h"
#include "tests/core/random.h"
#include "tests/solvers/pmm_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

using namespace gridhelm::solvers;
using namespace gridhelm::test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

template <typename T>
std::vector<T> converged(PmmProblem problem)
{
    TestedPmm<T> stepper(problem, {1, 0.0});
    stepper.advance(200);
    return timesOf<T>(stepper);
}

template <typename T>
std::vector<double> toDouble(const std::vector<T> &times)
{
    return {times.begin(), times.end()};
}

template <typename T>
double tolerance(const std::vector<T> &times)
{
    double scale = 1;
    for (T time : times)
        scale = std::max(scale, std::abs(static_cast<double>(time)));
    return scale * (sizeof(T) == 8 ? 1e-12 : 1e-4);
}

template <typename T>
double largestDifference(const std::vector<T> &a, const std::vector<T> &b)
{
    double largest = 0;
    for (std::size_t node = 0; node < a.size(); ++node) {
        if (a[node] != b[node]) // both may be infinite
            largest = std::max(largest, std::abs(static_cast<double>(a[node] - b[node])));
    }
    return largest;
}

/// How late the times are, at most, after those of another run.
template <typename T>
double latest(const std::vector<T> &times, const std::vector<T> &others)
{
    double result = -inf;
    for (std::size_t node = 0; node < times.size(); ++node) {
        if (others[node] != std::numeric_limits<T>::infinity())
            result = std::max(result, static_cast<double>(times[node] - others[node]));
    }
    return result;
}

struct Guess
{
    const char *name;
    double lowestStretch, highestStretch; ///< that it may need
    std::function<double(double time, Random &random)> of;
};

const std::vector<Guess> guesses{
    {"the solution", 1, 1, [](double time, Random &) { return time; }},
    {"nothing", 1, 1, [](double, Random &) { return inf; }},
    {"the first half", 1, inf, [](double time, Random &) { return time < 1 ? time : inf; }},
    {"as late as in a slower medium", 1, 1, [](double time, Random &) { return 1.3 * time + 0.1; }},
    {"a little too early", 1.001, 10, [](double time, Random &) { return 0.99 * time; }},
    {"far too early", inf, inf, [](double time, Random &) { return -3 * time - 9; }},
    {"all the same", 1, inf, [](double, Random &) { return 0.3; }},
    {"rough", 1, inf, [](double time, Random &random) { return time * random.real(0.9, 1.1); }},
    {"without order", 1, inf, [](double, Random &random) { return random.real(-5, 50); }},
    {"beyond all numbers", inf, inf, [](double, Random &) { return -1e300; }},
};

/// The CPU looks at a GPU's times: its roots may differ in the last places.
constexpr double slack = testsCuda ? 1.001 : 1.000001;

template <typename T>
void checkGuess(PmmProblem problem, const Guess &guess, Random &random)
{
    const auto solution = converged<T>(problem);
    const double allowed = tolerance(solution);
    TestedPmm<T> cold(problem, {1, {}});
    std::vector<double> times = toDouble(solution);
    for (double &time : times)
        time = guess.of(time, random);
    problem.initialGuess = times;
    TestedPmm<T> stepper(problem, {1, {}});
    if (problem.count() > 100) // a few nodes may all be sources
        QVERIFY2(stepper.guessStretch() >= guess.lowestStretch
                     && stepper.guessStretch() <= guess.highestStretch * slack,
                 qPrintable(QString("%1").arg(stepper.guessStretch())));
    for (int sweep = 0; sweep < 4; ++sweep) {
        const auto now = timesOf<T>(stepper);
        QVERIFY(latest(solution, now) <= allowed);         // never too early
        QVERIFY(latest(now, timesOf<T>(cold)) <= allowed); // nor later than without
        cold.advance(1);
        stepper.advance(1);
    }
    const auto end = converged<T>(problem);
    QVERIFY2(largestDifference(end, solution) <= allowed,
             qPrintable(QString::number(largestDifference(end, solution))));
}

} // namespace

class PmmGuessTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }

    void guessDoesNotChangeTheResult_data();
    void guessDoesNotChangeTheResult();
    void oneEarlyNodeIsNoticed();
    void solutionNeedsNoSweep();
    void guessIsLookedAtAgainForLiveParameters();
    void stretchIsAnUpperBound();
    void badGuessIsAnError();
};

void PmmGuessTest::guessDoesNotChangeTheResult_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < guesses.size(); ++i)
        QTest::newRow(guesses[i].name) << static_cast<int>(i);
}

void PmmGuessTest::guessDoesNotChangeTheResult()
{
    QFETCH(int, index);
    Random random(30);
    for (int i = 0; i < 15; ++i) {
        const auto problem = randomProblem(random);
        checkGuess<double>(problem, guesses[static_cast<std::size_t>(index)], random);
        checkGuess<float>(problem, guesses[static_cast<std::size_t>(index)], random);
        if (QTest::currentTestFailed())
            return;
    }
}

/// One that would stay for ever, and send wrong times everywhere.
void PmmGuessTest::oneEarlyNodeIsNoticed()
{
    for (bool anisotropic : {false, true}) {
        auto problem = ballWithKnownTimes(21, anisotropic);
        const auto solution = converged<double>(problem);
        for (double early : {1e-9, 0.01, 0.1}) {
            auto guess = solution;
            guess[problem.nodeIndex(20, 20, 20)] -= early;
            problem.initialGuess = guess;
            TestedPmm<double> stepper(problem, {1, 0.0});
            QVERIFY(stepper.guessStretch() > 1);
            stepper.advance(200);
            QVERIFY(largestDifference(timesOf<double>(stepper), solution) < 1e-12);
        }
    }
}

void PmmGuessTest::solutionNeedsNoSweep()
{
    for (bool anisotropic : {false, true}) {
        auto problem = ballWithKnownTimes(31, anisotropic);
        const auto solution = converged<double>(problem);
        problem.initialGuess = solution;
        TestedPmm<double> stepper(problem, {1, 1e-13});
        QVERIFY(largestDifference(timesOf<double>(stepper), solution) <= (testsCuda ? 1e-12 : 0));
        QCOMPARE(stepper.report().iterations, std::uint64_t{0});
        stepper.advance(10);
        QVERIFY(stepper.report().iterations <= (testsCuda ? 2 : 1));
    }
}

void PmmGuessTest::guessIsLookedAtAgainForLiveParameters()
{
    auto problem = ballWithKnownTimes(21, true);
    problem.initialGuess = converged<double>(problem);
    TestedPmm<double> stepper(problem, {1, 0.0});
    QCOMPARE(stepper.guessStretch(), 1.0);
    for (double scale : {1.5, 0.97, 2.0, 0.9}) {
        stepper.setLiveParameter("F scale", scale);
        QVERIFY(scale > 1 ? stepper.guessStretch() == 1 : stepper.guessStretch() > 1);
        stepper.advance(200);
        auto cold = problem;
        cold.initialGuess.reset();
        cold.speedScale = scale;
        QVERIFY(largestDifference(timesOf<double>(stepper), converged<double>(cold)) < 1e-12);
    }
}

/// Stretched by what it needs, the guess needs no more.
void PmmGuessTest::stretchIsAnUpperBound()
{
    Random random(31);
    int stretched = 0;
    for (int i = 0; i < 40; ++i) {
        auto problem = randomProblem(random);
        auto guess = converged<double>(problem);
        for (double &time : guess)
            time += random.real(-0.1, 0.1) * problem.spacing;
        problem.initialGuess = guess;
        TestedPmm<double> stepper(problem, {1, {}});
        if (std::isinf(stepper.guessStretch()))
            continue;
        stretched += stepper.guessStretch() > 1;
        problem.initialGuess = timesOf<double>(stepper);
        QCOMPARE(TestedPmm<double>(problem, {1, {}}).guessStretch(), 1.0);
    }
    QVERIFY(stretched > 10);
}

void PmmGuessTest::badGuessIsAnError()
{
    const auto expectError = [](std::vector<double> guess) {
        auto problem = ballWithKnownTimes(5, true);
        problem.initialGuess = std::move(guess);
        GRIDHELM_EXPECT_ERROR(TestedPmm<double>(problem));
        GRIDHELM_EXPECT_ERROR(TestedPmm<float>(problem));
    };
    expectError({});
    expectError(std::vector<double>(124, 1));
    std::vector<double> guess(125, 1);
    guess[77] = std::nan("");
    expectError(guess);
    guess[77] = -inf;
    expectError(guess);
}

GRIDHELM_TEST(PmmGuessTest)
#include "tst_pmm_guess.moc"
