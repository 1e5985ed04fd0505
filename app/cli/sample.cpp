// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "app/cli/study_report.h"
#include "app/cli/study_steps.h"
#include "core/support/bytes_text.h"
#include "core/support/error.h"
#include "data/campaign/built_in_samples.h"
#include "data/campaign/plan_cost.h"
#include "data/campaign/study_plan.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>

namespace gridhelm::cli {
namespace {

struct SampleOptions
{
    std::string name;
    std::string out;
    std::string plan;
};

constexpr std::size_t holdOuts = 12;

void runSample(const GlobalOptions &global, const SampleOptions &options)
{
    const auto &sample = data::builtInSample(options.name);
    if (!options.plan.empty())
        writeText(options.plan, sample.plan);
    const std::filesystem::path out =
        options.out.empty() ? options.name + ".gridhelm" : options.out;
    const auto study = shellText(out);
    const auto plan = data::parsePlan(sample.plan, options.name, std::filesystem::current_path());
    const auto cost = data::costOf(plan, plan.description.space, plan.description.level);
    const auto started = std::chrono::steady_clock::now();
    std::string note;
    auto writer = data::createStudy(out, plan, note);
    printNote(note);
    if (!global.json) {
        printText(fmt::format("{}: {} in {}, about {}; running them\n", plan.description.title,
                              countText(cost.points, "point"), countText(cost.jobs, "job"),
                              bytesText(cost.bytes)));
        flushOutput();
    }
    RunStep runs;
    runs.jobs = threadCount(global);
    runs.keepGoing = true; // nobody is to correct a sample
    const auto campaign = runStep(writer, runs);
    if (campaign.failed > 0)
        throw Error(fmt::format("{} of the sample failed ({}); read its log with: gridhelm-cli "
                                "info {} --log {}",
                                countText(campaign.failed, "job"), campaign.firstFailure, study,
                                campaign.firstFailed));
    CompressStep compression;
    compression.holdOuts = holdOuts;
    compression.keepGoing = true;
    compression.context = executionContext(global);
    const auto report = compressStep(writer, compression);
    closeStudy(writer);
    if (report.holdOuts.failed > 0)
        throw Error(fmt::format("{} of the sample failed ({})",
                                countText(report.holdOuts.failed, "hold-out run"),
                                report.holdOuts.firstFailure));
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    const auto made = openStudy(out);
    if (global.json) {
        auto document = infoJson(made);
        document["seconds"] = seconds;
        document["execution"] = executionJson(global, ComputedOn::cpu());
        printJson(document);
        return;
    }
    printText(fmt::format("made {} in {}\n\n{}\nnext:\n"
                          "  gridhelm-cli eval {} --at {} --field {} --out {}.vti\n"
                          "  gridhelm-cli grow {} --level {}\n",
                          out.string(), durationText(seconds), infoText(made), study, sample.at,
                          sample.field, sample.name, study, plan.description.level + 1));
}

} // namespace

void addSampleCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "sample", "Make a study to play with: real runs, compressed, with measured errors");
    const auto options = std::make_shared<SampleOptions>();
    command.add_option("name", options->name, "cavity, plate or folds")
        ->required()
        ->type_name("NAME");
    command.add_option("--out", options->out, "The study to make; NAME.gridhelm by default")
        ->type_name("FILE");
    command.add_option("--save-plan", options->plan, "Also write its plan, to begin your own with")
        ->type_name("FILE.toml");
    command.footer(R"(
Each takes less than a minute on two cores, and uses all cores there are (--threads).

Examples:
  gridhelm-cli sample plate
  gridhelm-cli sample cavity --out cavity.gridhelm --save-plan cavity.toml)");
    command.callback([&global, options] { runSample(global, *options); });
}

} // namespace gridhelm::cli
