// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/stencil_stepper.h"

#include "core/solvers/poisson_parameters.h"
#include "core/stencil/analysis.h"
#include "core/stencil/compiled_part.h"
#include "core/stencil/literal_stencil.h"
#include "core/stencil/padded_values.h"
#include "core/stencil/stencil_data.h"
#include "core/stencil/stencil_iterations.h"
#include "core/support/memory_check.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace gridhelm::stencil {
namespace {

using solvers::LiveParameter;
using solvers::StepReport;

constexpr double largestFactor = 1e9;

std::vector<LiveParameter> parametersOf(const Stencil &stencil)
{
    if (!stencil.source.field && !stencil.source.spike)
        return {};
    return {{"source factor", "", stencil.source.factor, -largestFactor, largestFactor, true}};
}

template <typename T>
class LiteralIterations final : public StencilIterations<T>
{
public:
    LiteralIterations(const Stencil &stencil, const CpuDevice &cpu)
        : m_stencil(stencil)
        , m_cpu(cpu)
        , m_fields(literalFields<T>(stencil, cpu))
        , m_present(valuesOf<T>(stencil, stencil.start, cpu))
        , m_next(m_present.size())
    {
    }

    std::string_view method() const override { return "literal"; }
    ComputedOn computedOn() const override { return ComputedOn::cpu(); }
    double advance(std::uint64_t iterations, T factor) override
    {
        for (; iterations > 0; --iterations) {
            iterateOnce(factor);
            std::swap(m_present, m_next);
        }
        double largest = 0;
        for (std::size_t i = 0; i < m_present.size(); ++i)
            largest = std::max(largest, std::abs(static_cast<double>(m_present[i] - m_next[i])));
        return largest;
    }
    double residual(T factor) override
    {
        iterateOnce(factor);
        double sum = 0;
        for (std::size_t i = 0; i < m_present.size(); ++i) {
            const double change =
                static_cast<double>(m_next[i]) - static_cast<double>(m_present[i]);
            sum += change * change;
        }
        return std::sqrt(sum);
    }
    void copyTo(std::vector<T> &values) const override { values = m_present; }

private:
    void iterateOnce(T factor)
    {
        literalIteration<T>(m_stencil, m_fields, factor, m_present, m_next, m_cpu);
    }

    const Stencil &m_stencil;
    CpuDevice m_cpu;
    LiteralFields<T> m_fields;
    std::vector<T> m_present;
    std::vector<T> m_next;
};

template <typename T>
class StencilStepper final : public solvers::Stepper
{
public:
    StencilStepper(const Stencil &stencil, const MakeIterations<T> &make)
        : m_stencil(stencil)
        , m_parameters(parametersOf(stencil))
        , m_iterations(make(m_stencil))
    {
        m_residualAtStart = residual();
    }

    std::string_view method() const override { return m_iterations->method(); }
    ComputedOn computedOn() const override { return m_iterations->computedOn(); }

    void advance(std::uint64_t iterations, std::stop_token stop) override
    {
        const auto begin = std::chrono::steady_clock::now();
        // In parts of about 200 ms, between which a stop is looked for.
        while (iterations > 0 && !stop.stop_requested()) {
            const auto part = std::min(iterations, iterationsOfPart());
            m_report.largestChange = m_iterations->advance(part, factor());
            m_report.iterations += part;
            iterations -= part;
            m_areValuesCurrent = false;
            const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin;
            m_secondsOfOne = since.count() / static_cast<double>(m_advanced += part);
        }
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        m_report.seconds += seconds.count();
        m_advanced = 0;
    }

    StepReport report() const override
    {
        auto report = m_report;
        const double now = residual();
        // What is no number any more must not look like what has converged.
        if (!std::isfinite(now) && report.iterations > 0)
            report.largestChange = std::numeric_limits<double>::infinity();
        report.residual = !std::isfinite(now)     ? std::numeric_limits<double>::infinity()
                          : m_residualAtStart > 0 ? now / m_residualAtStart
                                                  : now;
        const auto updates =
            static_cast<double>(report.iterations) * static_cast<double>(m_stencil.count());
        report.flops = updates * static_cast<double>(operationsPerValue(m_stencil));
        report.bytes = updates * listsOf(m_stencil) * sizeof(T);
        return report;
    }

    solvers::FieldView field() const override
    {
        if (!m_areValuesCurrent)
            m_iterations->copyTo(m_values);
        m_areValuesCurrent = true;
        return {m_stencil.points, m_stencil.origin, m_stencil.spacing,
                std::span<const T>(m_values)};
    }

