// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parallel marching method against exact solutions and an independent method.
#include "tests/core/random.h"
#include "tests/solvers/pmm_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>

using namespace gridhelm::solvers;
using namespace gridhelm::test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// Fast marching with first-order upwind differences: F |grad T| = 1 from given values.
std::vector<double> fastMarching(const PmmProblem &problem, std::vector<double> times)
{
    using Entry = std::pair<double, std::size_t>;
    const auto &n = problem.nodes;
    const std::array<std::size_t, 3> stride{1, n[0], n[0] * n[1]};
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front;
    std::vector<char> accepted(times.size(), 0);
    for (std::size_t node = 0; node < times.size(); ++node) {
        if (times[node] < inf)
            front.push({times[node], node});
    }
    const auto neighbours = [&](std::size_t node, std::size_t axis) {
        const auto at = node / stride[axis] % n[axis];
        return std::pair{at > 0 ? node - stride[axis] : node,
                         at + 1 < n[axis] ? node + stride[axis] : node};
    };
    const auto upwind = [&](std::size_t node) {
        std::array<double, 3> known{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto [low, high] = neighbours(node, axis);
            known[axis] = std::min(low != node && accepted[low] ? times[low] : inf,
                                   high != node && accepted[high] ? times[high] : inf);
        }
        std::sort(known.begin(), known.end());
        // sum over the k earliest of (T - t)^2 = (h / F)^2, with as many as lie below T.
        const double slowness = problem.spacing / problem.speedAt(node);
        double sum = 0, squares = 0, result = inf;
        for (int k = 1; k <= 3 && known[static_cast<std::size_t>(k) - 1] < result; ++k) {
            const double t = known[static_cast<std::size_t>(k) - 1];
            sum += t;
            squares += t * t;
            const double root = sum * sum - k * (squares - slowness * slowness);
            if (root < 0)
                break;
            result = (sum + std::sqrt(root)) / k;
        }
        return result;
    };
    while (!front.empty()) {
        const auto [time, node] = front.top();
        front.pop();
        if (accepted[node] || time > times[node])
            continue;
        accepted[node] = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto [low, high] = neighbours(node, axis);
            for (auto next : {low, high}) {
                const double candidate = accepted[next] ? inf : upwind(next);
                if (candidate < times[next]) {
                    times[next] = candidate;
                    front.push({candidate, next});
                }
            }
        }
    }
    return times;
}

double wavySpeed(const Position &x)
{
    return 1 + 0.4 * std::sin(4 * x[0]) * std::cos(3 * x[1] + 1) + 0.3 * std::sin(5 * x[2]);
}

PmmProblem wavyProblem(std::size_t n)
{
    PmmProblem problem;
    problem.nodes = {n, n, n};
    problem.spacing = 1.0 / static_cast<double>(n - 1);
    std::vector<double> speed(problem.count());
    // A source that is the same on every grid: nodes of the coarsest, and all within a ball.
    NodeSources source;
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = 0; i < n; ++i) {
                const auto x = problem.position(i, j, k);
                speed[problem.nodeIndex(i, j, k)] = wavySpeed(x);
                const double r = std::hypot(x[0] - 0.25, x[1] - 0.5, x[2] - 0.25);
                if (r < 0.1875 + 1e-9)
                    source.nodes.push_back({{i, j, k}, r});
            }
        }
    }
    problem.speed = speed;
    problem.source = source;
    return problem;
}

} // namespace

class PmmAccuracyTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }
    void pointSourceErrorsAreMet_data();
    void pointSourceErrorsAreMet();
    void levelPlaneIsExactEverywhere();
    void tiltedPlaneIsExactWhereItComesFromTheSource_data();
    void tiltedPlaneIsExactWhereItComesFromTheSource();
    void linearSpeedConvergesToItsExactSolution();
    void varyingSpeedAgreesWithFastMarching();
    void varyingAdvectionAgreesWithAConstantOneWhereEqual();
    void varyingAdvectionConvergesToAnExactSolution_data();
    void varyingAdvectionConvergesToAnExactSolution();
};

