// SPDX-License-Identifier: GPL-3.0-or-later
//
// The literal update by itself, and the one of all back ends beside it: with one value for a number
// (as on a GPU), and with vectors.
#include "core/solvers/pmm/local_update.h"

#include "core/solvers/pmm/media.h"
#include "core/solvers/pmm/plane_kernel.h"
#include "core/solvers/pmm/scalar_math.h"
#include "core/sparse/omp/simd_targets.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace gridhelm::solvers;
using gridhelm::test::Random;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

PlaneTimes<double> notReached()
{
    PlaneTimes<double> times;
    for (auto &row : times)
        row.fill(inf);
    return times;
}

Medium<double> randomMedium(Random &random)
{
    const Vector3<double> a{random.real(-1, 1), random.real(-1, 1), random.real(-1, 1)};
    const double speed = random.real(0.5, 2);
    return {speed, random.real(-0.9, 0.9) * speed / std::sqrt(dot(a, a)), a};
}

/// Times along the plane wave T = gradient . x, x relative to the updated node.
PlaneTimes<double> planeWave(const Vector3<double> &gradient, double h)
{
    PlaneTimes<double> times;
    for (int v = -1; v <= 1; ++v) {
        for (int u = -1; u <= 1; ++u)
            times[static_cast<std::size_t>(1 + v)][static_cast<std::size_t>(1 + u)] =
                h * (gradient[0] * u + gradient[1] * v - gradient[2]);
    }
    return times;
}

/// T at a foot in the triangulated plane (each square is cut by the diagonal through the centre).
double timeAt(const PlaneTimes<double> &times, double u, double v)
{
    const auto row = static_cast<std::size_t>(v < 0 ? 0 : 2);
    const auto column = static_cast<std::size_t>(u < 0 ? 0 : 2);
    const double x = std::abs(u), y = std::abs(v);
    const double edge = x >= y ? times[1][column] : times[row][1];
    const double major = std::max(x, y), minor = std::min(x, y);
    return times[1][1] + major * (edge - times[1][1]) + minor * (times[row][column] - edge);
}

double bruteForce(const PlaneTimes<double> &times, double h, const Medium<double> &medium)
{
    constexpr int steps = 150;
    double best = inf;
    for (int j = -steps; j <= steps; ++j) {
        for (int i = -steps; i <= steps; ++i) {
            const double u = double(i) / steps, v = double(j) / steps;
            best = std::min(best, timeAt(times, u, v) + travelTime({-u * h, -v * h, h}, medium));
        }
    }
    return best;
}

PlaneTimes<double> randomTimes(Random &random, double scale)
{
    PlaneTimes<double> times;
    for (auto &row : times) {
        for (double &time : row)
            time = random.real(0, scale);
    }
    return times;
}

/// Whether one of the nine is not reached.
PlaneTimes<double> randomTimesWithGaps(Random &random, double scale)
{
    auto times = randomTimes(random, scale);
    if (random.chance(0.3))
        times[random.index(3)][random.index(3)] = inf;
    return times;
}

/// The update of all back ends.
template <typename T, typename Medium>
T arrivalIn(const Medium &medium, const PlaneTimes<double> &times)
{
    T neighbours[9];
    for (std::size_t i = 0; i < 9; ++i) {
        const double time = times[i / 3][i % 3];
        neighbours[i] = std::isfinite(time) ? static_cast<T>(time) : unreachedTime<T>;
    }
    return medium.arrival(neighbours, 0);
}

template <typename T>
MediumCoefficients<T> coefficientsOf(const Medium<double> &medium, double h, bool isotropic)
{
    const auto values = isotropic
                            ? isotropicCoefficients(h, medium.speed)
                            : anisotropicCoefficients(h, medium.speed, medium.advection,
                                                      dot(medium.direction, medium.direction));
    return {static_cast<T>(values[0]), static_cast<T>(values[1])};
}

/// Rows of one plane above another one, with padding.
template <typename T>
struct TwoPlanes
{
    static constexpr std::size_t width = 37, rowCount = 5, stride = 128;
    std::vector<T> previous = std::vector<T>(stride * (rowCount + 2), unreachedTime<T>);
    std::vector<T> node = std::vector<T>(stride * (rowCount + 2), unreachedTime<T>);

