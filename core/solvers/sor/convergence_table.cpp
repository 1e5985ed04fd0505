// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/sor/convergence_table.h"

#include "core/solvers/poisson/methods.h"
#include "core/solvers/poisson/poisson_stepper.h"

#include <cmath>
#include <string>
#include <utility>

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

/// Iterations from one look at the residual to the next: what a sweep or a pair of them does.
std::uint64_t stepOf(const PoissonSettings &settings)
{
    if (settings.method == mlssor.name)
        return shapeOf(settings.options).layers;
    return settings.method == sequentialSor.name ? 2 : 1;
}

double iterationsTo(const ConvergenceInput &input, const PoissonSettings &settings,
                    const ExecutionContext &context, std::uint64_t maxIterations,
                    const std::stop_token &stop)
{
    const auto stepper = makePoissonStepper(input.problem, settings, context);
    const auto step = stepOf(settings);
    double before = 1;
    std::uint64_t iterations = 0;
    while (iterations < maxIterations && !stop.stop_requested()) {
        stepper->advance(step);
        const double now = stepper->report().residual;
        if (now <= input.tolerance) {
            const double part = std::log(before / input.tolerance) / std::log(before / now);
            return static_cast<double>(iterations) + part * static_cast<double>(step);
        }
        before = now;
        iterations += step;
    }
    return static_cast<double>(maxIterations) + 1;
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
    const auto counts = [&](PoissonSettings settings) {
        if (options.relaxation)
            settings.options.set(relaxationOption, *options.relaxation);
        std::vector<double> iterations;
        for (const auto &input : inputs)
            iterations.push_back(
                iterationsTo(input, settings, context, options.maxIterations, stop));
        return iterations;
    };
    const auto add = [&](ConvergenceRow row) {
        if (!stop.stop_requested()) // otherwise the counts mean nothing
            rows.push_back(std::move(row));
    };
    add({"SSOR", {}, counts({std::string(sequentialSor.name)}), {}});
    add({"RBSOR", {}, counts({std::string(redBlackSor.name)}), {}});
    for (std::size_t layers : {2, 4, 8, 16}) {
        const MlssorShape shape{layers, 2 * layers};
        PoissonSettings settings{std::string(mlssor.name)};
        settings.options.set(shapeOption, valueOf(shape));
        ConvergenceRow row{"MLSSOR", shape, counts(settings), {}};
        settings.options.set(directionOption, "forward");
        row.iterationsForwardOnly = counts(settings);
        add(std::move(row));
    }
    return rows;
}

} // namespace gridhelm::solvers
