// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulations/cavity/cavity_flow.h"

#include "core/simulations/cavity/node_values.h"
#include "core/support/checked_math.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::simulations {

namespace {

/// Where the Runge-Kutta method of 3 stages is stable on the axes; the straight line between the
/// two limits lies inside the region of stability.
constexpr double realLimit = 2.51;
constexpr double imaginaryLimit = 1.73;
constexpr double safety = 0.9;

std::size_t index(int component)
{
    return static_cast<std::size_t>(component);
}

} // namespace

CavityFlow::CavityFlow(const CavityFlowSettings &settings, const ExecutionContext &context)
    : m_settings(settings)
    , m_grid{settings.dimension, settings.cells}
    , m_pressure(makePressureSolver(settings.pressure, settings.dimension, settings.cells, context))
{
    for (int c = 0; c < m_grid.dimension; ++c) {
        m_state.velocity[index(c)].resize(m_grid.size());
        m_acceleration[index(c)].resize(m_grid.size());
    }
    setWalls();
}

void CavityFlow::setState(const State &state)
{
    m_state = state;
    setWalls();
}

VelocityView CavityFlow::view() const
{
    return {m_state.velocity[0].data(), m_state.velocity[1].data(), m_state.velocity[2].data()};
}

/// Ghosts such that the mean of them and their neighbour is the wall's speed. Axis after axis, over
/// the ghosts of the axes before, so that there are values along the edges too (for the nodes).
void CavityFlow::setWalls()
{
    const auto strides = m_grid.strides();
    const auto n = m_grid.cells;
    const auto extent = m_grid.extent();
    for (int c = 0; c < m_grid.dimension; ++c) {
        double *values = m_state.velocity[index(c)].data();
        for (int axis = 0; axis < m_grid.dimension; ++axis) {
            const auto across = strides[index(axis)];
            const auto s = strides[index(axis == 0 ? 1 : 0)];
            const auto t = strides[index(axis == 2 ? 1 : 2)];
            const bool isMoving = c == 0 && axis == 1;
            const double low = isMoving ? m_settings.bottomSpeed : 0;
            const double high = isMoving ? m_settings.lidSpeed : 0;
            for (std::size_t b = 0; b < (m_grid.dimension == 3 ? extent : 1); ++b) {
                for (std::size_t a = 0; a < extent; ++a) {
                    double *line = values + a * s + b * t;
                    if (axis == c) {
                        line[0] = 0;
                        line[n * across] = 0;
                    } else {
                        line[0] = 2 * low - line[across];
                        line[(n + 1) * across] = 2 * high - line[n * across];
                    }
                }
            }
        }
    }
}

double CavityFlow::stableStep() const
{
    const double h = m_grid.spacing();
    double speeds = 0;
    for (int c = 0; c < m_grid.dimension; ++c) {
        double largest =
            c == 0 ? std::max(std::abs(m_settings.lidSpeed), std::abs(m_settings.bottomSpeed)) : 0;
        const double *values = m_state.velocity[index(c)].data();
        m_grid.forEachFaceRow(c, [&](std::size_t begin, std::size_t count) {
            for (std::size_t i = begin; i < begin + count; ++i)
                largest = std::max(largest, std::abs(values[i]));
        });
        speeds += largest;
    }
    const double advection = speeds / h;
    const double diffusion = 4 * m_grid.dimension / (m_settings.reynolds * h * h);
    return safety / (advection / imaginaryLimit + diffusion / realLimit);
}

void CavityFlow::accelerateAll()
{
    for (int c = 0; c < m_grid.dimension; ++c)
        accelerate(m_grid, view(), c, 1 / m_settings.reynolds, m_acceleration[index(c)].data());
}

void CavityFlow::step(double length)
{
    // u <- part of the start + rest of (u + length dU/dt), then projected
    struct Stage
    {
        double start;
        double rest;
    };
    constexpr std::array<Stage, 3> stages{{{0, 1}, {3.0 / 4, 1.0 / 4}, {1.0 / 3, 2.0 / 3}}};
    m_start = m_state.velocity;
    for (const auto &stage : stages) {
        accelerateAll();
        for (int c = 0; c < m_grid.dimension; ++c) {
            double *values = m_state.velocity[index(c)].data();
            const double *start = m_start[index(c)].data();
            const double *acceleration = m_acceleration[index(c)].data();
            m_grid.forEachFaceRow(c, [&](std::size_t begin, std::size_t count) {
#pragma omp simd
                for (std::size_t i = begin; i < begin + count; ++i)
                    values[i] = stage.start * start[i]
                                + stage.rest * (values[i] + length * acceleration[i]);
            });
        }
        project();
        setWalls();
    }
    m_state.time += length;
}

