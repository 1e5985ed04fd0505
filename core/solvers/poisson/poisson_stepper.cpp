// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson/poisson_stepper.h"

#include "core/solvers/cold_residual.h"
#include "core/solvers/poisson/poisson_method.h"
#include "core/solvers/poisson/team.h"
#include "core/solvers/poisson_parameters.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::solvers {
namespace {

template <typename T>
class PoissonStepper final : public Stepper
{
public:
    PoissonStepper(PoissonProblem problem, const PoissonMethod &method, const OptionValues &options,
                   ComputedOn where, const IterationsMaker<T> &makeIterations)
        : m_method(method)
        , m_computedOn(where)
        , m_counted(method.family->count(problem))
        , m_problem(std::move(problem))
        , m_options(startingOptions(method, m_problem, options))
        , m_iterations(makeIterations(m_problem, m_options))
        , m_residualAtStart(residualAtStart())
    {
        m_problem.initialGuess.reset();
        // The iterations have f; here only a spike matters from now on.
        if (!std::holds_alternative<SpikeSource>(m_problem.source))
            m_problem.source = std::monostate{};
    }

    std::string_view method() const override { return m_method.name; }
    ComputedOn computedOn() const override
    {
        return m_iterations->computedOn().value_or(m_computedOn);
    }

    void advance(std::uint64_t iterations, std::stop_token stop) override
    {
        const auto start = std::chrono::steady_clock::now();
        const auto done = m_iterations->advance(iterations, stop);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        m_report.iterations += done.iterations;
        if (done.iterations > 0)
            m_report.largestChange = done.largestChange;
        m_report.seconds += done.earlierSeconds + seconds.count();
        m_areValuesCurrent = false;
    }

    StepReport report() const override
    {
        StepReport report = m_report;
        report.residual = relativeResidual();
        if (m_problem.knownSolution)
            report.error = largestError();
        const auto updates =
            static_cast<double>(report.iterations) * static_cast<double>(m_problem.count());
        report.flops = updates * m_counted.flops;
        report.bytes = updates * m_counted.values * sizeof(T);
        return report;
    }

    std::vector<ShareTimes> takeShareTimes() override { return m_iterations->takeShareTimes(); }

    FieldView field() const override
    {
        const auto *ranks = m_iterations->ranks();
        std::span<const T> values = valuesHere();
        if (ranks != nullptr) {
            m_gathered.resize(ranks->ranks().isFirst() ? m_problem.count() : 0);
            ranks->gatherForFirst(values, std::span(m_gathered), unknownsOfLayer(m_problem));
            values = m_gathered;
        }
        return {m_problem.unknowns, firstUnknown(m_problem), m_problem.spacing, values};
    }

    FieldPart part() const override
    {
        const auto axis = static_cast<std::size_t>(m_problem.dimension) - 1;
        return {{unknownsOf(m_problem, here()), firstUnknown(m_problem), m_problem.spacing,
                 std::span<const T>(valuesHere())},
                axis,
                here(),
                m_iterations->ranks()};
    }

    std::vector<LiveParameter> liveParameters() const override
    {
        auto parameters = liveOptions(m_method, m_options);
        std::ranges::move(poissonParameters(m_problem), std::back_inserter(parameters));
        return parameters;
    }

    void setLiveParameter(std::string_view name, double value) override
    {
        if (const auto *option = liveOption(m_method, name)) {
            requirePossible(*option, value, std::string(name));
            m_options.set(*option, value);
            m_iterations->setOption(*option, value);
            return;
        }
        requireLiveParameter(liveParameters(), name, value);
        setPoissonParameter(m_problem, name, value);
        m_iterations->setParameters(m_problem);
        if (m_residualAtStart == 0) // there was nothing to do before
            m_residualAtStart = m_iterations->scaledResidual();
    }

private:
    /// What all residuals are relative to.
    double residualAtStart() const
    {
        const bool isWarm = m_problem.initialGuess && m_problem.isMeasuredFromCold;
        const double cold = isWarm ? scaledColdResidual(m_problem) : 0;
        return cold > 0 ? cold : m_iterations->scaledResidual();
    }

    double relativeResidual() const
    {
        const double residual = m_iterations->scaledResidual();
        return m_residualAtStart > 0 ? residual / m_residualAtStart : residual;
    }

