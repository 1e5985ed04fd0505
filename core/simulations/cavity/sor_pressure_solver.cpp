// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulations/cavity/pressure_solver.h"

#include "core/solvers/poisson/poisson_stepper.h"
#include "core/support/error.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace gridhelm::simulations {

namespace {

constexpr double tolerance = 1e-10;
constexpr std::uint64_t iterationsPerCheck = 16;

class SorPressureSolver : public PressureSolver
{
public:
    SorPressureSolver(std::size_t cells, const ExecutionContext &context)
        : m_context(context)
        , m_values(cells * cells)
    {
        m_problem.unknowns = {cells, cells, 1};
        m_problem.spacing = 1 / static_cast<double>(cells);
        m_problem.sides.fill({solvers::SideKind::neumann, 0});
    }

    std::span<double> values() override { return m_values; }

    void solve() override
    {
        const double mean = std::accumulate(m_values.begin(), m_values.end(), 0.0)
                            / static_cast<double>(m_values.size());
        solvers::GridSource source(m_values.size());
        std::transform(m_values.begin(), m_values.end(), source.begin(),
                       [mean](double f) { return mean - f; });
        // What is left of a constant is round-off, which would not balance the fluxes of 0.
        if (std::all_of(source.begin(), source.end(), [](double f) { return f == 0; })) {
            std::fill(m_values.begin(), m_values.end(), 0.0);
            return;
        }
        m_problem.source = std::move(source);
        const auto stepper = solvers::makePoissonStepper(m_problem, {"red-black"}, m_context);
        const std::uint64_t most = 100 * m_problem.unknowns[0] + 1000;
        while (stepper->report().residual > tolerance) {
            if (stepper->report().iterations > most)
                throw Error("SOR does not find the pressure within " + std::to_string(most)
                            + " iterations; choose the cosine transform");
            stepper->advance(iterationsPerCheck);
        }
        const auto view = stepper->field();
        const auto solution = std::get<std::span<const double>>(view.values);
        std::copy(solution.begin(), solution.end(), m_values.begin());
    }

private:
    ExecutionContext m_context;
    solvers::PoissonProblem m_problem;
    std::vector<double> m_values;
};

} // namespace

std::unique_ptr<PressureSolver> makeSorPressureSolver(std::size_t cells,
                                                      const ExecutionContext &context)
{
    return std::make_unique<SorPressureSolver>(cells, context);
}

std::unique_ptr<PressureSolver> makePressureSolver(PressureMethod method, int dimension,
                                                   std::size_t cells,
                                                   const ExecutionContext &context)
{
    if (method == PressureMethod::cosine)
        return makeCosineSolver(dimension, cells);
    if (dimension != 2)
        throw Error("SOR finds the pressure in 2D only; choose the cosine transform");
    return makeSorPressureSolver(cells, context);
}

} // namespace gridhelm::simulations