    static std::size_t index(std::size_t row, std::size_t u) { return (row + 1) * stride + 32 + u; }

    PlaneRows<T> rows()
    {
        PlaneRows<T> result;
        result.node = node.data() + index(0, 0);
        result.previous = previous.data() + index(0, 0);
        result.rowStride = stride;
        result.rows = rowCount;
        result.width = width;
        return result;
    }
};

/// The largest difference between the kernel's nodes and those of the same update by itself, in
/// units of the last place of the latest time.
template <typename T>
double vectorsBesideValues(Random &random, bool isotropic, bool varies)
{
    using Math = ScalarMath<T>;
    TwoPlanes<T> planes;
    std::array<std::vector<T>, 2> coefficients{planes.node, planes.node};
    const double h = 0.5;
    auto medium = randomMedium(random);
    auto rows = planes.rows();
    rows.constant = coefficientsOf<T>(medium, h, isotropic);
    for (std::size_t c = 0; c < 3; ++c)
        rows.direction[c] = static_cast<T>(medium.direction[c]);
    for (std::size_t row = 0; row < planes.rowCount; ++row) {
        for (std::size_t u = 0; u < planes.width; ++u) {
            const auto here = planes.index(row, u);
            if (random.chance(0.9))
                planes.previous[here] = static_cast<T>(random.real(0, h / medium.speed));
            medium.advection *= random.real(0.9, 1);
            const auto values = coefficientsOf<T>(medium, h, isotropic);
            for (std::size_t c = 0; c < 2; ++c)
                coefficients[c][here] = values[c];
        }
    }
    if (varies) {
        for (std::size_t c = 0; c < 2; ++c)
            rows.coefficients[c] = coefficients[c].data() + planes.index(0, 0);
    }
    isotropic ? updateIsotropic(rows) : updateAnisotropic(rows);

    double worst = 0;
    for (std::size_t row = 0; row < planes.rowCount; ++row) {
        for (std::size_t u = 0; u < planes.width; ++u) {
            const auto here = planes.index(row, u);
            T t[9];
            for (std::size_t i = 0; i < 9; ++i)
                t[i] = planes.previous[here + (i / 3) * planes.stride + i % 3 - planes.stride - 1];
            const T first = varies ? coefficients[0][here] : rows.constant[0];
            const T second = varies ? coefficients[1][here] : rows.constant[1];
            const T *a = rows.direction.data();
            const T arrival =
                isotropic ? plain::ConstantIsotropicMedium<Math>(first).arrival(t, 0)
                          : plain::ConstantAnisotropicMedium<Math>(first, second, a).arrival(t, 0);
            const T expected = std::min(arrival, unreachedTime<T>);
            if (expected == planes.node[here])
                continue;
            const double scale = static_cast<double>(std::numeric_limits<T>::epsilon())
                                 * std::max(1.0, std::abs(static_cast<double>(expected)));
            worst = std::max(worst,
                             std::abs(static_cast<double>(planes.node[here] - expected)) / scale);
        }
    }
    return worst;
}

} // namespace

class PmmLocalUpdateTest : public QObject
{
    Q_OBJECT

private slots:
    void travelTimeIsDistanceByRaySpeed();
    void travelTimeSolvesItsQuadraticEquation();
    void singleNeighbourSendsAStraightRay();
    void planeWaveIsExact();
    void isMinimumOverTheTriangulatedPlane();
    void isotropicUpdateIsTheOneWithoutAdvection();
    void updateOfAllBackEndsIsTheLiteralOne();
    void mediumThatIsTheSameEverywhereMayVary();
    void noArrivalIsEarlierThanItsMediumSays();
    void noNodeIsLeftThatSomethingArrivesAtEarlier();
    void mostNodesThatAWavePassesFromBesideAreLeft();
    void vectorsGiveWhatValuesGive_data();
    void vectorsGiveWhatValuesGive();
};

