// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/scratch_folder.h"
#include "app/bench/stencil_rates.h"
#include "app/bench/tuning_table.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/machine/environment.h"
#include "app/machine/gpu_candidates.h"
#include "core/support/error.h"
#include "core/support/html_page.h"
#include "core/support/system_info.h"
#include "core/tuning/machine_tuning.h"
#include "gpu/device_info.h"
#include "gpu/stencil/cuda_stencil.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

struct BenchTuningOptions
{
    std::vector<std::string> operations;
    double seconds = 10;
    std::string html;
};

bool isOfGpu(const GlobalOptions &global)
{
    return global.devices.starts_with("gpu") || global.backend == "cuda";
}

std::string machineName(const ExecutionContext &context, bool isGpu)
{
    if (!isGpu)
        return fmt::format("{}, {} threads", querySystemInfo().cpuName, context.cpu().threads);
    return gpu::listDevices()
        .devices.at(static_cast<std::size_t>(context.gpus().front().index))
        .name;
}

/// The first GPU alone.
dispatch::Candidate gpuCandidate(const ExecutionContext &context)
{
    return app::gpuCandidates(context, gpu::listDevices()).front();
}

void requireKnown(const BenchTuningOptions &options, const std::vector<tuning::TuningCase> &cases)
{
    for (const auto &name : options.operations) {
        if (name != "stencil" && std::ranges::none_of(cases, [&](const auto &each) {
                return each.operation->name == name;
            }))
            throw Error(fmt::format("there is no operation \"{}\" here: choose among those of "
                                    "\"tune\", and stencil",
                                    name));
    }
}

/// Those with that name, or all of them.
bool isWanted(const BenchTuningOptions &options, const std::string &name)
{
    return options.operations.empty()
           || std::ranges::find(options.operations, name) != options.operations.end();
}

void run(const GlobalOptions &global, const BenchTuningOptions &options)
{
    const Interruption signals;
    const bool isGpu = isOfGpu(global);
    const auto context = benchContext(global);
    const auto cases = isGpu ? bench::gpuTableCases() : bench::tableCases(context.cpu().threads);
    requireKnown(options, cases);
    if (isGpu && context.gpus().empty())
        throw Error("there is no GPU whose code could be tuned; choose the CPU");
    if (!options.html.empty())
        requireWritable(options.html);
    const auto warning = tuning::warningOfLoad();
    if (!warning.empty())
        printMessage(fmt::format("gridhelm-cli: {}.\n", warning));
    std::vector<bench::TuningRow> rows;
    ProgressLine progress;
    const auto add = [&](const std::string &what, const auto &measure) {
        if (signals.happened())
            return;
        progress.show(what);
        auto row = measure();
        progress.clear();
        if (signals.happened())
            return;
        if (!global.json)
            printText(textOf(row));
        rows.push_back(std::move(row));
    };
    const auto candidate = isGpu ? gpuCandidate(context) : dispatch::cpuCandidate();
    // What has been tuned is measured beside what is compiled in.
    const auto untuned = context.withTuning(std::make_shared<TuningTable>());
    for (const auto &each : cases) {
        if (isWanted(options, std::string(each.operation->name)))
            add(each.text(), [&] {
                return bench::tuningRow(each, candidate, untuned, options.seconds, signals.token());
            });
    }
    for (auto &of : bench::exampleStencils(isGpu ? 8192 : 4096, isGpu ? 384 : 256)) {
        if ((of.name != "5-point" && of.name != "7-point") || !isWanted(options, "stencil"))
            continue;
        // Compiled anew.
        const bench::ScratchFolder cache(std::filesystem::temp_directory_path(), 1e8);
        if (isGpu)
            of.stencil.target.device = stencil::Target::Device::gpu;
        const data::StencilMeans means{&gpu::stencilGpu(), "auto", isGpu ? "gpu" : "cpu", false,
                                       cache / "gridhelm"};
        const auto name = "stencil, " + of.name + ", generated";
        add(name, [&] {
            return bench::tuningRow(name, of.stencil, means, context, 3 * options.seconds,
                                    signals.token());
        });
    }
    const auto machine = machineName(context, isGpu);
    if (!options.html.empty())
        writeText(options.html, bench::htmlOf(rows, machine));
    if (!global.json && !rows.empty())
        printText(tableOf(rows));
    if (global.json) {
        auto list = json::array();
        for (const auto &row : rows)
            list.push_back(jsonOf(row));
        printJson({{"benchmark", "tuning"},
                   {"environment", app::environmentJson(context)},
                   {"machine", machine},
                   {"warning", warning},
                   {"rows", std::move(list)}});
    }
    if (signals.happened())
        throw EarlyEnd{130};
}

} // namespace

void addBenchTuningCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "tuning",
        "What tuning costs and finds: whole and smaller inputs, partitions, all variants");
    const auto options = std::make_shared<BenchTuningOptions>();
    command
        .add_option("OPERATION", options->operations,
                    "Some operations only (those of tune, and stencil); all without")
        ->type_name("");
    command
        .add_option("--seconds", options->seconds,
                    "Of each search, after which no further variant is tried; of all variants of "
                    "generated code three times as many, since they are compiled")
        ->check(CLI::Range(0.1, 1e6))
        ->capture_default_str();
    command.add_option("--html", options->html, "A page with plots of it")->type_name("FILE.html");
    command.footer(R"(
Of each operation one case, in float. Searches: hill climbing by the whole work, by smaller inputs, by
smaller inputs and in partitions; and all variants by the whole work, of which the best is what the
others are measured with. Nothing is kept. With --devices gpu the same of its kernels, as far as they
have something to choose; times are with what goes to the GPU and comes back.

Examples:
  gridhelm-cli bench tuning --html tuning.html
  gridhelm-cli --devices gpu bench tuning --json > tuning.json
  gridhelm-cli bench tuning interpolation --seconds 60)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
