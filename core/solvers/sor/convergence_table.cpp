// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/sor/convergence_table.h"

#include "core/solvers/sor/sor_stepper.h"

#include <cmath>

namespace gridhelm::solvers {

namespace {

PoissonProblem unitSquare(std::size_t n)
{
    PoissonProblem problem;
    problem.unknowns = {n, n, 1};
    problem.spacing = 1 / (static_cast<double>(n) + 1);
    return problem;
}

/// formula(i, j), i and j counted from 1.
template <typename Formula>
std::vector<double> guess(std::size_t n, Formula formula)
{
    std::vector<double> values;
    values.reserve(n * n);
    for (std::size_t j = 1; j <= n; ++j) {
        for (std::size_t i = 1; i <= n; ++i)
            values.push_back(formula(static_cast<double>(i), static_cast<double>(j)));
    }
    return values;
}

double iterationsTo(const ConvergenceInput &input, const SorSettings &settings,
                    const ExecutionContext &context, std::uint64_t mostIterations,
                    const std::stop_token &stop)
{
    const auto stepper = makeSorStepper(input.problem, settings, context);
    const bool isSsor = settings.method == SorMethod::sequential;
    const std::uint64_t step = settings.method == SorMethod::mlssor ? settings.shape.layers
                               : isSsor                             ? 2
                                                                    : 1;
    double before = 1;
    std::uint64_t iterations = 0;
    while (iterations < mostIterations && !stop.stop_requested()) {
        stepper->advance(step);
        const double now = stepper->report().residual;
        if (now <= input.tolerance) {
            const double part = std::log(before / input.tolerance) / std::log(before / now);
            return static_cast<double>(iterations) + part * static_cast<double>(step);
        }
        before = now;
        iterations += step;
    }
    return static_cast<double>(mostIterations) + 1;
}

} // namespace

std::vector<ConvergenceInput> convergenceInputs(std::size_t n)
{
    std::vector<ConvergenceInput> inputs(3);
    inputs[0] = {"f = 0, u = 1 to begin with", unitSquare(n), 1e-3};
    inputs[0].problem.initialGuess = guess(n, [](double, double) { return 1.0; });
    inputs[1] = {"f = 0, u(i, j) = sin(i j) + sin(13 i + 78 j) to begin with", unitSquare(n), 1e-3};
    inputs[1].problem.initialGuess =
        guess(n, [](double i, double j) { return std::sin(i * j) + std::sin(13 * i + 78 * j); });
    inputs[2] = {"f = a spike of strength 1 in the middle, u = 0 to begin with", unitSquare(n),
                 1e-6};
    inputs[2].problem.source.emplace<SpikeSource>();
    return inputs;
}

std::vector<ConvergenceRow> convergenceTable(const ConvergenceOptions &options,
                                             const ExecutionContext &context, std::stop_token stop)
{
    const auto inputs = convergenceInputs(options.unknowns);
    std::vector<ConvergenceRow> rows;
    const auto counts = [&](SorSettings settings, SweepDirection direction) {
        settings.direction = direction;
        settings.relaxation = options.relaxation;
        std::vector<double> iterations;
        for (const auto &input : inputs)
            iterations.push_back(
                iterationsTo(input, settings, context, options.mostIterations, stop));
        return iterations;
    };
    const auto add = [&](const char *method, const SorSettings &settings) {
        ConvergenceRow row{method, settings.shape, {}, {}};
        row.iterations = counts(settings, SweepDirection::alternating);
        if (settings.method == SorMethod::mlssor)
            row.iterationsForwardOnly = counts(settings, SweepDirection::forward);
        if (!stop.stop_requested()) // otherwise the counts mean nothing
            rows.push_back(std::move(row));
    };
    SorSettings settings;
    settings.method = SorMethod::sequential;
    add("SSOR", settings);
    settings.method = SorMethod::redBlack;
    add("RBSOR", settings);
    settings.method = SorMethod::mlssor;
    for (std::size_t layers : {2, 4, 8, 16}) {
        settings.shape = {layers, 2 * layers};
        add("MLSSOR", settings);
    }
    return rows;
}

} // namespace gridhelm::solvers
