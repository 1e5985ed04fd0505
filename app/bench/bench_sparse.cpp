// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/degree_cases.h"
#include "app/bench/sparse_cases.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"
#include "core/execution/memory_bandwidth.h"

#include <fmt/format.h>

#include <memory>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

struct BenchSparseOptions
{
    std::string cases = "4/8,5/8,6/7,8/6,10/5,10/10";
    std::size_t points = 100000;
    std::size_t rows = 250;
    std::size_t columns = 1000000;
    std::size_t side = 128;
    bool quick = false;
};

std::string inUnits(const json &rate)
{
    return fmt::format("{:9.2e}", rate["per_second"].get<double>());
}

void printGrid(const json &grid)
{
    for (const char *type : {"double", "float"}) {
        const auto &evaluation = grid[type]["evaluation"];
        const auto &hierarchization = grid[type]["hierarchization"];
        printText(fmt::format(
            "{:>2}/{:<2} {:6} evaluate    {} reference, {} plain, {} one thread ({:.1f}x plain), "
            "{} "
            "all threads ({:.2f}x)\n",
            grid["dim"].get<int>(), grid["level"].get<int>(), type,
            inUnits(evaluation["reference"]), inUnits(evaluation["plain_depth_first"]),
            inUnits(evaluation["fast_one_thread"]), evaluation["fast_to_plain"].get<double>(),
            inUnits(evaluation["fast_all_threads"]),
            evaluation["all_threads_to_one"].get<double>()));
        printText(fmt::format(
            "             hierarchize {} reference, {} plain, {} one thread ({:.1f}x plain), {} "
            "all threads ({:.2f}x)\n",
            hierarchization.contains("reference") ? inUnits(hierarchization["reference"])
                                                  : std::string("    --   "),
            inUnits(hierarchization["plain_block_wise"]),
            inUnits(hierarchization["fast_one_thread"]),
            hierarchization["fast_to_plain"].get<double>(),
            inUnits(hierarchization["fast_all_threads"]),
            hierarchization["all_threads_to_one"].get<double>()));
        printText(fmt::format("             memory      {:.2f} bytes a point, {:.1f} bytes a "
                              "block beside the values\n",
                              evaluation["bytes_per_point"].get<double>(),
                              evaluation["bytes_per_block_beside_values"].get<double>()));
    }
    printText(fmt::format("      float is {:.2f} times as fast as double\n",
                          grid["float_to_double"].get<double>()));
    flushOutput();
}

void printSpvm(const json &spvm)
{
    for (const char *threads : {"one_thread", "all_threads"}) {
        if (!spvm.contains(threads))
            continue;
        const auto &run = spvm[threads];
        printText(fmt::format("spvm  {} x {} floats, {} thread(s): {:.1f} GB/s, reading alone "
                              "{:.1f} GB/s: {:.0f} %\n",
                              spvm["rows"].get<std::size_t>(), spvm["columns"].get<std::size_t>(),
                              run["threads"].get<int>(),
                              run["spvm_bytes"]["per_second"].get<double>() * 1e-9,
                              run["read_bytes"]["per_second"].get<double>() * 1e-9,
                              run["spvm_to_read"].get<double>() * 100));
    }
}

void printCartesian(const json &cartesian)
{
    for (const char *type : {"double", "float"}) {
        for (const auto &[name, run] : cartesian[type].items())
            printText(fmt::format(
                "car   {0}^3 {1}, {2} thread(s): {3:.2f} ms, {4:.2f} times writing it once "
                "({5:.2f} "
                "in cache); {6:.0f} times faster than random points\n",
                cartesian["side"].get<std::size_t>(), type, run["threads"].get<int>(),
                run["car"]["seconds"].get<double>() * 1e3, run["car_to_write"].get<double>(),
                run["car_to_write_in_cache"].get<double>(),
                run["random_path_to_car"].get<double>()));
    }
}

