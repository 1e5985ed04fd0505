// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/sor/sor_stepper.h"

#include "core/solvers/poisson_parameters.h"
#include "core/solvers/sor/relaxation.h"
#include "core/solvers/sor/sor_sweeper.h"
#include "core/support/error.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace gridhelm::solvers {

namespace {

constexpr const char *relaxationName = "relaxation";

void requireValid(const SorSettings &settings, int dimension)
{
    if (settings.relaxation)
        requireRelaxation(*settings.relaxation);
    if (settings.method != SorMethod::redBlack && dimension == 3)
        throw Error("this SOR method is for 2D problems; choose red-black for 3D");
    if (settings.method == SorMethod::mlssor) {
        const auto &shape = settings.shape;
        if (shape.layers < 1 || shape.width > 1024 || shape.layers > shape.width / 2)
            throw Error("MLSSOR cannot have " + std::to_string(shape.layers) + " layers of width "
                        + std::to_string(shape.width)
                        + "; choose a width from 2 to 1024 and at most half as many layers");
    }
}

template <typename T>
std::unique_ptr<SorSweeper<T>> makeSweeper(const PoissonProblem &problem,
                                           const SorSettings &settings,
                                           const ExecutionContext &context)
{
    switch (settings.method) {
    case SorMethod::sequential:
        return makeSequentialSweeper<T>(problem, settings);
    case SorMethod::mlssor:
        return makeMlssorSweeper<T>(problem, settings, context.cpu());
    case SorMethod::redBlack:
        break;
    }
    return makeRedBlackSweeper<T>(problem, settings, context);
}

template <typename T>
class SorStepper : public Stepper
{
public:
    SorStepper(const PoissonProblem &problem, const SorSettings &settings, ComputedOn where,
               const SorSweeperMaker<T> &makeSweeper)
        : m_problem(problem)
        , m_method(settings.method)
        , m_relaxation(settings.relaxation.value_or(defaultRelaxation(problem, settings)))
        , m_computedOn(where)
        , m_sweeper(makeSweeper(problem, settings))
    {
        m_problem.initialGuess.reset();
        m_sweeper->setSides(m_problem.sides);
        m_sweeper->setValues(problem.initialGuess.value_or(std::vector<double>(problem.count())));
        loadSource();
        m_startNorm = m_sweeper->scaledResidualNorm();
    }

    std::string_view method() const override { return nameOf(m_method); }
    ComputedOn computedOn() const override { return m_computedOn; }

    void advance(std::uint64_t iterations, std::stop_token stop) override
    {
        const auto begin = std::chrono::steady_clock::now();
        m_iterations += m_sweeper->sweep(iterations, static_cast<T>(m_relaxation), stop);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        m_seconds += seconds.count();
        m_isFieldCurrent = false;
    }

    StepReport report() const override
    {
        StepReport report;
        report.iterations = m_iterations;
        report.residual = relativeResidual();
        report.error = largestError();
        report.seconds = m_seconds;
        const auto updates =
            static_cast<double>(m_iterations) * static_cast<double>(m_problem.count());
        const bool hasSource = !std::holds_alternative<std::monostate>(m_problem.source);
        report.flops = updates * (2 * m_problem.dimension + (hasSource ? 3 : 2));
        report.bytes = updates * (hasSource ? 4 : 3) * sizeof(T);
        return report;
    }

    FieldView field() const override
    {
        if (!m_isFieldCurrent) {
            m_field.resize(m_problem.count());
            m_sweeper->copyValues(m_field);
            if (isAllNeumann(m_problem))
                subtractMean();
            m_isFieldCurrent = true;
        }
        FieldView view;
        view.points = m_problem.unknowns;
        view.origin = firstUnknown(m_problem);
        view.spacing = m_problem.spacing;
        view.values = std::span<const T>(m_field);
        return view;
    }

    std::vector<LiveParameter> liveParameters() const override
    {
        auto parameters = poissonParameters(m_problem);
        parameters.insert(parameters.begin(), {relaxationName, "", m_relaxation, 0, 2});
        return parameters;
    }

