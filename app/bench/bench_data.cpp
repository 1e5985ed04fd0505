// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/data_cases.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

/// What --only chooses from, in the order in which it is measured.
constexpr std::array<const char *, 3> topics{"compress", "eval", "open"};

struct BenchDataOptions
{
    std::string folder = ".";
    std::vector<std::string> only;
    std::uint64_t values = 1'000'000;
    int level = 4;
    int repeats = 5;
    bool quick = false;
};

double amountPerSecond(const json &rate)
{
    return rate["per_second"].get<double>();
}

double seconds(const json &rate)
{
    return rate["seconds"].get<double>();
}

std::string sizeText(const json &result)
{
    return fmt::format("{} snapshots of {} values ({:.0f} MB)",
                       result["snapshots"].get<std::uint64_t>(),
                       result["values"].get<std::uint64_t>(), result["bytes"].get<double>() * 1e-6);
}

void printCompress(const json &result)
{
    printText(fmt::format("compress  {}, {} thread(s): {:.0f} MB/s, the disk alone {:.0f} MB/s: "
                          "{:.0f} % (spread {:.0f} %, {:.0f} %)\n",
                          sizeText(result), result["threads"].get<int>(),
                          amountPerSecond(result["coefficient_bytes"]) * 1e-6,
                          amountPerSecond(result["disk_bytes"]) * 1e-6,
                          100 * result["compress_to_disk"].get<double>(),
                          100 * result["coefficient_bytes"]["spread"].get<double>(),
                          100 * result["disk_bytes"]["spread"].get<double>()));
}

void printEvaluate(const json &result)
{
    printText(fmt::format("eval      {}, loaded at {:.0f} MB/s\n", sizeText(result),
                          amountPerSecond(result["load_bytes"]) * 1e-6));
    for (const char *threads : {"one_thread", "all_threads"}) {
        if (!result.contains(threads))
            continue;
        const auto &run = result[threads];
        printText(fmt::format("          {} thread(s): {:.1f} ms, {:.1f} GB/s, {:.0f} % of reading "
                              "alone; the engine has {:.0f} %: ratio {:.2f}\n",
                              run["threads"].get<int>(), seconds(run["values"]) * 1e3,
                              amountPerSecond(run["evaluate_bytes"]) * 1e-9,
                              100 * run["evaluate_to_read"].get<double>(),
                              100 * run["engine_spvm_to_read"].get<double>(),
                              run["evaluate_to_engine"].get<double>()));
    }
}

void printOpen(const json &result)
{
    printText(fmt::format(
        "open      a file of {:.0f} MB, {} levels of it ({} snapshots): {:.0f} ms "
        "from the disk ({:.1f} % of it in memory before), {:.0f} ms from memory\n",
        result["file_bytes"].get<double>() * 1e-6, result["levels"].get<int>(),
        result["snapshots_read"].get<std::uint64_t>(), seconds(result["cold"]) * 1e3,
        100 * result["cold_resident_share"].get<double>(), seconds(result["warm"]) * 1e3));
}

void requireTopics(const std::vector<std::string> &names)
{
    for (const auto &name : names) {
        if (std::ranges::find(topics, name) == topics.end())
            throw Error(fmt::format("bench data knows no \"{}\": choose from {}", name,
                                    fmt::join(topics, ", ")));
    }
}

void run(const GlobalOptions &global, const BenchDataOptions &options)
{
    requireTopics(options.only);
    const Interruption interruption;
    bench::DataBenchOptions bench;
    bench.folder = options.folder;
    bench.values = options.values;
    bench.level = options.level;
    bench.repeats = options.repeats;
    bench.context = benchContext(global);
    if (options.quick) {
        bench.values = std::min<std::uint64_t>(bench.values, 20'000);
        bench.level = std::min(bench.level, 3);
        bench.endParameters = 3;
        bench.repeats = std::min(bench.repeats, 2);
        bench.measure = {0.005, 3, 1};
    }
    bench.checkpoint = [&] {
        if (interruption.happened())
            throw Interrupted("Interrupted: the benchmark's files have been removed");
    };

    json document = {{"benchmark", "data"},
                     {"environment", app::environmentJson(bench.context)},
                     {"folder", options.folder}};
    const auto measure = [&](const char *name, auto work, auto print) {
        if (!options.only.empty() && std::ranges::find(options.only, name) == options.only.end())
            return;
        document[name] = work(bench);
        if (global.json)
            return;
        print(document[name]);
        flushOutput();
    };
    measure("compress", bench::benchCompress, printCompress);
    measure("eval", bench::benchEvaluate, printEvaluate);
    measure("open", bench::benchOpen, printOpen);
    if (global.json)
        printJson(document);
}

} // namespace

void addBenchDataCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "data", "Studies: compressing beside the disk, evaluating beside the engine, opening");
    const auto options = std::make_shared<BenchDataOptions>();
    command
        .add_option("--folder", options->folder,
                    "Where the files go while it runs, on the disk to be measured")
        ->type_name("DIR")
        ->capture_default_str();
    command
        .add_option("--only", options->only,
                    fmt::format("Some of {}, separated by commas", fmt::join(topics, ", ")))
        ->type_name("NAME,...")
        ->delimiter(',');
    command.add_option("--values", options->values, "Values of a snapshot")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000000}))
        ->capture_default_str();
    command
        .add_option("--level", options->level,
                    "Level of the grid of four parameters that is compressed and opened")
        ->check(CLI::Range(2, 6))
        ->capture_default_str();
    command.add_option("--repeats", options->repeats, "How often, after a warm-up")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command.add_flag(
        "--quick", options->quick,
        "Small studies and short runs, to try the command out: its figures mean nothing");
    command.footer(R"(
Takes up to 4 GB of disk space and 3 GB of memory as it comes; all files are removed at the end, and
after Ctrl-C.
compress: raw snapshots that memory holds to raw coefficients on the disk, the study opened and
closed; in turns with writing as many bytes to one file, both until they are on the disk.
eval: a field of a loaded study in which all of 243 snapshots count, and the engine's product
("bench sparse"), each beside one read of its matrix.
open: from the file to a field of the first two levels, with none of the file in memory and with all
of it.

Examples:
  gridhelm-cli bench data --json > data.json
  gridhelm-cli bench data --only compress --folder /scratch --repeats 9
  gridhelm-cli bench data --quick)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
