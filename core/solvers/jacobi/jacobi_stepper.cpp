// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/jacobi/jacobi_stepper.h"

#include "core/solvers/jacobi/iterations.h"
#include "core/solvers/jacobi/method.h"
#include "core/solvers/padded_residual.h"
#include "core/solvers/poisson_parameters.h"
#include "core/support/error.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

namespace gridhelm::solvers {

namespace {

constexpr std::array<std::pair<std::string_view, JacobiMethod>, 7> methodNames{{
    {"naive", JacobiMethod::naive},
    {"tuned", JacobiMethod::tuned},
    {"temporal", JacobiMethod::temporal},
    {"async0", JacobiMethod::async0},
    {"async1", JacobiMethod::async1},
    {"async2", JacobiMethod::async2},
    {"async3", JacobiMethod::async3},
}};

constexpr int largestAsyncFactor = 1000;
constexpr int largestDepth = 64;

bool isAsynchronous(JacobiMethod method)
{
    return method >= JacobiMethod::async0;
}

void requireValid(const PoissonProblem &problem, const JacobiOptions &options)
{
    const std::string name(nameOf(options.method));
    if (problem.dimension == 3 && options.method != JacobiMethod::naive
        && options.method != JacobiMethod::tuned)
        throw Error("the method " + name + " is for 2D problems; choose naive or tuned in 3D");
    if (options.depth < 0 || options.depth > largestDepth)
        throw Error("a pass cannot do " + std::to_string(options.depth)
                    + " iterations; choose at most " + std::to_string(largestDepth)
                    + ", or 0 for a good default");
    if (!isAsynchronous(options.method))
        return;
    if (options.asyncFactor < 1 || options.asyncFactor > largestAsyncFactor)
        throw Error("the async factor cannot be " + std::to_string(options.asyncFactor)
                    + "; choose from 1 to " + std::to_string(largestAsyncFactor));
    if (options.method != JacobiMethod::async3 && options.asyncFactor % 2 != 0)
        throw Error("the async factor of " + name + " cannot be odd ("
                    + std::to_string(options.asyncFactor)
                    + "), because its iterations go back and forth between two copies of a tile; "
                      "choose an even one, or async3");
}

bool hasSourceArray(const PoissonProblem &problem)
{
    return std::holds_alternative<GridSource>(problem.source)
           || std::holds_alternative<FunctionSource>(problem.source);
}

/// Iterations in a pass, of `temporal`; 0 leaves it to the method.
template <typename T>
int depthFor(const jacobi::JacobiState<T> &state, const JacobiOptions &options,
             const TuningTable &tuning)
{
    if (options.depth > 0)
        return options.depth;
    const auto size = TuningTable::sizeClassOf(static_cast<double>(state.problem.count()));
    return std::clamp(tuning.find({"jacobi temporal", "cpu", sizeof(T), size}, "depth", 0), 0,
                      largestDepth);
}

template <typename T>
std::unique_ptr<jacobi::Method<T>> makeMethod(const jacobi::JacobiState<T> &state,
                                              const JacobiOptions &options,
                                              const TuningTable &tuning)
{
    switch (options.method) {
    case JacobiMethod::naive:
        return jacobi::makeNaive<T>();
    case JacobiMethod::tuned:
        return jacobi::makeTuned<T>(state);
    case JacobiMethod::temporal:
        return jacobi::makeTemporal<T>(state, depthFor(state, options, tuning));
    default:
        return jacobi::makeAsync<T>(state, options);
    }
}

/// On the processor.
template <typename T>
class OmpIterations final : public jacobi::Iterations<T>
{
public:
    OmpIterations(const PoissonProblem &problem, const JacobiOptions &options,
                  const ExecutionContext &context)
        : m_state(problem, isSerial(options.method) ? CpuDevice{} : context.cpu())
        , m_method(makeMethod(m_state, options, context.tuning()))
    {
    }

    jacobi::Pass pass(std::uint64_t most) override { return m_method->pass(m_state, most); }

    void copyValues(std::span<T> values) const override { m_state.present.copyTo(values); }

    void setParameters(const PoissonProblem &problem) override
    {
        m_state.problem.sides = problem.sides;
        if (m_state.source.spike) {
            m_state.problem.source = problem.source;
            m_state.source.spike = scaledSpike<T>(problem);
        }
        m_state.setGhosts();
    }

    double scaledResidual() const override
    {
        return scaledResidualNorm(m_state.present, m_state.source, m_state.cpu);
    }

private:
    jacobi::JacobiState<T> m_state;
    std::unique_ptr<jacobi::Method<T>> m_method;
};

template <typename T>
jacobi::IterationsMaker<T> ompIterations(const ExecutionContext &context)
{
    return [context](const PoissonProblem &problem, const JacobiOptions &options) {
        return std::make_unique<OmpIterations<T>>(problem, options, context);
    };
}

template <typename T>
class JacobiStepper final : public Stepper
{
public:
    JacobiStepper(PoissonProblem problem, const JacobiOptions &options, ComputedOn where,
                  const jacobi::IterationsMaker<T> &makeIterations)
        : m_options(options)
        , m_computedOn(where)
        , m_problem(std::move(problem))
        , m_iterations(makeIterations(m_problem, options))
        , m_residualAtStart(m_iterations->scaledResidual())
    {
        m_problem.initialGuess.reset();
        // Only whether there is one matters from now on.
        if (hasSourceArray(m_problem))
            m_problem.source.template emplace<GridSource>();
    }