    std::vector<LiveParameter> liveParameters() const override { return m_parameters; }
    void setLiveParameter(std::string_view name, double value) override
    {
        solvers::requireLiveParameter(m_parameters, name, value);
        m_parameters.front().value = value;
        if (m_residualAtStart == 0) // there was nothing to do before
            m_residualAtStart = residual();
    }

private:
    T factor() const
    {
        return static_cast<T>(m_parameters.empty() ? 0.0 : m_parameters.front().value);
    }
    double residual() const { return m_iterations->residual(factor()); }
    std::uint64_t iterationsOfPart() const
    {
        constexpr double partSeconds = 0.2;
        const auto pass = static_cast<std::uint64_t>(m_stencil.target.iterationsPerPass);
        const double fitting = m_secondsOfOne > 0 ? partSeconds / m_secondsOfOne : 1;
        return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::min(fitting, 1e9)) / pass)
               * pass;
    }

    const Stencil m_stencil;
    std::vector<LiveParameter> m_parameters;
    std::unique_ptr<StencilIterations<T>> m_iterations;
    double m_residualAtStart = 0;
    double m_secondsOfOne = 0;
    std::uint64_t m_advanced = 0; ///< by the present call
    StepReport m_report;
    mutable std::vector<T> m_values;
    mutable bool m_areValuesCurrent = false;
};

void requireRoom(const Stencil &stencil)
{
    requireMemory(paddedBytes(stencil) * listsOf(stencil),
                  "the grid of " + std::to_string(stencil.count()) + " points",
                  "choose fewer points, or float");
}

template <typename T>
std::unique_ptr<solvers::Stepper> stepperOnCpu(const Stencil &stencil, CompiledKernel kernel,
                                               const CpuDevice &cpu)
{
    requireStencil(stencil);
    requireRoom(stencil);
    return makeStencilStepper<T>(
        stencil, cpu, [&](const Stencil &kept) -> std::unique_ptr<StencilIterations<T>> {
            if (kernel.function == nullptr)
                return std::make_unique<LiteralIterations<T>>(kept, cpu);
            return makeCompiledPart<T>(StencilPiece(kept), std::move(kernel), cpu);
        });
}

} // namespace

double paddedBytes(const Stencil &stencil)
{
    double values = 1;
    const double ghosts = 2 * ghostsOf(stencil);
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(stencil.dimension); ++axis)
        values *= static_cast<double>(stencil.points[axis]) + (axis == 0 ? 64 : ghosts);
    return values * (stencil.precision == solvers::Precision::float32 ? 4 : 8);
}

double listsOf(const Stencil &stencil)
{
    return static_cast<double>(2 + stencil.coefficients.size() + (stencil.source.field ? 1 : 0));
}

template <typename T>
std::unique_ptr<solvers::Stepper> makeStencilStepper(const Stencil &stencil, const CpuDevice &cpu,
                                                     const MakeIterations<T> &make)
{
    requireStencil(stencil);
    requireMemory(static_cast<double>(stencil.count()) * sizeof(T),
                  "the field of " + std::to_string(stencil.count()) + " points",
                  "choose fewer points, or float");
    requireFinite(stencil, cpu);
    return std::make_unique<StencilStepper<T>>(stencil, make);
}

template std::unique_ptr<solvers::Stepper>
makeStencilStepper<float>(const Stencil &stencil, const CpuDevice &cpu,
                          const MakeIterations<float> &make);
template std::unique_ptr<solvers::Stepper>
makeStencilStepper<double>(const Stencil &stencil, const CpuDevice &cpu,
                           const MakeIterations<double> &make);

std::unique_ptr<solvers::Stepper> makeStencilStepper(const Stencil &stencil, CompiledKernel kernel,
                                                     const CpuDevice &cpu)
{
    if (stencil.precision == solvers::Precision::float32)
        return stepperOnCpu<float>(stencil, std::move(kernel), cpu);
    return stepperOnCpu<double>(stencil, std::move(kernel), cpu);
}

solvers::SolverCase stencilCase(const Stencil &stencil, const solvers::RunSetup &run,
                                MakeStencilStepper make)
{
    requireStencil(stencil);
    solvers::RunAbilities abilities;
    abilities.method = "a stencil";
    abilities.quantities = {solvers::Quantity::residual, solvers::Quantity::change};
    abilities.parameters = parametersOf(stencil);
    solvers::SolverCase result;
    result.plan = runPlan(run, abilities);
    result.plan.granule = static_cast<std::uint64_t>(stencil.target.iterationsPerPass);
    // Something diffuses over the grid in as many iterations as it has points, about.
    result.plan.ifItDiverges =
        "choose smaller weights, sources or boundary values, fewer iterations, or double precision";
    result.plan.patience = std::max<std::uint64_t>(1000, stencil.count());
    result.quantities = abilities.quantities;
    result.unknowns = stencil.count();
    result.makeStepper = std::move(make);
    return result;
}

} // namespace gridhelm::stencil
