// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/machine/machine_json.h"
#include "app/bench/machine/machine_page.h"
#include "app/bench/machine/machine_text.h"
#include "app/bench/machine/measure_machine.h"
#include "app/bench/machine/reference_machine.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/machine/environment.h"
#include "app/machine/tuned_machine.h"
#include "core/support/error.h"
#include "core/support/version.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::cli {
namespace {

using bench::MachineReport;

constexpr double wholeBudget = 570, quickBudget = 50; // what is left ends what has begun
constexpr double longestBudget = 1e6;

struct BenchMachineOptions
{
    bool quick = false;
    std::optional<double> budget; ///< seconds; none: what is usual
    std::vector<std::string> compared;
    std::string page;
};

std::string machineName(const MachineReport &report)
{
    std::string name;
    for (const auto &device : report.devices) {
        if (device.name.find(" + ") == std::string::npos)
            name += (name.empty() ? "" : "; ") + device.hardware;
    }
    return name;
}

void writePage(const std::string &path, const std::vector<MachineReport> &reports)
{
    if (!path.empty())
        writeTextFile(path, bench::machinePage(reports, bench::referenceMachine()));
}

void compare(const GlobalOptions &global, const BenchMachineOptions &options)
{
    const std::vector reports{bench::readMachineReport(options.compared[0]),
                              bench::readMachineReport(options.compared[1])};
    const auto &reference = bench::referenceMachine();
    writePage(options.page, reports);
    if (!global.json) {
        printText(bench::comparisonText(reports[0], reports[1], reference));
        return;
    }
    nlohmann::json document = {{"benchmark", "machine comparison"},
                               {"format", bench::machineFormat},
                               {"machines", nlohmann::json::array()},
                               {"ratios", nlohmann::json::array()},
                               {"reference_machine", reference.machine}};
    for (const auto &report : reports) {
        const auto score = bench::scoreOf(bench::classRatios(report, reference));
        document["machines"].push_back({{"machine", report.machine},
                                        {"version", report.version},
                                        {"commit", report.commit},
                                        {"quick", report.isQuick},
                                        {"score", score ? nlohmann::json(*score) : nullptr}});
    }
    for (const auto &ratio : bench::classRatios(reports[0], reports[1]))
        document["ratios"].push_back(bench::jsonOf(ratio));
    printJson(document);
}

MachineReport measure(const GlobalOptions &global, const BenchMachineOptions &options,
                      const ExecutionContext &context)
{
    const Interruption interruption; // before any thread
    ProgressLine progress;
    bench::MachineBenchOptions benchOptions;
    if (options.quick)
        benchOptions.limitsOf = [](bench::MachineUnit &unit) {
            measureLimits(unit, bench::quickMemoryBytes);
        };
    benchOptions.budget = options.budget.value_or(options.quick ? quickBudget : wholeBudget);
    benchOptions.isStopped = [&] { return interruption.happened(); };
    benchOptions.progress = [&](const std::string &text) { progress.show(text); };
    bench::useTuning(benchOptions, app::savedTuning(context));
    const auto untuned = context.withTuning(std::make_shared<TuningTable>());
    const auto choice =
        global.devices == "auto" ? bench::UnitChoice::all : bench::UnitChoice::named;
    auto report = bench::measureMachine(bench::machineUnits(untuned, choice),
                                        bench::machineCases(options.quick), benchOptions);
    report.machine = machineName(report);
    report.commit = commitString();
    report.version = versionString();
    report.threads = context.cpu().threads;
    report.isQuick = options.quick;
    return report;
}

void run(const GlobalOptions &global, const BenchMachineOptions &options)
{
    if (!options.page.empty())
        requireWritable(options.page);
    if (!options.compared.empty()) {
        compare(global, options);
        return;
    }
    if (global.backend != "auto")
        throw Error(fmt::format("--backend {}: every device is measured with its own back end; "
                                "leave --backend out, and choose devices by --devices",
                                global.backend));
    if (options.budget && !(*options.budget > 0 && *options.budget <= longestBudget))
        throw Error(fmt::format("--budget {}: give seconds above 0, at most {:g}", *options.budget,
                                longestBudget));
    const auto &context = teamContext(global);
    const auto report = measure(global, options, context);
    const auto &reference = bench::referenceMachine();
    writePage(options.page, {report});
    if (global.json) {
        auto document = bench::jsonOf(report, reference);
        document["environment"] = app::environmentJson(context);
        printJson(document);
    } else {
        printText(bench::reportText(report, reference));
    }
    if (report.isInterrupted)
        throw EarlyEnd{130};
}

} // namespace

void addBenchMachineCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "machine", "How good this machine is for sparse grids: CPU, GPUs, and all of them, beside "
                   "a reference machine");
    const auto options = std::make_shared<BenchMachineOptions>();
    auto *const quick = command.add_flag("--quick", options->quick,
                                         "A minute at most, with small grids, instead of ten");
    auto *const budget =
        command
            .add_option("--budget", options->budget,
                        "Seconds after which nothing is begun any more (default: 570, quick 50)")
            ->type_name("SECONDS");
    command.add_option("--compare", options->compared, "Print two machines' reports side by side")
        ->expected(2)
        ->type_name("A.json B.json")
        ->excludes(quick)
        ->excludes(budget);
    command.add_option("--html", options->page, "Write a page with plots, too")
        ->type_name("page.html");
    command.footer(R"(
Measured are hierarchization, interpolation (at points without order, at points that share all but three
coordinates, at products of coordinates) and the combination of rows, of grids of 2 to 10 dimensions that
are zero at the boundary, in single precision; grids grow until memory or time ends. Rates are medians,
with results in the CPU's memory. They stand beside the limit that binds: bandwidths, multiply-adds and the
link to the CPU, as measured in the same run. Counted are a read and a write of each value and dimension
(hierarchization), 4 flops for each point and block (interpolation; of shared coordinates, blocks of the
grid that remains), the values written (cartesian) or read (combination). All results are checked against the
reference back end. On a machine that has been tuned ("tune") each case is measured with the constants that
are compiled in, and again with those that were found.

The score is the geometric mean over the operations, of the fastest device, beside a reference machine
that has 100. Ctrl-C ends with what is there. "--devices" chooses what is measured.

Examples:
  gridhelm-cli bench machine --quick --html machine.html
  gridhelm-cli bench machine --json > mine.json
  gridhelm-cli bench machine --compare mine.json yours.json)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