void PmmAccuracyTest::pointSourceErrorsAreMet_data()
{
    QTest::addColumn<bool>("anisotropic");
    QTest::addColumn<QList<double>>("errors");
    QTest::newRow("isotropic") << false << QList<double>{8.29e-3, 3.75e-3, 1.785e-3};
    QTest::newRow("anisotropic") << true << QList<double>{1.705e-2, 7.74e-3, 3.705e-3};
}

void PmmAccuracyTest::pointSourceErrorsAreMet()
{
    QFETCH(bool, anisotropic);
    QFETCH(QList<double>, errors);
    double previous = 0;
    std::size_t n = 21;
    for (double expected : errors) {
        const auto problem = ballWithKnownTimes(n, anisotropic);
        TestedPmm<double> stepper(problem, {2, 1e-10});
        stepper.advance(10);
        QVERIFY2(stepper.report().iterations <= 3, qPrintable(QString::number(n)));
        QVERIFY(stepper.report().largestChange <= 1e-10);
        const double error = meanError(problem, timesOf<double>(stepper));
        QVERIFY2(error <= expected, qPrintable(QString::number(error)));
        if (previous > 0)
            QVERIFY2(std::log2(previous / error) >= 1, qPrintable(QString::number(error)));
        previous = error;
        n = 2 * n - 1;
    }
}

void PmmAccuracyTest::levelPlaneIsExactEverywhere()
{
    PmmProblem problem;
    problem.nodes = {13, 9, 17};
    problem.spacing = 0.125;
    problem.speed = 1.25;
    problem.source = HorizonSource{std::vector<double>(13 * 9, 0.8125)};
    problem.advection = 0.5;
    for (double up : {0.0, 1.0}) {
        problem.direction = {0, 0, up};
        const auto times = timesAfter<double>(problem, 2);
        double worst = 0;
        forEachNode(problem, [&](std::size_t node, const Position &x) {
            const double speed = 1.25 + (x[2] > 0.8125 ? 0.5 : -0.5) * up;
            worst = std::max(worst, std::abs(times[node] - std::abs(x[2] - 0.8125) / speed));
        });
        QVERIFY2(worst < 1e-14, qPrintable(QString::number(worst)));
    }
}

void PmmAccuracyTest::tiltedPlaneIsExactWhereItComesFromTheSource_data()
{
    QTest::addColumn<double>("psi");
    QTest::newRow("isotropic") << 0.0;
    QTest::newRow("anisotropic") << 0.6;
}