void PmmLocalUpdateTest::travelTimeIsDistanceByRaySpeed()
{
    const Medium<double> still{2, 0, {1, 2, 3}};
    QCOMPARE(travelTime({2.0, 3.0, 6.0}, still), 3.5);
    const Medium<double> wind{2, 0.5, {0, 0, 2}}; // drifts upward with speed 1
    QCOMPARE(travelTime({0.0, 0.0, 6.0}, wind), 2.0);
    QCOMPARE(travelTime({0.0, 0.0, -6.0}, wind), 6.0);
    // Steered against the drift: 2^2 - 1^2 is left across it.
    QCOMPARE(travelTime({std::sqrt(3.0), 0.0, 0.0}, wind), 1.0);
}

void PmmLocalUpdateTest::travelTimeSolvesItsQuadraticEquation()
{
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
        const auto medium = randomMedium(random);
        const Vector3<double> r{random.real(-1, 1), random.real(-1, 1), random.real(-1, 1)};
        const double tau = travelTime(r, medium);
        QVERIFY(tau > 0);
        // The front, grown by F tau, has drifted by psi a tau and touches the end of r.
        Vector3<double> rest = r;
        for (std::size_t c = 0; c < 3; ++c)
            rest[c] -= medium.advection * medium.direction[c] * tau;
        QVERIFY(std::abs(std::sqrt(dot(rest, rest)) - medium.speed * tau) < 1e-13);
    }
}

void PmmLocalUpdateTest::singleNeighbourSendsAStraightRay()
{
    Random random(2);
    const double h = 0.25;
    QCOMPARE(LocalUpdate<double>(h, {1, 0, {}})(notReached()), inf);
    QCOMPARE(IsotropicLocalUpdate<double>(h, 1)(notReached()), inf);
    for (int v = -1; v <= 1; ++v) {
        for (int u = -1; u <= 1; ++u) {
            const auto medium = randomMedium(random);
            auto times = notReached();
            times[static_cast<std::size_t>(1 + v)][static_cast<std::size_t>(1 + u)] = 3;
            QCOMPARE(LocalUpdate<double>(h, medium)(times),
                     3 + travelTime({-u * h, -v * h, h}, medium));
            QCOMPARE(IsotropicLocalUpdate<double>(h, 2)(times),
                     3 + h * std::sqrt(1.0 + u * u + v * v) / 2);
        }
    }
}

void PmmLocalUpdateTest::planeWaveIsExact()
{
    Random random(3);
    const double h = 0.1;
    int inside = 0, insideIsotropic = 0;
    for (int i = 0; i < 3000; ++i) {
        auto medium = randomMedium(random);
        Vector3<double> n{random.real(-1, 1), random.real(-1, 1), random.real(0.2, 1)};
        const double length = std::sqrt(dot(n, n));
        for (double &component : n)
            component /= length;
        for (bool isotropic : {false, true}) {
            if (isotropic)
                medium.advection = 0;
            const double frontSpeed = medium.speed + medium.advection * dot(medium.direction, n);
            const Vector3<double> gradient{n[0] / frontSpeed, n[1] / frontSpeed, n[2] / frontSpeed};
            Vector3<double> ray;
            for (std::size_t c = 0; c < 3; ++c)
                ray[c] = medium.speed * n[c] + medium.advection * medium.direction[c];
            if (!(ray[2] > std::max(std::abs(ray[0]), std::abs(ray[1]))))
                continue; // the foot of the characteristic is not among the neighbours
            const auto times = planeWave(gradient, h);
            const LocalUpdate<double> update(h, medium);
            QVERIFY(std::abs(update(times)) < 1e-14);
            ++inside;
            if (isotropic) {
                const IsotropicLocalUpdate<double> isotropicUpdate(h, medium.speed);
                QVERIFY(std::abs(isotropicUpdate(times)) < 1e-14);
                ++insideIsotropic;
            }
        }
    }
    QVERIFY(inside > 1000 && insideIsotropic > 500);
}

void PmmLocalUpdateTest::isMinimumOverTheTriangulatedPlane()
{
    Random random(4);
    const double h = 0.5;
    for (int i = 0; i < 40; ++i) {
        const auto medium = randomMedium(random);
        const auto times = randomTimes(random, random.real(0.05, 1) * h / medium.speed);
        const double sampled = bruteForce(times, h, medium);
        const double update = LocalUpdate<double>(h, medium)(times);
        QVERIFY2(update <= sampled + 1e-13, qPrintable(QString::number(update - sampled)));
        // The samples are 1/150 apart, and the minimum is quadratic.
        QVERIFY2(update >= sampled - 1e-3 * h, qPrintable(QString::number(update - sampled)));
    }
}

