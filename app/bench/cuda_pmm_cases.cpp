// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/cuda_pmm_cases.h"

#include "app/bench/device_limits_json.h"
#include "app/bench/measure.h"
#include "app/bench/upwind_times.h"
#include "core/solvers/measured_problems.h"
#include "core/support/system_info.h"
#include "gpu/device_info.h"
#include "gpu/pmm/cuda_pmm_stepper.h"
#include "gpu/support/buffer.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/require_gpu.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <string>

namespace gridhelm::bench {

using nlohmann::json;
using namespace solvers;

namespace {

constexpr std::uint64_t manySweeps = 1000;

struct Run
{
    double seconds = 0;
    std::uint64_t sweeps = 0;
};

/// From the source on; the setup is not counted.
template <typename T>
Run runFromSource(gpu::CudaPmmStepper<T> &stepper, std::uint64_t sweeps)
{
    const auto scale = stepper.liveParameters().front();
    for (double value : {2 * scale.value, scale.value})
        stepper.setLiveParameter(scale.name, value);
    const auto before = stepper.report();
    stepper.advance(sweeps);
    const auto after = stepper.report();
    return {after.seconds - before.seconds, after.iterations - before.iterations};
}

/// The median of some runs after a warm-up.
template <typename T>
Run medianRun(gpu::CudaPmmStepper<T> &stepper, std::uint64_t sweeps, int repeats)
{
    Run run = runFromSource(stepper, sweeps);
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i) {
        run = runFromSource(stepper, sweeps);
        seconds.push_back(run.seconds);
    }
    return {timingOf(seconds).median, run.sweeps};
}

template <typename T>
json tableRow(std::size_t n, bool anisotropic, const gpu::DeviceLimits &limits,
              const CudaPmmBenchOptions &options)
{
    const auto problem = ballInCube(n, anisotropic);
    gpu::CudaPmmStepper<T> sweeper(problem, {}, options.context);
    const double eightSweeps = medianRun(sweeper, 8, options.repeats).seconds;
    const double firstSweep = medianRun(sweeper, 1, options.repeats).seconds;
    gpu::CudaPmmStepper<T> converging(problem, {1e-10}, options.context);
    const Run converged = medianRun(converging, manySweeps, options.repeats);
    const auto report = sweeper.report();
    const auto sweeps = static_cast<double>(report.iterations);
    const double peak = sizeof(T) == 4 ? limits.floatFlopsPerSecond : limits.doubleFlopsPerSecond;
    return {{"nodes", n},
            {"medium", anisotropic ? "anisotropic" : "isotropic"},
            {"precision", sizeof(T) == 4 ? "float" : "double"},
            {"eight_sweeps", eightSweeps},
            {"converged", converged.seconds},
            {"sweeps", converged.sweeps},
            {"first_sweep", firstSweep},
            {"share_of_flops", report.flops / sweeps / firstSweep / peak},
            {"share_of_copy", report.bytes / sweeps / firstSweep / limits.copyBytesPerSecond}};
}

double eightSweeps(std::size_t n, bool anisotropic, const gpu::CudaPmmChoices &choices,
                   const CudaPmmBenchOptions &options)
{
    gpu::CudaPmmStepper<double> stepper(ballInCube(n, anisotropic), {}, options.context, choices);
    return medianRun(stepper, 8, options.repeats).seconds;
}

json waysRow(std::size_t n, bool anisotropic, const CudaPmmBenchOptions &options)
{
    gpu::CudaPmmChoices perPlane, strided, everyTile;
    perPlane.launchPerPlane = true;
    strided.exchangeForX = false;
    everyTile.skipsUnchangedTiles = false;
    return {{"nodes", n},
            {"medium", anisotropic ? "anisotropic" : "isotropic"},
            {"as_is", eightSweeps(n, anisotropic, {}, options)},
            {"launch_per_plane", eightSweeps(n, anisotropic, perPlane, options)},
            {"strided_x", eightSweeps(n, anisotropic, strided, options)},
            {"every_tile", eightSweeps(n, anisotropic, everyTile, options)}};
}

/// n nodes in each direction, `perSpacing` of them in the unit of length; from the first one.
PmmProblem cornerProblem(std::size_t n, std::size_t perSpacing, bool eggCarton)
{
    PmmProblem problem;
    problem.nodes = {n, n, n};
    problem.spacing = 1 / static_cast<double>(perSpacing);
    problem.source = NodeSources{{{{0, 0, 0}, 0}}};
    if (!eggCarton)
        return problem;
    std::vector<double> wave(n);
    for (std::size_t i = 0; i < n; ++i)
        wave[i] = std::sin(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
    std::vector<double> speed(problem.count());
    for (std::size_t k = 0, node = 0; k < n; ++k) {
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = 0; i < n; ++i, ++node)
                speed[node] = 6 + 5 * wave[i] * wave[j] * wave[k];
        }
    }
    problem.speed = std::move(speed);
    return problem;
}