void PmmAccuracyTest::tiltedPlaneIsExactWhereItComesFromTheSource()
{
    QFETCH(double, psi);
    const double slopeX = 0.25, slopeY = -0.125;
    PmmProblem problem;
    problem.nodes = {41, 45, 29};
    problem.spacing = 0.025;
    problem.speed = 1.1;
    problem.advection = psi;
    problem.direction = {-0.3, 0.2, 0.8};
    HorizonSource horizon;
    for (std::size_t j = 0; j < problem.nodes[1]; ++j) {
        for (std::size_t i = 0; i < problem.nodes[0]; ++i) {
            const auto x = problem.position(i, j, 0);
            horizon.heights.push_back(0.3 + slopeX * x[0] + slopeY * x[1]);
        }
    }
    problem.source = horizon;
    const auto times = timesAfter<double>(problem, 3);

    const double length = std::hypot(slopeX, slopeY, 1.0);
    int exact = 0;
    double worst = 0;
    forEachNode(problem, [&](std::size_t node, const Position &x) {
        const double above = (x[2] - 0.3 - slopeX * x[0] - slopeY * x[1]) / length;
        const double side = above < 0 ? -1 : 1;
        Position n{-slopeX * side / length, -slopeY * side / length, side / length};
        const double drift = psi * dot(problem.direction, n);
        const double known = std::abs(above) / (1.1 + drift);
        worst = std::max(worst, known - times[node]); // earlier than possible, anywhere
        // The characteristic, and with it the cone of nodes that the update can use: from plane to
        // plane one node towards the foot.
        Position ray;
        for (std::size_t c = 0; c < 3; ++c)
            ray[c] = 1.1 * n[c] + psi * problem.direction[c];
        const double down = 2 * known * std::abs(ray[2]) + 2 * problem.spacing;
        bool inside = true;
        for (std::size_t c = 0; c < 2; ++c) {
            const double foot = x[c] - std::copysign(down, ray[c]);
            inside = inside && foot >= 0
                     && foot <= problem.spacing * static_cast<double>(problem.nodes[c] - 1);
        }
        if (!inside)
            return;
        ++exact;
        worst = std::max(worst, times[node] - known);
    });
    QVERIFY2(worst < 1e-13, qPrintable(QString::number(worst)));
    QVERIFY2(exact > 10'000, qPrintable(QString::number(exact)));
}

void PmmAccuracyTest::linearSpeedConvergesToItsExactSolution()
{
    // F = F0 + g z: T = arcosh(1 + g^2 r^2 / (2 F(source) F(x))) / g, rays are circular arcs.
    const double g = 1.5, f0 = 0.5;
    const Position source{0.5, 0.375, 0.25};
    const auto speedAt = [&](double z) { return f0 + g * z; };
    double previous = 0;
    for (std::size_t n : {17u, 33u, 65u}) {
        PmmProblem problem;
        problem.nodes = {n, n, n};
        problem.spacing = 1.0 / static_cast<double>(n - 1);
        problem.knownSolution = [&](const Position &x) {
            const double r = std::hypot(x[0] - source[0], x[1] - source[1], x[2] - source[2]);
            return std::acosh(1 + g * g * r * r / (2 * speedAt(source[2]) * speedAt(x[2]))) / g;
        };
        std::vector<double> speed(problem.count());
        NodeSources nodes;
        for (std::size_t k = 0; k < n; ++k) {
            for (std::size_t j = 0; j < n; ++j) {
                for (std::size_t i = 0; i < n; ++i) {
                    const auto x = problem.position(i, j, k);
                    speed[problem.nodeIndex(i, j, k)] = speedAt(x[2]);
                    if (std::hypot(x[0] - source[0], x[1] - source[1], x[2] - source[2]) < 0.13)
                        nodes.nodes.push_back({{i, j, k}, problem.knownSolution(x)});
                }
            }
        }
        problem.speed = speed;
        problem.source = nodes;
        TestedPmm<double> stepper(problem, {1, 1e-12});
        stepper.advance(20);
        const double error = meanError(problem, timesOf<double>(stepper));
        if (previous > 0)
            QVERIFY2(previous / error > 1.85, qPrintable(QString::number(previous / error)));
        previous = error;
    }
    QVERIFY2(previous < 5e-3, qPrintable(QString::number(previous)));
}

void PmmAccuracyTest::varyingSpeedAgreesWithFastMarching()
{
    // The oracle on a grid three times as fine.
    const std::size_t coarse = 33, fine = 97;
    const auto fineProblem = wavyProblem(fine);
    std::vector<double> given(fineProblem.count(), inf);
    for (const auto &node : std::get<NodeSources>(fineProblem.source).nodes)
        given[fineProblem.nodeIndex(node.index[0], node.index[1], node.index[2])] = node.time;
    const auto oracle = fastMarching(fineProblem, given);

    const auto difference = [&](const PmmProblem &problem, std::size_t every) {
        TestedPmm<double> stepper(problem, {1, 1e-12});
        stepper.advance(20);
        const auto times = timesOf<double>(stepper);
        double sum = 0, scale = 0;
        for (std::size_t k = 0; k < coarse; ++k) {
            for (std::size_t j = 0; j < coarse; ++j) {
                for (std::size_t i = 0; i < coarse; ++i) {
                    const double known = oracle[fineProblem.nodeIndex(3 * i, 3 * j, 3 * k)];
                    sum +=
                        std::abs(times[problem.nodeIndex(every * i, every * j, every * k)] - known);
                    scale += known;
                }
            }
        }
        return sum / scale;
    };
    const double coarseDifference = difference(wavyProblem(coarse), 1);
    const double fineDifference = difference(fineProblem, 3);
    const auto text = QString("%1 %2").arg(coarseDifference).arg(fineDifference);
    QVERIFY2(coarseDifference < 0.02, qPrintable(text));
    QVERIFY2(fineDifference < 0.015, qPrintable(text)); // both first order, with the same spacing
}

void PmmAccuracyTest::varyingAdvectionAgreesWithAConstantOneWhereEqual()
{
    const auto constant = ballWithKnownTimes(21, true);
    auto varying = constant;
    varying.speed = std::vector<double>(constant.count(), 1.1);
    varying.advection = std::vector<double>(constant.count(), 0.5);
    varying.advectionScale = 2;
    const auto expected = timesAfter<double>(constant, 3);
    const auto result = timesAfter<double>(varying, 3);
    for (std::size_t node = 0; node < result.size(); ++node)
        QVERIFY(std::abs(result[node] - expected[node]) < 1e-14);
}

void PmmAccuracyTest::varyingAdvectionConvergesToAnExactSolution_data()
{
    QTest::addColumn<double>("mean"); // of psi, beside a wave
    QTest::addColumn<double>("amplitude");
    QTest::newRow("one sign") << 0.125 << 0.125;
    QTest::newRow("both signs") << 0.0 << 0.25;
}

void PmmAccuracyTest::varyingAdvectionConvergesToAnExactSolution()
{
    // T = g(r) is given, and psi as it likes; the speed that belongs to them is
    // F = (1 - psi a . grad T) / |grad T|. The characteristics F n + psi a = n / g' + psi (a across
    // n) bend, but leave the cube nowhere on their way back to the source: with |psi a| <= 0.25
    // and g' <= 1.32, their part across is smaller than 1 / (sqrt(3) g') on all sides.
    QFETCH(double, mean);
    QFETCH(double, amplitude);
    const Position direction{0.6, 0.0, 0.8}, centre{0.5, 0.5, 0.5};
    const auto distance = [&](const Position &x) {
        return std::hypot(x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]);
    };
    const auto psiAt = [&](const Position &x) {
        return mean
               + amplitude * std::sin(7 * x[0] + 1) * std::cos(6 * x[1]) * std::sin(5 * x[2] + 0.5);
    };
    double previous = 0;
    for (std::size_t n : {17u, 33u, 65u}) {
        PmmProblem problem;
        problem.nodes = {n, n, n};
        problem.spacing = 1.0 / static_cast<double>(n - 1);
        problem.direction = direction;
        problem.knownSolution = [&](const Position &x) {
            const double r = distance(x);
            return 0.8 * r + 0.3 * r * r;
        };
        std::vector<double> speed(problem.count()), psi(problem.count());
        NodeSources source;
        for (std::size_t k = 0; k < n; ++k) {
            for (std::size_t j = 0; j < n; ++j) {
                for (std::size_t i = 0; i < n; ++i) {
                    const auto x = problem.position(i, j, k);
                    const auto node = problem.nodeIndex(i, j, k);
                    const double r = distance(x);
                    const double slope = 0.8 + 0.6 * r;
                    Position gradient{};
                    for (std::size_t c = 0; r > 0 && c < 3; ++c)
                        gradient[c] = slope * (x[c] - centre[c]) / r;
                    psi[node] = psiAt(x);
                    speed[node] = (1 - psi[node] * dot(direction, gradient)) / slope;
                    if (r < 0.2)
                        source.nodes.push_back({{i, j, k}, problem.knownSolution(x)});
                }
            }
        }
        problem.speed = speed;
        problem.advection = psi;
        problem.source = source;
        TestedPmm<double> stepper(problem, {1, 1e-12});
        stepper.advance(20);
        const double error = meanError(problem, timesOf<double>(stepper));
        if (previous > 0)
            QVERIFY2(previous / error > 1.85, qPrintable(QString::number(previous / error)));
        previous = error;
    }
    QVERIFY2(previous < 4e-3, qPrintable(QString::number(previous)));
}

GRIDHELM_TEST(PmmAccuracyTest)
#include "tst_pmm_accuracy.moc"
