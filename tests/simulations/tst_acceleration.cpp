// SPDX-License-Identifier: GPL-3.0-or-later
//
// The terms of the momentum equation against derivatives of a smooth field by hand: each component
// in 2D and 3D converges with second order.
#include "core/simulations/cavity/acceleration.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace gridhelm::simulations;

namespace {

using Position = std::array<double, 3>;

/// A sum of plane waves for each component. Free of divergence: each wave's direction is normal to
/// its wave vector.
struct Wave
{
    Position k;
    Position direction;
    double phase;
};

const std::vector<Wave> &waves(int dimension)
{
    static const std::vector<Wave> flat{{{2, 1, 0}, {1, -2, 0}, 0.3}, {{-1, 3, 0}, {3, 1, 0}, 1}};
    static const std::vector<Wave> full{
        {{2, 1, 1}, {1, -1, -1}, 0.3}, {{-1, 3, 2}, {1, 1, -1}, 1}, {{1, 2, -2}, {2, 1, 2}, 2}};
    return dimension == 2 ? flat : full;
}

double phaseAt(const Wave &wave, const Position &x)
{
    return wave.k[0] * x[0] + wave.k[1] * x[1] + wave.k[2] * x[2] + wave.phase;
}

double velocityAt(int dimension, std::size_t component, const Position &x)
{
    double sum = 0;
    for (const auto &wave : waves(dimension))
        sum += wave.direction[component] * std::sin(phaseAt(wave, x));
    return sum;
}

/// nu Laplace(u) - (u . grad) u.
double accelerationAt(int dimension, std::size_t component, double viscosity, const Position &x)
{
    double sum = 0;
    for (const auto &wave : waves(dimension)) {
        const double squared =
            wave.k[0] * wave.k[0] + wave.k[1] * wave.k[1] + wave.k[2] * wave.k[2];
        const double phase = phaseAt(wave, x);
        sum -= viscosity * wave.direction[component] * squared * std::sin(phase);
        for (std::size_t axis = 0; axis < 3; ++axis)
            sum -= velocityAt(dimension, axis, x) * wave.direction[component] * wave.k[axis]
                   * std::cos(phase);
    }
    return sum;
}

/// Of the value of component c with these indices.
Position positionOf(const StaggeredGrid &grid, int c, const std::array<std::size_t, 3> &index)
{
    Position x{};
    for (int axis = 0; axis < grid.dimension; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        x[a] = grid.spacing() * (static_cast<double>(index[a]) - (axis == c ? 0.0 : 0.5));
    }
    return x;
}

double largestError(int dimension, std::size_t cells, int component)
{
    constexpr double viscosity = 0.1;
    const StaggeredGrid grid{dimension, cells};
    std::array<std::vector<double>, 3> velocity;
    const auto extent = grid.extent();
    const auto indices = [&](std::size_t offset) -> std::array<std::size_t, 3> {
        return {offset % extent, offset / extent % extent, offset / extent / extent};
    };
    VelocityView view{};
    for (int c = 0; c < dimension; ++c) {
        auto &values = velocity[static_cast<std::size_t>(c)];
        values.resize(grid.size());
        for (std::size_t offset = 0; offset < grid.size(); ++offset)
            values[offset] = velocityAt(dimension, static_cast<std::size_t>(c),
                                        positionOf(grid, c, indices(offset)));
        view[static_cast<std::size_t>(c)] = values.data();
    }
    std::vector<double> result(grid.size());
    accelerate(grid, view, component, viscosity, result.data());
    double largest = 0;
    std::size_t count = 0;
    grid.forEachFaceRow(component, [&](std::size_t begin, std::size_t length) {
        for (std::size_t offset = begin; offset < begin + length; ++offset, ++count) {
            const double expected =
                accelerationAt(dimension, static_cast<std::size_t>(component), viscosity,
                               positionOf(grid, component, indices(offset)));
            largest = std::max(largest, std::abs(result[offset] - expected));
        }
    });
    const std::size_t faces = (cells - 1) * cells * (dimension == 3 ? cells : 1);
    return count == faces ? largest : INFINITY;
}

} // namespace

class TestAcceleration : public QObject
{
    Q_OBJECT

private slots:
    void convergesWithSecondOrder_data();
    void convergesWithSecondOrder();
};

void TestAcceleration::convergesWithSecondOrder_data()
{
    QTest::addColumn<int>("dimension");
    QTest::addColumn<int>("component");
    for (int dimension : {2, 3}) {
        for (int component = 0; component < dimension; ++component)
            QTest::addRow("%dD, component %d", dimension, component) << dimension << component;
    }
}

void TestAcceleration::convergesWithSecondOrder()
{
    QFETCH(int, dimension);
    QFETCH(int, component);
    const double coarse = largestError(dimension, 16, component);
    const double fine = largestError(dimension, 32, component);
    QVERIFY2(fine < 0.1, qPrintable(QString::number(fine)));
    QVERIFY2(coarse / fine > 3.5 && coarse / fine < 4.5,
             qPrintable(QString::number(coarse / fine)));
}

GRIDHELM_TEST(TestAcceleration)
#include "tst_acceleration.moc"