void PmmLocalUpdateTest::isotropicUpdateIsTheOneWithoutAdvection()
{
    Random random(5);
    for (int i = 0; i < 2000; ++i) {
        const double h = random.real(0.1, 1), speed = random.real(0.5, 2);
        auto times = randomTimes(random, random.real(0, 2) * h / speed);
        if (random.chance(0.3))
            times[random.index(3)][random.index(3)] = inf;
        const double general = LocalUpdate<double>(h, {speed, 0, {1, 1, 1}})(times);
        const double special = IsotropicLocalUpdate<double>(h, speed)(times);
        QVERIFY2(std::abs(general - special) < 1e-13, qPrintable(QString::number(i)));
    }
}

void PmmLocalUpdateTest::updateOfAllBackEndsIsTheLiteralOne()
{
    using Math = ScalarMath<double>;
    Random random(6);
    for (int i = 0; i < 5000; ++i) {
        const double h = random.real(0.1, 1);
        const auto medium = randomMedium(random);
        const auto times = randomTimesWithGaps(random, random.real(0, 2) * h / medium.speed);
        const double *a = medium.direction.data();
        const auto [g, b] = coefficientsOf<double>(medium, h, false);
        const double arrival =
            arrivalIn<double>(plain::ConstantAnisotropicMedium<Math>(g, b, a), times);
        const double expected = LocalUpdate<double>(h, medium)(times);
        QVERIFY2(std::abs(arrival - expected) < 1e-13 * std::max(1.0, expected),
                 qPrintable(QString::number(arrival - expected)));

        const auto [slowness, zero] = coefficientsOf<double>(medium, h, true);
        const double isotropic =
            arrivalIn<double>(plain::ConstantIsotropicMedium<Math>(slowness), times);
        const double expectedIsotropic = IsotropicLocalUpdate<double>(h, medium.speed)(times);
        QVERIFY2(std::abs(isotropic - expectedIsotropic) < 1e-13 * std::max(1.0, expectedIsotropic),
                 qPrintable(QString::number(isotropic - expectedIsotropic)));
    }
}

void PmmLocalUpdateTest::mediumThatIsTheSameEverywhereMayVary()
{
    using Math = ScalarMath<double>;
    Random random(7);
    for (int i = 0; i < 1000; ++i) {
        const auto medium = randomMedium(random);
        const auto times = randomTimesWithGaps(random, random.real(0, 1));
        const double *a = medium.direction.data();
        const auto [g, b] = coefficientsOf<double>(medium, 0.5, false);
        QCOMPARE(arrivalIn<double>(plain::VaryingAnisotropicMedium<Math>(&g, &b, a), times),
                 arrivalIn<double>(plain::ConstantAnisotropicMedium<Math>(g, b, a), times));
        QCOMPARE(arrivalIn<double>(plain::VaryingIsotropicMedium<Math>(&g), times),
                 arrivalIn<double>(plain::ConstantIsotropicMedium<Math>(g), times));
    }
}

void PmmLocalUpdateTest::noArrivalIsEarlierThanItsMediumSays()
{
    using Math = ScalarMath<double>;
    Random random(8);
    const auto check = [](const auto &medium, const PlaneTimes<double> &times) {
        double earliest = inf;
        for (const auto &row : times)
            earliest = std::min(earliest, *std::min_element(row.begin(), row.end()));
        QVERIFY(arrivalIn<double>(medium, times) >= medium.noEarlierThan(earliest) - 1e-15);
    };
    for (int i = 0; i < 1000; ++i) {
        const auto medium = randomMedium(random);
        const auto times = randomTimesWithGaps(random, random.real(0, 1));
        const double *a = medium.direction.data();
        const auto [g, b] = coefficientsOf<double>(medium, 0.5, false);
        check(plain::ConstantAnisotropicMedium<Math>(g, b, a), times);
        check(plain::ConstantIsotropicMedium<Math>(0.5 / medium.speed), times);
    }
}

