// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/cuda_pmm_cases.h"
#include "app/bench/measure.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

std::string text(const json &value)
{
    return value.get<std::string>();
}

double number(const json &row, const char *name)
{
    return row[name].get<double>();
}

void print(const json &result)
{
    printText(fmt::format("{}: copy {:.0f} GB/s, multiply-add {:.1f} TFlop/s in float, {:.1f} in "
                          "double\n\n",
                          text(result["device"]),
                          number(result["limits"], "copy_gbytes_per_second"),
                          1e-3 * number(result["limits"], "float_gflops_per_second"),
                          1e-3 * number(result["limits"], "double_gflops_per_second")));
    printText("medium       precision  nodes  8 sweeps  converged  sweeps  first sweep  of flops  "
              "of copy\n");
    for (const auto &row : result["table"])
        printText(fmt::format(
            "{:12} {:9} {:4}^3 {:6.1f} ms {:7.1f} ms {:7} {:9.2f} ms {:7.0f} % {:6.0f} %\n",
            text(row["medium"]), text(row["precision"]), row["nodes"].get<std::size_t>(),
            1e3 * number(row, "eight_sweeps"), 1e3 * number(row, "converged"),
            row["sweeps"].get<std::uint64_t>(), 1e3 * number(row, "first_sweep"),
            100 * number(row, "share_of_flops"), 100 * number(row, "share_of_copy")));
    printText("\n8 sweeps, double   nodes     as is  launch per plane  strided x  every tile\n");
    for (const auto &row : result["ways"])
        printText(fmt::format("{:16} {:4}^3 {:6.1f} ms {:14.1f} ms {:7.1f} ms {:8.1f} ms\n",
                              text(row["medium"]), row["nodes"].get<std::size_t>(),
                              1e3 * number(row, "as_is"), 1e3 * number(row, "launch_per_plane"),
                              1e3 * number(row, "strided_x"), 1e3 * number(row, "every_tile")));
    printText("\nfrom a corner, double  nodes  converged  sweeps  mean error  of upwind "
              "differences\n");
    for (const auto &row : result["corner"]) {
        const auto error = [&](const char *name) {
            return row.contains(name) ? fmt::format("{:.4g}", number(row, name)) : std::string("-");
        };
        printText(fmt::format("{:20} {:4}^3 {:7.1f} ms {:7} {:>11} {:>11}\n", text(row["speed"]),
                              row["nodes"].get<std::size_t>(), 1e3 * number(row, "seconds"),
                              row["sweeps"].get<std::uint64_t>(), error("mean_error"),
                              error("upwind_mean_error")));
    }
}

} // namespace

void addBenchCudaPmmCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "cuda-pmm", "Front propagation on the CUDA device, beside what the device reaches at best");
    const auto quick = std::make_shared<bool>(false);
    command.add_flag("--quick", *quick,
                     "Small grids, to try the command out: its figures mean nothing");
    command.callback([&global, quick] {
        bench::CudaPmmBenchOptions options;
        options.context = benchContext(global);
        if (*quick) {
            options.table = {33};
            options.corner = {20};
        }
        json document = bench::benchCudaPmm(options);
        if (!global.json) {
            print(document);
            return;
        }
        document["environment"] = app::environmentJson(benchContext(global));
        printJson(document);
    });
}

} // namespace gridhelm::cli