std::span<const double> timesOf(const Stepper &stepper)
{
    return std::get<std::span<const double>>(stepper.field().values);
}

double meanDifference(std::span<const double> times, const std::vector<double> &known)
{
    double sum = 0;
    for (std::size_t node = 0; node < times.size(); ++node)
        sum += std::abs(times[node] - known[node]);
    return sum / static_cast<double>(times.size());
}

std::vector<double> distances(const PmmProblem &problem)
{
    std::vector<double> result(problem.count());
    for (std::size_t k = 0, node = 0; k < problem.nodes[2]; ++k) {
        for (std::size_t j = 0; j < problem.nodes[1]; ++j) {
            for (std::size_t i = 0; i < problem.nodes[0]; ++i, ++node) {
                const auto x = problem.position(i, j, k);
                result[node] = std::hypot(x[0], x[1], x[2]);
            }
        }
    }
    return result;
}

/// Every second node, of times at twice the resolution.
std::vector<double> coarsened(std::span<const double> fine, std::size_t n)
{
    std::vector<double> result(n * n * n);
    for (std::size_t k = 0, node = 0; k < n; ++k) {
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = 0; i < n; ++i, ++node)
                result[node] = fine[(2 * k * 2 * n + 2 * j) * 2 * n + 2 * i];
        }
    }
    return result;
}

/// To a change of 1e-10 of the time in which a front of speed 1 crosses the grid.
PmmSettings convergence(std::size_t n)
{
    return {1e-10 * static_cast<double>(n)};
}

/// In double: times and coefficients in two layouts there; the speed twice and the times here.
bool fitsAtTwiceTheResolution(std::size_t n)
{
    const double count = std::pow(2 * static_cast<double>(n), 3);
    return 4.1 * sizeof(double) * count < static_cast<double>(gpu::freeDeviceBytes())
           && 3.1 * sizeof(double) * count < static_cast<double>(availableMemoryBytes());
}

json cornerRow(std::size_t n, bool eggCarton, const CudaPmmBenchOptions &options)
{
    const auto problem = cornerProblem(n, 1, eggCarton);
    gpu::CudaPmmStepper<double> stepper(problem, convergence(n), options.context);
    const Run run = medianRun(stepper, manySweeps, options.repeats);
    json row = {{"nodes", n},
                {"speed", eggCarton ? "egg carton" : "constant"},
                {"seconds", run.seconds},
                {"sweeps", run.sweeps}};
    if (eggCarton && (n > options.upwindUpTo || !fitsAtTwiceTheResolution(n)))
        return row;
    std::vector<double> known;
    if (eggCarton) {
        gpu::CudaPmmStepper<double> fine(cornerProblem(2 * n, 2, true), convergence(n),
                                         options.context);
        fine.advance(manySweeps);
        known = coarsened(timesOf(fine), n);
    } else {
        known = distances(problem);
    }
    row["mean_error"] = meanDifference(timesOf(stepper), known);
    if (n <= options.upwindUpTo)
        row["upwind_mean_error"] = meanDifference(upwindTimes(problem), known);
    return row;
}

} // namespace

json benchCudaPmm(const CudaPmmBenchOptions &options)
{
    const auto &device = gpu::requireGpu(options.context);
    const gpu::OnGpu scope(device);
    const auto limits = gpu::measureDeviceLimits(device);
    json result = {
        {"device", gpu::listDevices().devices.at(static_cast<std::size_t>(device.index)).name},
        {"limits", limitsJson(limits)},
        {"table", json::array()},
        {"ways", json::array()},
        {"corner", json::array()}};
    for (const auto n : options.table) {
        for (bool anisotropic : {false, true}) {
            result["table"].push_back(tableRow<double>(n, anisotropic, limits, options));
            result["table"].push_back(tableRow<float>(n, anisotropic, limits, options));
        }
    }
    if (!options.table.empty()) {
        for (bool anisotropic : {false, true})
            result["ways"].push_back(waysRow(options.table.back(), anisotropic, options));
    }
    for (bool eggCarton : {false, true}) {
        for (const auto n : options.corner)
            result["corner"].push_back(cornerRow(n, eggCarton, options));
    }
    return result;
}

} // namespace gridhelm::bench
