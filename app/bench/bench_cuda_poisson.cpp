// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/cuda_poisson_cases.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

void printCases(const json &result)
{
    printText(fmt::format("copy on the device: {:.0f} GB/s, read and written\n"
                          "method           precision  unknowns            us/iteration  of copy  "
                          "to tuned\n",
                          result["limits"]["copy_gbytes_per_second"].get<double>()));
    for (const auto &each : result["cases"]) {
        const auto n = each["unknowns"].get<std::array<std::size_t, 3>>();
        printText(
            fmt::format("{:16} {:9}  {:5} x {:5} x {:4} {:12.2f} {:6.1f} % {:9.2f}\n",
                        each["method"].get<std::string>(), each["precision"].get<std::string>(),
                        n[0], n[1], n[2], 1e6 * each["seconds_per_iteration"].get<double>(),
                        100 * each["share_of_copy"].get<double>(), each["to_tuned"].get<double>()));
    }
    flushOutput();
}

void printAsync(const json &result)
{
    printText(
        fmt::format("\n{} x {} unknowns, to the residual {:.6g} of {} exact iterations: tuned "
                    "{:.2f} ms, temporal {:.2f} ms\nmethod  alpha  rows  iterations     ms  "
                    "to tuned\n",
                    result["unknowns"][0].get<int>(), result["unknowns"][1].get<int>(),
                    result["residual"].get<double>(), result["exact_iterations"].get<int>(),
                    1e3 * result["tuned_seconds"].get<double>(),
                    1e3 * result["temporal_seconds"].get<double>()));
    for (const auto &run : result["runs"]) {
        if (!run["reached"].get<bool>())
            continue;
        printText(fmt::format("{:7} {:5} {:5} {:11} {:6.2f} {:9.2f}\n",
                              run["method"].get<std::string>(), run["alpha"].get<int>(),
                              run["tile_rows"].get<int>(), run["iterations"].get<int>(),
                              1e3 * run["seconds"].get<double>(), run["speedup"].get<double>()));
    }
    flushOutput();
}

void printTolerance(const json &result)
{
    std::string heading = fmt::format(
        "\n{} x {} unknowns, {}: SOR for at most {} s\nmethod     layers  width      w",
        result["unknowns"][0].get<int>(), result["unknowns"][1].get<int>(),
        result["problem"].get<std::string>(), result["longest_run_seconds"].get<double>());
    for (const auto &residual : result["residuals"])
        heading += fmt::format("   iterations, ms to {:g}", residual.get<double>());
    printText(heading + "\n");
    for (const auto &run : result["runs"]) {
        std::string line = fmt::format("{:10} {:6} {:6} {:6.3f}", run["method"].get<std::string>(),
                                       run.value("layers", 0), run.value("width", 0),
                                       run["relaxation"].get<double>());
        for (const auto &each : run["reached"])
            line += fmt::format("  {:10} {:11.1f}", each["iterations"].get<int>(),
                                1e3 * each["seconds"].get<double>());
        if (run["reached"].size() < result["residuals"].size())
            line += "  given up";
        printText(line + "\n");
    }
}

void run(const GlobalOptions &global, bool quick)
{
    bench::CudaPoissonOptions options;
    options.context = benchContext(global);
    if (quick) {
        options.small = true;
        options.measure = {0.005, 3, 1};
    }
    json document = bench::benchCudaPoissonRates(options);
    if (!global.json)
        printCases(document);
    document["async"] = bench::benchCudaAsync(options);
    if (!global.json)
        printAsync(document["async"]);
    document["tolerance"] = bench::benchCudaTolerance(options);
    if (!global.json) {
        for (const auto &each : document["tolerance"])
            printTolerance(each);
        return;
    }
    document["benchmark"] = "cuda-poisson";
    document["environment"] = app::environmentJson(benchContext(global));
    printJson(document);
}

} // namespace

void addBenchCudaPoissonCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "cuda-poisson", "Jacobi and SOR on the GPU against what its memory delivers, in one run");
    const auto quick = std::make_shared<bool>(false);
    command.add_flag(
        "--quick", *quick,
        "Small grids and short runs, to try the command out: its figures mean nothing");
    command.callback([&global, quick] { run(global, *quick); });
}

} // namespace gridhelm::cli
