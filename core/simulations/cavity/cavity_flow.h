// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/simulations/cavity/acceleration.h"
#include "core/simulations/cavity/pressure_solver.h"
#include "core/simulations/cavity/staggered_grid.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gridhelm::simulations {

struct CavityFlowSettings
{
    int dimension = 2;
    std::size_t cells = 64; ///< along each side, at least 2
    double reynolds = 100;
    double lidSpeed = 1;    ///< of the wall at y = 1, along x
    double bottomSpeed = 0; ///< of the wall at y = 0, along x
    PressureMethod pressure = PressureMethod::cosine;
};

/// Incompressible flow in the unit square or cube between walls, two of which move:
///
///     du/dt + div(u u) = -grad p + Laplace(u) / Re,      div u = 0
///
/// from rest at time 0, when the walls start at once. Lengths are in sides, velocities in lid
/// speeds, p in density times lid speed squared, of mean 0.
///
/// A staggered grid, central differences, and the Runge-Kutta method of [Shu1988] (3 stages,
/// third order), each stage projected onto the fields without divergence: second order in space,
/// third in time for the velocity, no checkerboards, and div u = 0 on every cell up to round-off.
/// Not thread-safe.
class CavityFlow
{
public:
    /// What changes with time.
    struct State
    {
        double time = 0;
        std::array<std::vector<double>, 3> velocity; ///< arrays of the grid, the third empty in 2D
    };

    CavityFlow(const CavityFlowSettings &settings, const ExecutionContext &context);

    const StaggeredGrid &grid() const { return m_grid; }
    const State &state() const { return m_state; }
    /// Of the same grid. Ghosts and walls are set anew; the rest must be free of divergence.
    void setState(const State &state);

    /// A step that is stable, by the present velocities: a safety factor below the limit.
    double stableStep() const;
    void step(double length);

    /// Largest |div u| of a cell.
    double largestDivergence() const;
    /// Sum of u^2 / 2 over all faces times the volume of a cell.
    double kineticEnergy() const;

    /// At the (cells + 1)^dimension nodes, x fastest, dimension or 3 components each: the third one
    /// is 0 in 2D. Nodes on the edges of a moving wall belong to the walls at rest.
    std::vector<float> velocityAtNodes() const;
    /// Computes the pressure that belongs to the present velocities.
    std::vector<float> pressureAtNodes();

    static std::uint64_t bytesNeeded(int dimension, std::size_t cells);

private:
    VelocityView view() const;
    void setWalls();
    void loadDivergence(const std::array<std::vector<double>, 3> &field);
    void project();
    void accelerateAll();

    CavityFlowSettings m_settings;
    StaggeredGrid m_grid;
    State m_state;
    std::array<std::vector<double>, 3> m_start;        ///< velocities at the beginning of the step
    std::array<std::vector<double>, 3> m_acceleration; ///< its wall values stay 0
    std::unique_ptr<PressureSolver> m_pressure;
};

} // namespace gridhelm::simulations
