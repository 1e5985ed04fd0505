// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/device_scaling.h"
#include "app/bench/link_seconds.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/machine/environment.h"
#include "app/machine/machine_execution.h"
#include "core/execution/team.h"
#include "core/support/error.h"
#include "gpu/cuda_solvers.h"
#include "gpu/device_info.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

struct BenchDevicesOptions
{
    bool quick = false;
    bool isDouble = false;
    std::vector<std::string> solvers; ///< all, if empty
};

/// Those of --devices; without it all GPUs, or four parts of the CPU where there is none. Of ranks
/// the CPU that each has.
ExecutionContext devicesContext(const GlobalOptions &global)
{
    const auto &context = teamContext(global);
    if (global.ranks) {
        if (!context.gpus().empty())
            throw Error("\"bench devices\" measures processes that mpirun has started on their "
                        "CPUs: leave --devices out; or measure GPUs without mpirun");
        return context;
    }
    if (global.devices != "auto")
        return context;
    const auto chosen =
        app::machineContext(context.cpu(), gpu::gpuDevices().empty() ? "cpu/4" : "gpu:all");
    return context.withGpus(chosen.gpus()).withTeam(chosen.team());
}

std::vector<Device> devicesOf(const ExecutionContext &context)
{
    if (!context.team().empty())
        return context.team();
    if (!context.gpus().empty())
        return {context.gpus().front()};
    return {context.cpu()};
}

/// Who computes with whom is compared, and a CPU is no GPU.
void requireOneKind(const std::vector<Device> &devices)
{
    for (const auto &device : devices) {
        if (device.index() != devices.front().index())
            throw Error("GPU and CPU together cannot be measured by \"bench devices\": the solvers "
                        "share a grid among devices of one kind; choose GPUs alone, or cpu/N");
    }
}

bool isPart(const Device &device)
{
    return std::visit([](const auto &each) { return each.part.count > 1; }, device);
}

/// Why figures of logical devices are no figures of several; empty for whole ones.
std::string logicalNote(const std::vector<Device> &devices, int threads)
{
    if (!isPart(devices.front()))
        return {};
    if (const auto *gpu = std::get_if<GpuDevice>(&devices.front()))
        return fmt::format("these devices are parts of one GPU ({}), which they share: their times "
                           "say what dividing costs, not what more GPUs would gain",
                           gpu->index);
    return fmt::format("logical devices share one CPU ({} thread{} in all): their times say what "
                       "dividing costs, not what more CPUs would gain, and the model is of devices "
                       "that share nothing",
                       threads, threads == 1 ? "" : "s");
}

std::vector<std::string> namesOf(Ranks &ranks)
{
    std::vector<std::string> names;
    for (int rank = 0; rank < ranks.count(); ++rank)
        names.push_back(
            fmt::format("rank {} on {}", rank, ranks.hosts()[static_cast<std::size_t>(rank)]));
    return names;
}

/// The same of ranks that have one machine in common.
std::string ranksNote(Ranks &ranks, int threads)
{
    const auto &hosts = ranks.hosts();
    if (std::ranges::count(hosts, hosts.front()) == 1)
        return {};
    return fmt::format("ranks of one machine share its memory (each has {} thread{}): their times "
                       "say what dividing costs, and the model is of ranks that share nothing",
                       threads, threads == 1 ? "" : "s");
}

void setSizes(bench::DeviceScalingOptions &options, bool quick)
{
    const bool isCpu = std::holds_alternative<CpuDevice>(options.devices.front());
    if (quick) {
        options.squares = {96};
        options.cubes = {24};
        options.fronts = {24};
        options.measure = {0.005, 3, 1};
    } else if (isCpu) { // a CPU takes minutes for what a GPU does in seconds
        options.squares = {2048, 4096};
        options.cubes = {256};
        options.fronts = {128};
    } else {
        options.squares = {2048, 4096, 8192, 16384};
        options.cubes = {256, 512, 768};
        options.fronts = {256, 512};
        options.measure = {0.2, 5, 4};
    }
}

std::string timeText(const json &figures)
{
    return fmt::format("{:10.4g} {:8.2f} {:10.1f} %", 1e3 * figures["seconds"].get<double>(),
                       figures["speed_up"].get<double>(),
                       100 * figures["efficiency"].get<double>());
}

std::string rowText(const json &row)
{
    const auto begin = fmt::format("{:7} ", row["devices"].get<std::size_t>());
    if (row.contains("skipped"))
        return begin + "not measured: " + row["skipped"].get<std::string>() + "\n";
    const bool isMeasured = row.contains("measured");
    return begin + (isMeasured ? timeText(row["measured"]) : std::string(32, ' '))
           + timeText(row["model"]) + (isMeasured ? "\n" : "  model, not measured\n");
}