/// The other way round from what is said: of nodes whose old time is later than what arrives,
/// however little, for random neighbours and for those of plane waves.
void PmmLocalUpdateTest::noNodeIsLeftThatSomethingArrivesAtEarlier()
{
    Random random(11);
    const auto check = [&]<typename T>(T) {
        for (int i = 0; i < 3000; ++i) {
            const auto medium = randomMedium(random);
            const double h = std::pow(10, random.real(-8, 6)); // short times, and long ones
            const auto times =
                i % 2 == 0
                    ? randomTimesWithGaps(random, random.real(0, 2) * h)
                    : planeWave({random.real(-1, 1), random.real(-1, 1), random.real(-1, 1)}, h);
            T neighbours[9];
            for (std::size_t node = 0; node < 9; ++node)
                neighbours[node] = static_cast<T>(times[node / 3][node % 3]);
            std::array<T, 3> a;
            std::copy(medium.direction.begin(), medium.direction.end(), a.begin());
            const auto [g, b] = coefficientsOf<T>(medium, h, false);
            const plain::ConstantAnisotropicMedium<ScalarMath<T>> looked(g, b, a.data());
            const T arrival = looked.arrival(neighbours, 0);
            for (double later : {1.0, 0.1, 1e-2, 1e-4, 1e-6, 1e-9})
                QVERIFY(
                    !looked.isNoEarlierThan(neighbours, arrival + static_cast<T>(later * h), 0));
        }
    };
    check(0.0);
    check(0.0F);
}

/// Plane waves that come from beyond the neighbours, which cannot say anything new of the node.
void PmmLocalUpdateTest::mostNodesThatAWavePassesFromBesideAreLeft()
{
    Random random(12);
    const double g = 0.6, b = 0.5;
    const std::array<double, 3> a{0.5, -0.3, 0.6};
    const plain::ConstantAnisotropicMedium<ScalarMath<double>> medium(g, b, a.data());
    int left = 0, all = 0;
    while (all < 1000) {
        const Vector3<double> x{random.real(-1, 1), random.real(-1, 1), random.real(-1, 1)};
        if (1.2 * x[2] > std::max(std::abs(x[0]), std::abs(x[1])))
            continue;
        // The gradient is M x / sqrt(x' M x) - b a.
        const double along = dot(Vector3<double>{a[0], a[1], a[2]}, x);
        const double size = std::sqrt(b * b * along * along + g * dot(x, x));
        Vector3<double> gradient;
        for (std::size_t i = 0; i < 3; ++i)
            gradient[i] = (b * b * a[i] * along + g * x[i]) / size - b * a[i];
        const auto times = planeWave(gradient, 1);
        double neighbours[9];
        for (std::size_t node = 0; node < 9; ++node)
            neighbours[node] = times[node / 3][node % 3];
        ++all;
        left += medium.isNoEarlierThan(neighbours, 0, 0) ? 1 : 0;
    }
    QVERIFY2(left > 900, qPrintable(QString::number(left)));
}

void PmmLocalUpdateTest::vectorsGiveWhatValuesGive_data()
{
    QTest::addColumn<QString>("target");
    for (const auto &target : gridhelm::sparse::omp::availableSimdTargets())
        QTest::newRow(target.c_str()) << QString::fromStdString(target);
}

/// Not to the last bit: not every instruction set multiplies and adds without rounding in between.
void PmmLocalUpdateTest::vectorsGiveWhatValuesGive()
{
    QFETCH(QString, target);
    gridhelm::sparse::omp::forceSimdTarget(target.toStdString());
    Random random(9);
    for (int i = 0; i < 20; ++i) {
        for (bool isotropic : {true, false}) {
            for (bool varies : {false, true}) {
                const double inDouble = vectorsBesideValues<double>(random, isotropic, varies);
                const double inFloat = vectorsBesideValues<float>(random, isotropic, varies);
                QVERIFY2(
                    inDouble < 100 && inFloat < 100,
                    qPrintable(
                        QString("%1 %2 in units of the last place").arg(inDouble).arg(inFloat)));
            }
        }
    }
    gridhelm::sparse::omp::useBestSimdTarget();
}

GRIDHELM_TEST(PmmLocalUpdateTest)
#include "tst_pmm_local_update.moc"