void printDegrees(const json &degrees)
{
    for (const char *type : {"double", "float"}) {
        for (const auto &row : degrees[type])
            printText(fmt::format(
                "deg   {:15} {} {:6} evaluate {:.2f} ns a function ({:.2f} of the first), "
                "hierarchize {:.1f} ns a point ({:.2f})\n",
                row["treatment"].get<std::string>(), row["degree"].get<int>(), type,
                row["evaluate_seconds_per_contribution"].get<double>() * 1e9,
                row["evaluate_to_first"].get<double>(),
                row["hierarchize_seconds_per_point"].get<double>() * 1e9,
                row["hierarchize_to_first"].get<double>()));
    }
}

void run(const GlobalOptions &global, const BenchSparseOptions &options)
{
    const auto cases = bench::parseCases(options.cases);
    bench::SparseBenchOptions benchOptions;
    benchOptions.points = options.points;
    benchOptions.context = benchContext(global);
    if (options.quick) {
        benchOptions.measure = {0.02, 3, 1};
        benchOptions.literalSeconds = 0.05;
    }

    json document = {{"benchmark", "sparse"},
                     {"environment", app::environmentJson(benchOptions.context)},
                     {"grids", json::array()}};
    const auto bandwidth = measureMemoryBandwidth(benchOptions.context.cpu());
    document["memory_bandwidth"] = {{"read", bandwidth.read},
                                    {"write", bandwidth.write},
                                    {"copy", bandwidth.copy},
                                    {"array_bytes", bandwidth.arrayBytes},
                                    {"threads", bandwidth.threads}};
    if (!global.json)
        printText(fmt::format("memory: read {:.1f}, write {:.1f}, copy {:.1f} GB/s with {} "
                              "thread(s)\npoints per second:\n",
                              bandwidth.read * 1e-9, bandwidth.write * 1e-9, bandwidth.copy * 1e-9,
                              bandwidth.threads));
    for (const auto &gridCase : cases) {
        document["grids"].push_back(bench::benchGrid(gridCase, benchOptions));
        if (!global.json)
            printGrid(document["grids"].back());
    }
    document["spvm"] = bench::benchSpvm(options.rows, options.columns, benchOptions);
    document["car"] = bench::benchCartesian(options.side, benchOptions);
    document["degrees"] = bench::benchDegrees(benchOptions);
    if (global.json) {
        printJson(document);
        return;
    }
    printSpvm(document["spvm"]);
    printCartesian(document["car"]);
    printDegrees(document["degrees"]);
}

} // namespace

void addBenchSparseCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "sparse", "The sparse-grid engine against its baselines, measured in one run");
    const auto options = std::make_shared<BenchSparseOptions>();
    command.add_option("--cases", options->cases, "Regular grids, dimension/level,...")
        ->type_name("D/N,...")
        ->capture_default_str();
    command.add_option("--points", options->points, "Random points to evaluate at")
        ->check(CLI::Range(std::size_t{1}, std::size_t{100000000}))
        ->capture_default_str();
    command.add_option("--rows", options->rows, "Rows of the spvm matrix")
        ->check(CLI::Range(std::size_t{1}, std::size_t{100000}))
        ->capture_default_str();
    command.add_option("--columns", options->columns, "Columns of the spvm matrix")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1000000000}))
        ->capture_default_str();
    command.add_option("--side", options->side, "Side of the cube that car evaluates")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1024}))
        ->capture_default_str();
    command.add_flag("--quick", options->quick, "Short, rough measurements");
    command.footer(R"(
Baselines: the literal reference (Listings 3.4 and 3.5 of the dissertation), a plain scalar
depth-first loop, a plain block-wise hierarchization, one read of the spvm matrix, and writing the
picture once. Rates are medians; "spread" is the distance of the quartiles over the median. Degrees
2 and 3 are beside degree 1 of the same boundary basis, leja beside clenshaw-curtis, for each
function that is not 0 at a point.

Examples:
  gridhelm-cli bench sparse --json > sparse.json
  gridhelm-cli bench sparse --quick --cases 4/8 --columns 100000)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
