// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/async_table.h"

#include "app/bench/solver_problems.h"
#include "core/solvers/poisson/methods.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/support/quantile.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace gridhelm::bench {

using nlohmann::json;
using namespace solvers;

namespace {

constexpr std::uint64_t maxTimesAsMany = 20;

struct Run
{
    double iterations;
    double seconds;
};

/// The residual falls steadily, so launches are only examined one by one near the end: each step
/// goes half of the way that is left if the residual goes on to fall like 1 / sqrt(iterations).
std::optional<Run> runOnce(const PoissonProblem &problem, const PoissonSettings &settings,
                           const ExecutionContext &context, double residual,
                           std::uint64_t maxIterations)
{
    const auto stepper = makePoissonStepper(problem, settings, context);
    const auto launch = granuleOf(poissonMethod(settings.method), settings.options);
    while (true) {
        const auto report = stepper->report();
        if (report.residual <= residual)
            return Run{static_cast<double>(report.iterations), report.seconds};
        if (report.iterations >= maxIterations)
            return {};
        const double way = static_cast<double>(report.iterations)
                           * (std::pow(report.residual / residual, 2) - 1) / 2;
        const auto launches = static_cast<std::uint64_t>(
            std::min(way, static_cast<double>(maxIterations)) / static_cast<double>(launch));
        stepper->advance(std::max<std::uint64_t>(1, launches) * launch);
    }
}

double secondsOfExact(const PoissonProblem &problem, const PoissonSettings &settings,
                      const AsyncTableOptions &tableOptions, double &residual)
{
    std::vector<double> seconds;
    for (int i = 0; i < tableOptions.repeats; ++i) {
        const auto stepper = makePoissonStepper(problem, settings, tableOptions.context);
        stepper->advance(tableOptions.exactIterations);
        seconds.push_back(stepper->report().seconds);
        residual = stepper->report().residual;
    }
    return quantile(seconds, 0.5);
}

} // namespace

json asyncTable(const AsyncTableOptions &options)
{
    const auto problem = spikeProblem(options.unknowns);

    double residual = 0;
    json exact = json::array();
    double tuned = 0, temporal = 0;
    for (const auto *const method : {"temporal", "tuned"}) {
        const double seconds =
            secondsOfExact(problem, {method, options.precision}, options, residual);
        (method == tunedJacobi.name ? tuned : temporal) = seconds;
    }
    for (const auto &[method, seconds] : {std::pair{"tuned", tuned}, {"temporal", temporal}})
        exact.push_back({{"method", method},
                         {"iterations", options.exactIterations},
                         {"seconds", seconds},
                         {"speedup", tuned / seconds}});

    json rows = json::array();
    for (const auto *const method : {"async0", "async1", "async2", "async3"}) {
        const int step = method == async3Jacobi.name ? 1 : 2; // the others take even alphas
        for (int alpha = 2; alpha <= options.largestAlpha; alpha += step) {
            const PoissonSettings jacobi{method, options.precision, {{"alpha", alpha}}};
            std::vector<double> iterations, seconds;
            for (int i = 0; i < options.repeats; ++i) {
                const auto run = runOnce(problem, jacobi, options.context, residual,
                                         maxTimesAsMany * options.exactIterations);
                if (!run)
                    break;
                iterations.push_back(run->iterations);
                seconds.push_back(run->seconds);
            }
            json row = {{"method", method}, {"alpha", alpha}};
            row["reached"] = static_cast<int>(seconds.size()) == options.repeats;
            if (row["reached"].get<bool>()) {
                const double count = quantile(iterations, 0.5);
                const double time = quantile(seconds, 0.5);
                row["iterations"] = count;
                row["iterations_to_exact"] = count / static_cast<double>(options.exactIterations);
                row["seconds"] = time;
                row["spread"] = relativeSpread(seconds);
                row["speedup"] = tuned / time;
                row["to_temporal"] = temporal / time;
            }
            rows.push_back(std::move(row));
        }
    }
    return {{"problem", "a spike in the middle of the unit square, u = 1 on all sides"},
            {"unknowns", problem.unknowns},
            {"precision", nameOf(options.precision)},
            {"threads", options.context.cpu().threads},
            {"exact_iterations", options.exactIterations},
            {"residual", residual},
            {"repeats", options.repeats},
            {"exact", std::move(exact)},
            {"async", std::move(rows)}};
}

} // namespace gridhelm::bench