    std::string_view method() const override { return nameOf(m_options.method); }
    ComputedOn computedOn() const override { return m_computedOn; }

    void advance(std::uint64_t iterations, std::stop_token stop) override
    {
        const auto start = std::chrono::steady_clock::now();
        for (std::uint64_t done = 0; done < iterations && !stop.stop_requested();) {
            const auto pass = m_iterations->pass(iterations - done);
            done += pass.iterations;
            m_report.seconds += pass.earlierSeconds;
            m_report.iterations += pass.iterations;
            m_report.largestChange = pass.largestChange;
        }
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        m_report.seconds += seconds.count();
    }

    StepReport report() const override
    {
        StepReport report = m_report;
        const double residual = m_iterations->scaledResidual();
        report.residual = residual == 0 ? 0 : residual / m_residualAtStart;
        if (m_problem.knownSolution)
            report.error = largestError();
        const auto updates =
            static_cast<double>(report.iterations) * static_cast<double>(m_problem.count());
        report.flops = updates * (m_problem.dimension == 3 ? 7 : 5);
        report.bytes =
            updates * static_cast<double>((hasSourceArray(m_problem) ? 3 : 2) * sizeof(T));
        return report;
    }

    FieldView field() const override
    {
        const auto &problem = m_problem;
        m_field.resize(problem.count());
        m_iterations->copyValues(m_field);
        // Without a Dirichlet side the iteration leaves the mean where it was, up to round-off (and
        // the asynchronous methods do not even that); the solution is the one of mean 0.
        if (isAllNeumann(problem)) {
            double sum = 0;
            for (T value : m_field)
                sum += static_cast<double>(value);
            const double mean = sum / static_cast<double>(m_field.size());
            for (T &value : m_field)
                value = static_cast<T>(static_cast<double>(value) - mean);
        }
        return {problem.unknowns, firstUnknown(problem), problem.spacing,
                std::span<const T>(m_field)};
    }

    std::vector<LiveParameter> liveParameters() const override
    {
        return poissonParameters(m_problem);
    }

    void setLiveParameter(std::string_view name, double value) override
    {
        setPoissonParameter(m_problem, name, value);
        m_iterations->setParameters(m_problem);
        if (m_residualAtStart == 0)
            m_residualAtStart = m_iterations->scaledResidual();
    }

private:
    double largestError() const
    {
        const auto &problem = m_problem;
        const auto origin = firstUnknown(problem);
        (void)field();
        double largest = 0;
        const auto &n = problem.unknowns;
        for (std::size_t index = 0; index < m_field.size(); ++index) {
            const std::array<std::size_t, 3> at{index % n[0], index / n[0] % n[1],
                                                index / n[0] / n[1]};
            std::array<double, 3> x{};
            for (std::size_t axis = 0; axis < 3; ++axis)
                x[axis] = origin[axis] + problem.spacing * static_cast<double>(at[axis]);
            const double known = problem.knownSolution(x[0], x[1], x[2]);
            largest = std::max(largest, std::abs(static_cast<double>(m_field[index]) - known));
        }
        return largest;
    }

    JacobiOptions m_options;
    ComputedOn m_computedOn;
    PoissonProblem m_problem;
    std::unique_ptr<jacobi::Iterations<T>> m_iterations;
    double m_residualAtStart;
    StepReport m_report;
    mutable std::vector<T> m_field;
};

} // namespace

std::string_view nameOf(JacobiMethod method)
{
    return methodNames[static_cast<std::size_t>(method)].first;
}

bool isSerial(JacobiMethod method)
{
    return method == JacobiMethod::naive;
}

JacobiMethod jacobiMethod(std::string_view name)
{
    std::string all;
    for (const auto &[each, method] : methodNames) {
        if (each == name)
            return method;
        all += (all.empty() ? "" : ", ") + std::string(each);
    }
    throw Error("there is no Jacobi method \"" + std::string(name) + "\"; choose one of " + all);
}

std::unique_ptr<Stepper> makeJacobiStepper(PoissonProblem problem, const JacobiOptions &options,
                                           const ExecutionContext &context)
{
    return jacobi::makeStepper(std::move(problem), options, ComputedOn::cpu(),
                               ompIterations<float>(context), ompIterations<double>(context));
}

std::unique_ptr<Stepper> jacobi::makeStepper(PoissonProblem problem, const JacobiOptions &options,
                                             ComputedOn where,
                                             const IterationsMaker<float> &makeFloat,
                                             const IterationsMaker<double> &makeDouble)
{
    requireValid(problem, options);
    const std::size_t valueBytes = options.precision == Precision::float32 ? 4 : 8;
    // Two grids and the field; f in double while it is sampled, then as an array.
    requireSoluble(problem, 3 * valueBytes + (hasSourceArray(problem) ? 8 + valueBytes : 0));
    if (options.precision == Precision::float32)
        return std::make_unique<JacobiStepper<float>>(std::move(problem), options, where,
                                                      makeFloat);
    return std::make_unique<JacobiStepper<double>>(std::move(problem), options, where, makeDouble);
}

} // namespace gridhelm::solvers