    Slab here() const
    {
        const auto *ranks = m_iterations->ranks();
        return ranks != nullptr ? ranks->here() : wholeSlab(m_problem);
    }

    /// The present ones of the slab that is here.
    const std::vector<T> &valuesHere() const
    {
        if (!m_areValuesCurrent) {
            m_values.resize(here().size() * unknownsOfLayer(m_problem));
            m_iterations->copyValues(m_values);
            if (isAllNeumann(m_problem))
                subtractMean();
            m_areValuesCurrent = true;
        }
        return m_values;
    }

    double largestError() const
    {
        const auto &values = valuesHere();
        const auto &n = m_problem.unknowns;
        const auto origin = firstUnknown(m_problem);
        const auto before = here().begin * unknownsOfLayer(m_problem);
        double largest = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto index = before + i;
            const std::array<std::size_t, 3> at{index % n[0], index / n[0] % n[1],
                                                index / n[0] / n[1]};
            std::array<double, 3> x{};
            for (std::size_t axis = 0; axis < 3; ++axis)
                x[axis] = origin[axis] + m_problem.spacing * static_cast<double>(at[axis]);
            const double known = m_problem.knownSolution(x[0], x[1], x[2]);
            largest = std::max(largest, std::abs(static_cast<double>(values[i]) - known));
        }
        const auto *ranks = m_iterations->ranks();
        return ranks != nullptr ? largestOfAll(ranks->ranks(), largest) : largest;
    }

    /// Without a Dirichlet side the iteration leaves the mean where it was, up to round-off (and
    /// the asynchronous methods do not even that); the solution is the one of mean 0.
    void subtractMean() const
    {
        const auto add = [this](double sum) {
            for (T value : m_values)
                sum += static_cast<double>(value);
            return sum;
        };
        const auto *ranks = m_iterations->ranks();
        const double sum = ranks != nullptr ? ranks->sumInOrder(add) : add(0);
        const double mean = sum / static_cast<double>(m_problem.count());
        for (T &value : m_values)
            value = static_cast<T>(static_cast<double>(value) - mean);
    }

    const PoissonMethod &m_method;
    ComputedOn m_computedOn;
    CountedUpdate m_counted;
    PoissonProblem m_problem;
    OptionValues m_options;
    std::unique_ptr<PoissonIterations<T>> m_iterations;
    double m_residualAtStart;
    StepReport m_report;
    mutable std::vector<T> m_values; ///< copied when they are asked for
    mutable bool m_areValuesCurrent = false;
    mutable std::vector<T> m_gathered; ///< from the ranks, on the first one
};

void requireDimension(const PoissonMethod &method, int dimension)
{
    if (dimension != 3 || method.solves3D)
        return;
    auto others = methodsOf(*method.family);
    std::erase_if(others, [](const auto *other) { return !other->solves3D; });
    throw Error(fmt::format("the method {} is for 2D problems; choose {} in 3D", method.name,
                            namesOf(others)));
}

} // namespace

std::unique_ptr<Stepper> makePoissonStepper(PoissonProblem problem, const PoissonSettings &settings,
                                            const ExecutionContext &context)
{
    const auto &method = poissonMethod(settings.method);
    requireDivisible(method, context);
    const auto on = [&](auto make) {
        return [make, &context](const PoissonProblem &each, const OptionValues &options) {
            return make(each, options, context);
        };
    };
    return makePoissonStepper(std::move(problem), settings, ComputedOn::cpu(), on(method.makeFloat),
                              on(method.makeDouble));
}

std::unique_ptr<Stepper> makePoissonStepper(PoissonProblem problem, const PoissonSettings &settings,
                                            ComputedOn where,
                                            const IterationsMaker<float> &makeFloat,
                                            const IterationsMaker<double> &makeDouble)
{
    const auto &method = poissonMethod(settings.method);
    requireDimension(method, problem.dimension);
    requireOptions(method, settings.options);
    const bool isFloat = settings.precision == Precision::float32;
    requireSoluble(
        problem, method.family->bytesPerUnknown(problem, isFloat ? sizeof(float) : sizeof(double)));
    if (isFloat)
        return std::make_unique<PoissonStepper<float>>(std::move(problem), method, settings.options,
                                                       where, makeFloat);
    return std::make_unique<PoissonStepper<double>>(std::move(problem), method, settings.options,
                                                    where, makeDouble);
}

} // namespace gridhelm::solvers