void CavityFlow::loadDivergence(const std::array<std::vector<double>, 3> &field)
{
    const auto n = m_grid.cells;
    const auto strides = m_grid.strides();
    const auto perSpacing = static_cast<double>(n);
    double *target = m_pressure->values().data();
    m_grid.forEachRow([&](std::size_t begin, std::size_t j, std::size_t k) {
        double *row = target + (k * n + j) * n;
        const double *u = field[0].data() + begin;
        const double *v = field[1].data() + begin;
        const double *vLow = v - strides[1];
#pragma omp simd
        for (std::size_t i = 0; i < n; ++i)
            row[i] = ((u[i] - *(u + i - 1)) + (v[i] - vLow[i])) * perSpacing;
        if (m_grid.dimension == 3) {
            const double *w = field[2].data() + begin;
            const double *wLow = w - strides[2];
#pragma omp simd
            for (std::size_t i = 0; i < n; ++i)
                row[i] += (w[i] - wLow[i]) * perSpacing;
        }
    });
}

/// u <- u - grad phi with Laplace(phi) = div u; walls let nothing through, before and after.
void CavityFlow::project()
{
    const auto n = m_grid.cells;
    const auto perSpacing = static_cast<double>(n);
    loadDivergence(m_state.velocity);
    m_pressure->solve();
    const double *phi = m_pressure->values().data();
    const std::array<std::size_t, 3> next{1, n, n * n};
    const std::array<std::size_t, 3> last{n - 1, n, m_grid.planes()};
    m_grid.forEachRow([&](std::size_t begin, std::size_t j, std::size_t k) {
        const double *low = phi + (k * n + j) * n;
        const std::array<std::size_t, 3> at{0, j, k};
        for (int c = 0; c < m_grid.dimension; ++c) {
            if (c > 0 && at[index(c)] + 1 == last[index(c)])
                continue; // a wall
            double *values = m_state.velocity[index(c)].data() + begin;
            const double *high = low + next[index(c)];
            const std::size_t count = c == 0 ? last[0] : n;
#pragma omp simd
            for (std::size_t i = 0; i < count; ++i)
                values[i] -= (high[i] - low[i]) * perSpacing;
        }
    });
}

double CavityFlow::largestDivergence() const
{
    const auto strides = m_grid.strides();
    double largest = 0;
    m_grid.forEachRow([&](std::size_t begin, std::size_t, std::size_t) {
        for (std::size_t i = begin; i < begin + m_grid.cells; ++i) {
            double sum = 0;
            for (int c = 0; c < m_grid.dimension; ++c) {
                const double *values = m_state.velocity[index(c)].data();
                sum += values[i] - values[i - strides[index(c)]];
            }
            largest = std::max(largest, std::abs(sum / m_grid.spacing()));
        }
    });
    return largest;
}

double CavityFlow::kineticEnergy() const
{
    double sum = 0;
    for (int c = 0; c < m_grid.dimension; ++c) {
        const double *values = m_state.velocity[index(c)].data();
        m_grid.forEachFaceRow(c, [&](std::size_t begin, std::size_t count) {
            for (std::size_t i = begin; i < begin + count; ++i)
                sum += values[i] * values[i] / 2;
        });
    }
    return sum / static_cast<double>(m_grid.cellCount());
}

std::vector<float> CavityFlow::velocityAtNodes() const
{
    const auto n = m_grid.cells;
    const auto nodes = n + 1;
    const std::size_t layers = m_grid.dimension == 3 ? nodes : 1;
    std::vector<float> result(3 * nodes * nodes * layers, 0.0F);
    for (int c = 0; c < m_grid.dimension; ++c) {
        const auto values = facesToNodes(m_grid, m_state.velocity[index(c)], c);
        for (std::size_t node = 0; node < values.size(); ++node) {
            const std::array<std::size_t, 3> at{node % nodes, node / nodes % nodes,
                                                node / nodes / nodes};
            const auto isOnWall = [&](std::size_t axis) { return at[axis] == 0 || at[axis] == n; };
            double value = values[node];
            if (isOnWall(0) || (m_grid.dimension == 3 && isOnWall(2)))
                value = 0;
            else if (isOnWall(1) && c == 0)
                value = at[1] == 0 ? m_settings.bottomSpeed : m_settings.lidSpeed;
            else if (isOnWall(1))
                value = 0;
            result[3 * node + index(c)] = static_cast<float>(value);
        }
    }
    return result;
}

std::vector<float> CavityFlow::pressureAtNodes()
{
    // The pressure takes the divergence out of the acceleration.
    accelerateAll();
    loadDivergence(m_acceleration);
    m_pressure->solve();
    const auto values = cellsToNodes(m_grid, m_pressure->values());
    return {values.begin(), values.end()};
}

std::uint64_t CavityFlow::bytesNeeded(int dimension, std::size_t cells)
{
    const auto d = static_cast<std::uint64_t>(dimension);
    // Velocities four times (a state that is kept among them), what the nodes are computed from,
    // and the snapshot in float.
    const std::uint64_t perCell =
        sizeof(double) * (4 * d + pressureSolverValuesPerCell + 4) + sizeof(float) * 8;
    std::uint64_t count = 1;
    for (std::uint64_t axis = 0; axis < d; ++axis)
        count = checkedMultiply(count, cells + 2);
    return checkedMultiply(count, perCell);
}

} // namespace gridhelm::simulations