std::string caseText(const json &one)
{
    const auto size = one["size"].get<std::size_t>();
    const auto dimension = one["dimension"].get<int>();
    const auto unit = one["unit"].get<std::string>();
    const bool isWeak = one["scaling"] == "weak";
    auto text =
        fmt::format("\n{} {}, {}, {}^{}{}: {} scaling\n"
                    "devices     ms/{:9} speed-up efficiency   model ms speed-up efficiency\n",
                    one["solver"].get<std::string>(), one["method"].get<std::string>(),
                    one["precision"].get<std::string>(), size, dimension, isWeak ? " a device" : "",
                    one["scaling"].get<std::string>(), unit);
    for (const auto &row : one["rows"])
        text += rowText(row);
    return text;
}

void printHead(const json &document)
{
    std::string names;
    for (const auto &name : document["devices"])
        names += (names.empty() ? "" : ", ") + name.get<std::string>();
    const auto &link = document["link"];
    printText(fmt::format(
        "{}\na message from one to the next: {:.3g} us, and {:.4g} s for each GB\n", names,
        1e6 * link["latency_seconds"].get<double>(), 1e9 * link["seconds_per_byte"].get<double>()));
    if (document.contains("note"))
        printText(document["note"].get<std::string>() + "\n");
}

void run(const GlobalOptions &global, const BenchDevicesOptions &chosen)
{
    const auto context = devicesContext(global).withFallback(FallbackPolicy::forbidden);
    ProgressLine progress;
    bench::DeviceScalingOptions options;
    options.ranks = global.ranks;
    options.devices =
        global.ranks
            ? std::vector<Device>(static_cast<std::size_t>(global.ranks->count()), context.cpu())
            : devicesOf(context);
    requireOneKind(options.devices);
    options.context = context.withTeam({}).withRanks(nullptr);
    options.backend = std::holds_alternative<GpuDevice>(options.devices.front())
                          ? &gpu::cudaSolvers()
                          : &solvers::ompSolvers();
    options.precision = chosen.isDouble ? solvers::Precision::float64 : solvers::Precision::float32;
    options.progress = [&](const std::string &text) { progress.show(text); };
    setSizes(options, chosen.quick);
    const auto second = std::min<std::size_t>(options.devices.size() - 1, 1);
    options.link = global.ranks
                       ? bench::measureLink(global.ranks)
                       : bench::measureLink(options.devices.front(), options.devices[second]);
    json document = {
        {"benchmark", "devices"},
        {"environment", app::environmentJson(context)},
        {"devices", global.ranks ? namesOf(*global.ranks) : namesOf(options.devices)},
        {"link",
         {{"latency_seconds", options.link.offset}, {"seconds_per_byte", options.link.slope}}}};
    const auto note = global.ranks ? ranksNote(*global.ranks, context.cpu().threads)
                                   : logicalNote(options.devices, context.cpu().threads);
    if (!note.empty())
        document["note"] = note;
    if (!global.json) {
        printHead(document);
        options.found = [&progress](const json &one) { // all of them take minutes
            progress.clear();
            printText(caseText(one));
            flushOutput();
        };
    }
    document["cases"] = bench::benchDeviceScaling(options, chosen.solvers);
    progress.clear();
    if (global.json)
        printJson(document);
}

} // namespace

void addBenchDevicesCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "devices",
        "Jacobi, red-black SOR, MLSSOR and front propagation on 1 to N devices, beside a model");
    const auto options = std::make_shared<BenchDevicesOptions>();
    command.add_flag("--quick", options->quick,
                     "Small grids, to try the command out: its figures mean nothing");
    command.add_flag("--double", options->isDouble, "In double instead of float");
    command.add_option("--solver", options->solvers, "Only these")
        ->type_name("jacobi|sor|pmm")
        ->delimiter(',')
        ->check(CLI::IsMember({"jacobi", "sor", "pmm"}));
    command.footer(R"(
On the devices that --devices lists; without it on all GPUs, or on four parts of the CPU where there
is none. Strong scaling: one grid on more and more devices. Weak scaling: as much for each device as
for one. Times are medians; speed-ups are over one device by itself. The model knows what one device
takes for a subdomain and what a message between two takes, measured at the start
(docs/solvers/scaling.md); its rows for 8, 64 and 1024 devices are not measured. Of processes that mpirun has
started, each is a device, with its CPU; the first one prints.

Examples:
  gridhelm-cli bench devices --devices gpu:0,1
  gridhelm-cli bench devices --devices cpu/2 --quick --json
  gridhelm-cli bench devices --solver jacobi,sor --double
  mpirun -n 4 gridhelm-cli bench devices --solver jacobi)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
