// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/cuda_poisson_cases.h"

#include "app/bench/device_limits_json.h"
#include "app/bench/solver_problems.h"
#include "app/bench/time_to_tolerance.h"
#include "core/solvers/measured_problems.h"
#include "core/solvers/poisson/methods.h"
#include "core/solvers/sor/sor_options.h"
#include "gpu/poisson/cuda_poisson.h"
#include "gpu/support/require_gpu.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::bench {

using nlohmann::json;
using namespace solvers;

namespace {

struct Rate
{
    std::string method;
    Precision precision;
    std::uint64_t iterations; ///< a call
    std::function<void(Stepper &, std::uint64_t)> advance;
};

void advanceAlone(Stepper &stepper, std::uint64_t iterations)
{
    stepper.advance(iterations);
}

void advanceWithNorm(Stepper &stepper, std::uint64_t iterations)
{
    for (std::uint64_t i = 0; i < iterations; ++i) {
        stepper.advance(1);
        (void)stepper.report();
    }
}

json measureRate(Stepper &stepper, const PoissonProblem &problem, const Rate &rate,
                 const CudaPoissonOptions &options)
{
    const auto before = stepper.report();
    const auto timing = measure([&] { rate.advance(stepper, rate.iterations); }, options.measure);
    const auto after = stepper.report();
    const double bytes =
        (after.bytes - before.bytes) / static_cast<double>(after.iterations - before.iterations);
    const double seconds = timing.median / static_cast<double>(rate.iterations);
    return {{"method", rate.method},
            {"precision", bench::nameOf(rate.precision)},
            {"unknowns", problem.unknowns},
            {"iterations", rate.iterations},
            {"seconds_per_iteration", seconds},
            {"updates_per_second", static_cast<double>(problem.count()) / seconds},
            {"gbytes_per_second", 1e-9 * bytes / seconds},
            {"spread", timing.spread},
            {"repeats", timing.repeats}};
}

/// All methods of one problem, one grid after the other.
json measureProblem(const PoissonProblem &problem, Precision precision, std::uint64_t iterations,
                    const CudaPoissonOptions &options)
{
    json results = json::array();
    const auto add = [&](Stepper &stepper, const Rate &rate) {
        results.push_back(measureRate(stepper, problem, rate, options));
    };
    {
        const auto tuned =
            gpu::makeCudaPoissonStepper(problem, {"tuned", precision}, options.context);
        add(*tuned, {"tuned", precision, iterations, advanceAlone});
        add(*tuned, {"tuned with norm", precision, iterations, advanceWithNorm});
    }
    if (problem.dimension == 2) {
        const auto temporal =
            gpu::makeCudaPoissonStepper(problem, {"temporal", precision}, options.context);
        add(*temporal, {"temporal", precision, iterations, advanceAlone});
    }
    const auto redBlack =
        gpu::makeCudaPoissonStepper(problem, {"red-black", precision}, options.context);
    add(*redBlack, {"red-black", precision, iterations, advanceAlone});
    return results;
}

json rates(const CudaPoissonOptions &options)
{
    struct Size
    {
        int dimension;
        std::size_t n;
        Precision precision;
        std::uint64_t iterations;
    };
    const std::vector<Size> sizes = options.small
                                        ? std::vector<Size>{{2, 96, Precision::float32, 48}}
                                        : std::vector<Size>{{2, 16384, Precision::float32, 48},
                                                            {2, 11585, Precision::float64, 48},
                                                            {3, 640, Precision::float32, 24},
                                                            {2, 4096, Precision::float32, 600},
                                                            {2, 2048, Precision::float32, 2400},
                                                            {2, 1024, Precision::float32, 9600}};
    json results = json::array();
    std::map<std::string, double> tuned; // updates per second
    for (const auto &[dimension, n, precision, iterations] : sizes) {
        const auto problem = roughLaplaceProblem(dimension, n);
        auto measured = measureProblem(problem, precision, iterations, options);
        const auto key = std::to_string(dimension) + bench::nameOf(precision);
        tuned.emplace(key, measured[0]["updates_per_second"].get<double>());
        for (auto &each : measured) {
            each["to_tuned"] = each["updates_per_second"].get<double>() / tuned[key];
            results.push_back(std::move(each));
        }
    }
    return results;
}

struct AsyncRun
{
    std::uint64_t iterations;
    double seconds;
};

/// As the table of the CPU's asynchronous methods: half of the way that is left at a time.
std::optional<AsyncRun> runAsync(const PoissonProblem &problem, const PoissonSettings &settings,
                                 const ExecutionContext &context, double residual,
                                 std::uint64_t maxIterations)
{
    const auto stepper = gpu::makeCudaPoissonStepper(problem, settings, context);
    const auto launch = granuleOf(poissonMethod(settings.method), settings.options);
    auto report = stepper->report();
    while (report.residual > residual) {
        if (report.iterations >= maxIterations)
            return {};
        const double way = static_cast<double>(report.iterations)
                           * (std::pow(report.residual / residual, 2) - 1) / 2;
        const double launches =
            std::min(way, static_cast<double>(maxIterations)) / static_cast<double>(launch);
        stepper->advance(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(launches)) * launch);
        report = stepper->report();
    }
    return AsyncRun{report.iterations, report.seconds};
}

