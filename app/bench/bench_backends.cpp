// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/backend_cases.h"
#include "app/bench/device_limits_json.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/machine/environment.h"
#include "gpu/device_info.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

std::string timeText(double seconds)
{
    if (seconds < 1e-3)
        return fmt::format("{:.3g} us", 1e6 * seconds);
    return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

/// "0.12 s | 93 % of copying": cells of a table in Markdown.
std::string cells(const json &measured, const std::string &limit)
{
    return fmt::format("{} | {:.3g} % of {}", timeText(measured["seconds"].get<double>()),
                       100 * measured["share"].get<double>(), limit);
}

std::string rowText(const json &row, bool hasDevice)
{
    const auto limit = row["limit"].get<std::string>();
    auto text = fmt::format("| {}: {} | {} |", row["operation"].get<std::string>(),
                            row["work"].get<std::string>(), cells(row["cpu"], limit));
    if (hasDevice) {
        const auto &device = row["device"];
        text += fmt::format(" {} | {:.3g} |", cells(device, limit == "writing" ? "copying" : limit),
                            device["times"].get<double>());
        text +=
            device.contains("delivered_seconds")
                ? fmt::format(" {} | {:.3g} |", timeText(device["delivered_seconds"].get<double>()),
                              device["delivered_times"].get<double>())
                : " | |";
    }
    return text + "\n";
}

std::string threadsText(int threads)
{
    return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

std::string headText(int threads, const std::optional<std::string> &device)
{
    const auto who = threadsText(threads);
    if (!device)
        return fmt::format("| operation | {} | of the limit |\n|---|---|---|\n", who);
    return fmt::format("| operation | {} | of the limit | {} | of the limit | times as fast | "
                       "delivered | times as fast |\n|---|---|---|---|---|---|---|---|\n",
                       who, *device);
}

std::string limitsText(const std::string &name, const json &limits)
{
    const auto rate = [&](const char *key) { return limits[key].get<double>(); };
    auto text = fmt::format("{}: reads {:.4g} GB/s", name, rate("read_gbytes_per_second"));
    if (limits.contains("write_gbytes_per_second"))
        text += fmt::format(", writes {:.4g}", rate("write_gbytes_per_second"));
    return text
           + fmt::format(", copies {:.4g}; multiplies and adds {:.4g} TFlop/s in float, {:.4g} in "
                         "double\n",
                         rate("copy_gbytes_per_second"), 1e-3 * rate("float_gflops_per_second"),
                         1e-3 * rate("double_gflops_per_second"));
}

void print(const json &document, int threads)
{
    const auto who =
        document["environment"]["cpu"].get<std::string>() + ", " + threadsText(threads);
    printText(limitsText(who, document["limits"]["cpu"]));
    std::optional<std::string> device;
    if (document.contains("device")) {
        device = document["device"].get<std::string>();
        printText(limitsText(*device, document["limits"]["device"]));
    } else {
        printText(fmt::format("no device: {}\n", document["no_device"].get<std::string>()));
    }
    printText("\n" + headText(threads, device));
    for (const auto &row : document["rows"])
        printText(rowText(row, device.has_value()));
}

void run(const GlobalOptions &global, bool quick)
{
    const auto context = benchContext(global);
    const int threads = context.cpu().threads;
    const auto &candidates = dispatcher(global)->candidates();
    const auto *const device = candidates.size() > 1 ? &candidates[1] : nullptr;
    ProgressLine progress;
    bench::Limits limits;
    std::vector<bench::MeasuredOperation> operations;
    bench::measureLimits(limits, context, device != nullptr);
    for (const auto &work : quick ? bench::smallWorkloads() : bench::largeWorkloads()) {
        progress.show(fmt::format("{}: {}", dispatch::nameOf(dispatch::operationOf(work)),
                                  dispatch::textOf(work)));
        operations.push_back(bench::measureOperation(work, context, device, limits.device));
    }
    if (!quick)
        bench::measureLimits(limits, context, device != nullptr);
    progress.clear();

    json document = {{"benchmark", "backends"},
                     {"environment", app::environmentJson(context)},
                     {"limits", {{"cpu", bench::limitsJson(limits.cpu)}}},
                     {"rows", json::array()}};
    const auto list = gpu::listDevices();
    if (device) {
        document["device"] =
            list.devices.at(static_cast<std::size_t>(context.gpus().front().index)).name;
        document["limits"]["device"] = bench::limitsJson(limits.device);
    } else {
        document["no_device"] = list.reason;
    }
    for (const auto &operation : operations)
        document["rows"].push_back(bench::jsonOf(operation, limits));
    if (global.json)
        printJson(document);
    else
        print(document, threads);
}

} // namespace

void addBenchBackendsCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "backends", "Every operation at a large size by the CPU and by the GPU, beside the "
                    "limits of both; a table in Markdown");
    const auto quick = std::make_shared<bool>(false);
    command.add_flag("--quick", *quick,
                     "Small sizes, to try the command out: its figures mean nothing");
    command.footer(R"(
A large size takes 8 GiB of memory. Limits are measured in the same run, with the same number of
threads. Counted are a read and a write of each value and dimension (hierarchization), 4 flops for
each point and block (interpolation), the values written (cartesian) or read (combination), and what
each solver states. "Delivered" means results in the CPU's memory, as the commands get them;
the times before are those on the device alone.

Example:
  gridhelm-cli bench backends --threads 2)");
    command.callback([&global, quick] { run(global, *quick); });
}

} // namespace gridhelm::cli