    void setLiveParameter(std::string_view name, double value) override
    {
        if (name == relaxationName) {
            requireRelaxation(value); // 0 and 2 themselves are out of range
            m_relaxation = value;
            return;
        }
        requireLiveParameter(liveParameters(), name, value);
        setPoissonParameter(m_problem, name, value);
        if (name.starts_with("source"))
            loadSource();
        else
            m_sweeper->setSides(m_problem.sides);
        if (m_startNorm == 0) // there was nothing to do before
            m_startNorm = m_sweeper->scaledResidualNorm();
    }

private:
    void loadSource()
    {
        auto source = sampleSource(m_problem);
        for (double &f : source)
            f *= m_problem.spacing * m_problem.spacing;
        if (!source.empty())
            m_sweeper->setScaledSource(source);
    }

    double relativeResidual() const
    {
        const double norm = m_sweeper->scaledResidualNorm();
        return m_startNorm > 0 ? norm / m_startNorm : norm;
    }

    double largestError() const
    {
        if (!m_problem.knownSolution)
            return StepReport::none;
        (void)field();
        const auto &n = m_problem.unknowns;
        const auto origin = firstUnknown(m_problem);
        double largest = 0;
        for (std::size_t index = 0; index < m_field.size(); ++index) {
            const std::array<std::size_t, 3> at{index % n[0], index / n[0] % n[1],
                                                index / n[0] / n[1]};
            std::array<double, 3> x{};
            for (std::size_t axis = 0; axis < 3; ++axis)
                x[axis] = origin[axis] + m_problem.spacing * static_cast<double>(at[axis]);
            const double known = m_problem.knownSolution(x[0], x[1], x[2]);
            largest = std::max(largest, std::abs(static_cast<double>(m_field[index]) - known));
        }
        return largest;
    }

    /// The iteration keeps the mean of u as it finds it; the solution is the one of mean 0.
    void subtractMean() const
    {
        const double sum = std::accumulate(m_field.begin(), m_field.end(), 0.0);
        const double mean = sum / static_cast<double>(m_field.size());
        for (T &value : m_field)
            value = static_cast<T>(value - mean);
    }

    PoissonProblem m_problem;
    SorMethod m_method;
    double m_relaxation;
    ComputedOn m_computedOn;
    std::unique_ptr<SorSweeper<T>> m_sweeper;
    double m_startNorm = 0;
    std::uint64_t m_iterations = 0;
    double m_seconds = 0;
    mutable std::vector<T> m_field; ///< copied when it is asked for
    mutable bool m_isFieldCurrent = false;
};

/// Values, h^2 f and the copy for readers, and f while it is sampled.
std::size_t bytesPerUnknown(std::size_t valueBytes)
{
    return 3 * valueBytes + sizeof(double);
}

} // namespace

std::string_view nameOf(SorMethod method)
{
    switch (method) {
    case SorMethod::sequential:
        return "sequential";
    case SorMethod::mlssor:
        return "mlssor";
    case SorMethod::redBlack:
        break;
    }
    return "red-black";
}

bool isSerial(SorMethod method)
{
    return method == SorMethod::sequential;
}

std::unique_ptr<Stepper> makeSorStepper(const PoissonProblem &problem, const SorSettings &settings,
                                        const ExecutionContext &context)
{
    const auto maker = [&]<typename T>(T) {
        return [&](const PoissonProblem &each, const SorSettings &wanted) {
            return makeSweeper<T>(each, wanted, context);
        };
    };
    return makeSorStepper(problem, settings, ComputedOn::cpu(), maker(0.0F), maker(0.0));
}

std::unique_ptr<Stepper> makeSorStepper(const PoissonProblem &problem, const SorSettings &settings,
                                        ComputedOn where, const SorSweeperMaker<float> &makeFloat,
                                        const SorSweeperMaker<double> &makeDouble)
{
    const bool isFloat = settings.precision == Precision::float32;
    requireSoluble(problem, bytesPerUnknown(isFloat ? sizeof(float) : sizeof(double)));
    requireValid(settings, problem.dimension);
    if (isFloat)
        return std::make_unique<SorStepper<float>>(problem, settings, where, makeFloat);
    return std::make_unique<SorStepper<double>>(problem, settings, where, makeDouble);
}

} // namespace gridhelm::solvers
