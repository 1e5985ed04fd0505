// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/memory_bound_cases.h"
#include "app/bench/pmm_cases.h"
#include "app/bench/time_to_tolerance.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
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
constexpr std::array<const char *, 4> topics{"jacobi", "red-black", "tolerance", "pmm"};

struct BenchSolversOptions
{
    std::vector<std::string> only;
    bool quick = false;
};

std::string text(const json &value)
{
    return value.get<std::string>();
}

std::string sizeText(const json &points)
{
    const auto n = points.get<std::array<std::size_t, 3>>();
    return n[2] == 1 ? fmt::format("{} x {}", n[0], n[1])
                     : fmt::format("{} x {} x {}", n[0], n[1], n[2]);
}

void printMemoryBound(const json &cases)
{
    printText(
        "method       precision  unknowns         threads    GB/s  of copy   best  GFlop/s\n");
    for (const auto &each : cases) {
        auto name = text(each["method"]);
        if (each.contains("iterations_per_pass"))
            name += each["iterations_per_pass"] == 1 ? " 1" : " *";
        printText(fmt::format("{:13}{:9}  {:17}{:6} {:8.1f} {:6.0f} % {:4.0f} % {:8.2f}\n", name,
                              text(each["precision"]), sizeText(each["unknowns"]),
                              each["threads"].get<int>(), each["gbytes_per_second"].get<double>(),
                              100 * each["share_of_copy"].get<double>(),
                              100 * each["best_share_of_copy"].get<double>(),
                              each["gflops_per_second"].get<double>()));
    }
}

void printJacobi(const json &result)
{
    printMemoryBound(result["cases"]);
    for (const auto &each : result["temporal_to_tuned"])
        printText(fmt::format("temporal is {:.2f} times as fast as tuned ({}, {} thread(s))\n",
                              each["ratio"].get<double>(), text(each["precision"]),
                              each["threads"].get<int>()));
}

void printRedBlack(const json &result)
{
    printMemoryBound(result["cases"]);
    printText("1: one iteration in a pass over memory; *: as many as suit the cache\n");
}

std::string choicesOf(const json &run)
{
    std::string choices;
    if (run.contains("alpha"))
        choices = fmt::format("alpha {}", run["alpha"].get<int>());
    if (run.contains("tile") && run["tile"][0] != 0)
        choices += fmt::format(", tile {} x {}", run["tile"][0].get<std::size_t>(),
                               run["tile"][1].get<std::size_t>());
    if (run.contains("layers"))
        choices = fmt::format("{} x {} x {}", run["layers"].get<std::size_t>(),
                              run["width"].get<std::size_t>(), run["width"].get<std::size_t>());
    if (run.contains("sweeps"))
        choices = run["sweeps"] == "forward" ? "SOR" : "SSOR";
    return choices;
}

void printTolerance(const json &results)
{
    for (const auto &result : results) {
        printText(fmt::format("{}, {} unknowns, {}, {} thread(s): to a residual of {:g} of the "
                              "start\nmethod      choices                       w  iterations   "
                              "seconds\n",
                              text(result["problem"]), sizeText(result["unknowns"]),
                              text(result["precision"]), result["threads"].get<int>(),
                              result["residual"].get<double>()));
        std::size_t index = 0;
        for (const auto &run : result["runs"]) {
            const bool isBest =
                std::ranges::find(result["best"], json(index++)) != result["best"].end();
            printText(
                fmt::format("{:11} {:24} {:>6.4g} {:>11} {:9.3f}{}\n", text(run["method"]),
                            choicesOf(run), run["relaxation"].get<double>(),
                            run["iterations"].get<std::uint64_t>(), run["seconds"].get<double>(),
                            !run["reached"].get<bool>()
                                ? fmt::format("  given up at {:.2g}", run["residual"].get<double>())
                            : isBest ? "  best of its kind"
                                     : ""));
        }
    }
}

void printPmm(const json &results)
{
    printText("front propagation, first sweep      node updates a second\nmedium       precision  "
              "nodes            reference  1 thread  to reference  all threads  to 1 thread\n");
    for (const auto &each : results) {
        const auto rate = [&](const char *name) { return each[name]["per_second"].get<double>(); };
        printText(fmt::format("{:12} {:9}  {:16} {:9.2e} {:9.2e} {:13.2f} {:12.2e} {:12.2f}\n",
                              text(each["medium"]), text(each["precision"]),
                              sizeText(each["nodes"]), rate("reference"), rate("one_thread"),
                              each["one_thread_to_reference"].get<double>(), rate("all_threads"),
                              each["all_threads_to_one"].get<double>()));
    }
}

void requireTopics(const std::vector<std::string> &names)
{
    for (const auto &name : names) {
        if (std::ranges::find(topics, name) == topics.end())
            throw Error(fmt::format("bench solvers knows no \"{}\": choose from {}", name,
                                    fmt::join(topics, ", ")));
    }
}

void run(const GlobalOptions &global, const BenchSolversOptions &options)
{
    requireTopics(options.only);
    const auto isWanted = [&](const std::string &name) {
        return options.only.empty() || std::ranges::find(options.only, name) != options.only.end();
    };
    bench::MemoryBoundOptions memoryBound;
    bench::ToleranceOptions tolerance;
    bench::PmmBenchOptions pmm;
    memoryBound.context = tolerance.context = pmm.context = benchContext(global);
    if (options.quick) {
        memoryBound.small = true;
        memoryBound.measure = pmm.measure = {0.005, 3, 1};
        tolerance.cases = {{64, 0.05}};
        tolerance.fewChoices = true;
        pmm.nodes = {17};
    }

    json document = {{"benchmark", "solvers"},
                     {"environment", app::environmentJson(memoryBound.context)}};
    const auto measure = [&](const char *name, auto work, auto print) {
        if (!isWanted(name))
            return;
        document[name] = work();
        if (global.json)
            return;
        print(document[name]);
        printText("\n");
        flushOutput();
    };
    measure(
        "jacobi", [&] { return bench::benchJacobi(memoryBound); }, printJacobi);
    measure(
        "red-black", [&] { return bench::benchRedBlack(memoryBound); }, printRedBlack);
    measure(
        "tolerance", [&] { return bench::benchTimeToTolerance(tolerance); }, printTolerance);
    measure(
        "pmm", [&] { return bench::benchPmm(pmm); }, printPmm);
    if (global.json)
        printJson(document);
}

} // namespace

void addBenchSolversCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "solvers", "The iterative solvers against what memory delivers and their literal "
                   "references, in one run");
    const auto options = std::make_shared<BenchSolversOptions>();
    command
        .add_option("--only", options->only,
                    fmt::format("Some of {}, separated by commas", fmt::join(topics, ", ")))
        ->type_name("NAME,...")
        ->delimiter(',');
    command.add_flag(
        "--quick", options->quick,
        "Small grids and short runs, to try the command out: its figures mean nothing");
    command.footer(R"(
Memory-bound iterations run on grids of at least 4 times the last-level cache; their bytes a second,
by the stated count, stand beside a copy with the same number of threads. Iterations in float
without f count 8 bytes an unknown (Jacobi) and 12 (red-black).

Examples:
  gridhelm-cli bench solvers
  gridhelm-cli bench solvers --json > solvers.json
  gridhelm-cli bench solvers --only jacobi,pmm --threads 1)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
