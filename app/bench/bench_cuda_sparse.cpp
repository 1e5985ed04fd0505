// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/cuda_degree_cases.h"
#include "app/bench/cuda_quantised_cases.h"
#include "app/bench/cuda_sparse_cases.h"
#include "app/bench/device_limits_json.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"
#include "core/support/error.h"
#include "gpu/device_info.h"
#include "gpu/support/require_gpu.h"

#include <fmt/format.h>

#include <memory>

namespace gridhelm::cli {
namespace {

struct BenchCudaSparseOptions
{
    std::string cases = "4/10,6/10,8/10,10/10,4/8,5/8,6/7,8/6,10/5";
    std::size_t points = 1000000;
};

using nlohmann::json;

double perSecond(const json &rate)
{
    return rate["per_second"].get<double>();
}

double milliseconds(const json &rate)
{
    return 1e3 * rate["seconds"].get<double>();
}

void printInterpolation(const json &run)
{
    printText(fmt::format("{:>2}/{:<2} {:9.2e} points/s on the device, {:.1f} times the literal "
                          "{:9.2e} (sorting {:.0f} %, error {:.0e}); delivered {:9.2e}\n",
                          run["dim"].get<int>(), run["level"].get<int>(), perSecond(run["device"]),
                          run["device_to_literal"].get<double>(), perSecond(run["literal"]),
                          100 * run["sorting_share"].get<double>(), run["error"].get<double>(),
                          perSecond(run["delivered"])));
    flushOutput();
}

void printDegrees(const json &degrees)
{
    for (const char *type : {"double", "float"}) {
        for (const auto &row : degrees[type])
            printText(fmt::format(
                "deg {:15} {} {:6} evaluate {:.2f} ps a function ({:.2f} of the first, error "
                "{:.0e}), hierarchize {:.1f} ps a point ({:.2f})\n",
                row["treatment"].get<std::string>(), row["degree"].get<int>(), type,
                row["evaluate_seconds_per_contribution"].get<double>() * 1e12,
                row["evaluate_to_first"].get<double>(), row["error"].get<double>(),
                row["hierarchize_seconds_per_point"].get<double>() * 1e12,
                row["hierarchize_to_first"].get<double>()));
    }
}

void runBench(const GlobalOptions &global, const BenchCudaSparseOptions &options)
{
    bench::CudaSparseOptions benchOptions;
    benchOptions.points = options.points;
    benchOptions.context = benchContext(global);
    const auto &device = gpu::requireGpu(benchOptions.context);
    json document = {
        {"benchmark", "cuda-sparse"},
        {"environment", app::environmentJson(benchOptions.context)},
        {"device", gpu::listDevices().devices.at(static_cast<std::size_t>(device.index)).name}};
    const auto say = [&](const std::string &text) {
        if (!global.json)
            printText(text);
    };
    const auto limits = gpu::measureDeviceLimits(device);
    document["limits"] = bench::limitsJson(limits);
    say(fmt::format("{}: read {:.0f}, copy {:.0f}, to the CPU {:.1f} GB/s\n",
                    document["device"].get<std::string>(), limits.readBytesPerSecond * 1e-9,
                    limits.copyBytesPerSecond * 1e-9, limits.toHostBytesPerSecond * 1e-9));
    const auto &spvm = document["spvm"] = bench::benchCudaSpvm(benchOptions, limits);
    say(fmt::format("spvm {} x {}: {:.0f} GB/s, {:.1f} % of reading; delivered {:.2f} ms (pinned, "
                    "with indicator), {:.2f} ms (pageable); error {:.0e}\n",
                    spvm["rows"].get<std::size_t>(), spvm["columns"].get<std::size_t>(),
                    perSecond(spvm["device"]) * 1e-9, 100 * spvm["share_of_read"].get<double>(),
                    milliseconds(spvm["delivered_pinned_with_indicator"]),
                    milliseconds(spvm["delivered_pageable"]), spvm["error"].get<double>()));
    document["quantised"] = bench::benchCudaQuantised(benchOptions, limits);
    for (const auto &run : document["quantised"])
        say(fmt::format(
            "quantised POD modes, {} x {} ({:.1f} bits): {:.1f} us, {:.0f} % of reading them; with "
            "indicator {:.0f} %; {:.1f} times as fast as float32; error {:.0e}\n",
            run["rows"].get<std::size_t>(), run["columns"].get<std::size_t>(),
            run["bits_per_value"].get<double>(), 1e3 * milliseconds(run["device"]),
            100 * run["share_of_read"].get<double>(),
            100 * run["share_of_read_with_indicator"].get<double>(), run["speedup"].get<double>(),
            run["error"].get<double>()));
    const auto &car = document["car"] = bench::benchCudaCartesian(benchOptions, limits);
    say(fmt::format(
        "car {}^3: {:.3f} ms on the device (contraction {:.3f}); delivered {:.2f} ms "
        "pinned, {:.2f} times the copy alone ({:.2f} ms), {:.2f} ms pageable; error "
        "{:.0e}\n",
        car["side"].get<std::size_t>(), milliseconds(car["device"]),
        1e3 * car["contraction_seconds"].get<double>(), milliseconds(car["delivered_pinned"]),
        car["delivered_to_download"].get<double>(), 1e3 * car["download_seconds"].get<double>(),
        milliseconds(car["delivered_pageable"]), car["error"].get<double>()));
    const auto &transform = document["hierarchization"] =
        bench::benchCudaHierarchization({10, 10}, benchOptions, limits);
    say(fmt::format("hierarchize 10/10: {:.2f} ms, {:.0f} % of copying; back {:.2f} ms, {:.0f} %; "
                    "delivered {:.0f} ms; errors {:.0e}, {:.0e}\n",
                    milliseconds(transform["hierarchize"]),
                    100 * transform["hierarchize_share_of_copy"].get<double>(),
                    milliseconds(transform["dehierarchize"]),
                    100 * transform["dehierarchize_share_of_copy"].get<double>(),
                    1e3 * transform["delivered_seconds"].get<double>(),
                    transform["error_against_omp"].get<double>(),
                    transform["error_there_and_back"].get<double>()));
    document["degrees"] = bench::benchCudaDegrees(benchOptions);
    if (!global.json)
        printDegrees(document["degrees"]);
    document["interpolation"] = json::array();
    for (const auto &gridCase : bench::parseCases(options.cases)) {
        document["interpolation"].push_back(bench::benchCudaInterpolation(gridCase, benchOptions));
        if (!global.json)
            printInterpolation(document["interpolation"].back());
    }
    if (global.json)
        printJson(document);
}

void run(const GlobalOptions &global, const BenchCudaSparseOptions &options)
{
    const auto list = gpu::listDevices();
    if (list.devices.empty())
        throw Error("there is nothing to measure: " + list.reason);
    runBench(global, options);
}

} // namespace

void addBenchCudaSparseCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "cuda-sparse", "The sparse-grid engine on the CUDA device, beside its baselines");
    const auto options = std::make_shared<BenchCudaSparseOptions>();
    command.add_option("--cases", options->cases, "Regular grids, dimension/level,...")
        ->type_name("D/N,...")
        ->capture_default_str();
    command.add_option("--points", options->points, "Random points to evaluate at")
        ->check(CLI::Range(std::size_t{1}, std::size_t{100000000}))
        ->capture_default_str();
    command.footer(R"(
Baselines, measured in the same run: the dissertation's algorithm done simply on the device (one
thread a point); for the rest what the device's memory delivers: reading the spvm matrix, copying
the picture into pinned memory of the CPU, and copying the values once for each dimension. "On the
device" means data that is there already; "delivered", results in the CPU's memory. Degrees are
beside degree 1 of the same boundary basis, leja beside clenshaw-curtis, for each function that is
not 0 at a point.

Example:
  gridhelm-cli bench cuda-sparse --json > cuda_sparse.json)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