/// A problem that SOR's methods solve, to some residuals one after the other.
struct SorCase
{
    std::string name;
    PoissonProblem problem;
    std::vector<double> residuals; ///< falling
    double longest;                ///< seconds of a run
};

/// u = 1 on the sides, 0 inside to begin with: the heat comes from all sides at once.
PoissonProblem hotSidesProblem(std::size_t n)
{
    auto problem = spikeProblem(n);
    problem.source = PoissonProblem().source;
    problem.initialGuess.emplace(problem.count(), 0.0);
    return problem;
}

/// The description, and when each residual was reached.
json runToResiduals(const SorCase &sorCase, const PoissonSettings &settings,
                    const ExecutionContext &context)
{
    const bool isMlssor = settings.method == mlssor.name;
    const auto stepper = gpu::makeCudaPoissonStepper(sorCase.problem, settings, context);
    json entry = {{"method", settings.method},
                  {"relaxation", stepper->liveParameters().front().value},
                  {"reached", json::array()}};
    const auto shape = shapeOf(settings.options);
    if (isMlssor) {
        entry["layers"] = shape.layers;
        entry["width"] = shape.width;
    }
    for (double residual : sorCase.residuals) {
        const auto run =
            runToResidual(*stepper, isMlssor ? shape.layers : 1, {residual, sorCase.longest});
        if (!run.reached)
            break;
        entry["reached"].push_back(
            {{"residual", residual}, {"iterations", run.iterations}, {"seconds", run.seconds}});
    }
    return entry;
}

} // namespace

json benchCudaPoissonRates(const CudaPoissonOptions &options)
{
    auto limits = gpu::measureDeviceLimits(gpu::requireGpu(options.context));
    auto cases = rates(options);
    limits.copyBytesPerSecond =
        std::max(limits.copyBytesPerSecond,
                 gpu::measureDeviceLimits(gpu::requireGpu(options.context)).copyBytesPerSecond);
    for (auto &each : cases)
        each["share_of_copy"] =
            each["gbytes_per_second"].get<double>() / (1e-9 * limits.copyBytesPerSecond);
    return {{"limits", limitsJson(limits)}, {"cases", std::move(cases)}};
}

json benchCudaAsync(const CudaPoissonOptions &options)
{
    const auto problem = spikeProblem(options.small ? 192 : 4096);
    const std::uint64_t exactIterations = 1000;
    StepReport tuned, temporal;
    for (auto &[method, report] : {std::pair{"temporal", &temporal}, {"tuned", &tuned}}) {
        for (int i = 0; i < 2; ++i) { // the first one warms up
            const auto stepper =
                gpu::makeCudaPoissonStepper(problem, {method, Precision::float32}, options.context);
            stepper->advance(exactIterations);
            *report = stepper->report();
        }
    }
    json runs = json::array();
    for (const auto *const method : {"async0", "async1", "async2", "async3"}) {
        for (int alpha : {2, 6, 14, 20, 30}) {
            for (std::size_t rows : {32, 64}) {
                const PoissonSettings choice{
                    method,
                    Precision::float32,
                    {{"alpha", alpha}, {"tile", std::vector<std::size_t>{rows, rows}}}};
                const auto run = runAsync(problem, choice, options.context, tuned.residual,
                                          20 * exactIterations);
                json entry = {{"method", method},
                              {"alpha", alpha},
                              {"tile_rows", rows},
                              {"reached", run.has_value()}};
                if (run) {
                    entry["iterations"] = run->iterations;
                    entry["seconds"] = run->seconds;
                    entry["speedup"] = tuned.seconds / run->seconds;
                }
                runs.push_back(std::move(entry));
            }
        }
    }
    return {{"unknowns", problem.unknowns},         {"exact_iterations", exactIterations},
            {"residual", tuned.residual},           {"tuned_seconds", tuned.seconds},
            {"temporal_seconds", temporal.seconds}, {"runs", std::move(runs)}};
}

json benchCudaTolerance(const CudaPoissonOptions &options)
{
    const std::size_t n = options.small ? 128 : 8192;
    json results = json::array();
    for (const auto &sorCase : {SorCase{"a spike", spikeProblem(n), {3e-2, 1e-2}, 1.0},
                                SorCase{"hot sides", hotSidesProblem(n), {1e-2, 1e-3}, 2.0}}) {
        json runs = json::array();
        const auto add = [&](PoissonSettings settings, double w) {
            if (w > 0) // else the default
                settings.options.set(relaxationOption, w);
            runs.push_back(runToResiduals(sorCase, settings, options.context));
        };
        for (double w : {1.0, 1.5, 0.0})
            add({"red-black", Precision::float32}, w);
        for (const auto &shape :
             {MlssorShape{8, 32}, MlssorShape{16, 32}, MlssorShape{16, 64}, MlssorShape{32, 64}}) {
            PoissonSettings settings{"mlssor", Precision::float32};
            settings.options.set(shapeOption, valueOf(shape));
            for (double w : {1.5, 1.7})
                add(settings, w);
        }
        results.push_back({{"problem", sorCase.name},
                           {"unknowns", sorCase.problem.unknowns},
                           {"residuals", sorCase.residuals},
                           {"longest_run_seconds", sorCase.longest},
                           {"runs", std::move(runs)}});
    }
    return results;
}

} // namespace gridhelm::bench
