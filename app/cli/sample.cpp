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
#include "data/evaluate/hold_out_places.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

namespace gridhelm::cli {
namespace {

struct SampleOptions
{
    std::string name;
    std::string out;
    std::string plan;
};

/// Whether nothing is left to be done of what makes a sample.
bool isFinished(const data::Study &study)
{
    using data::CoefficientState, data::JobState;
    const auto &fields = study.fields();
    if (fields.empty() || study.errorFigures().empty())
        return false;
    const auto jobs = study.jobs();
    if (!std::ranges::all_of(
            jobs, [](JobState state) { return state == JobState::done; }, &data::Job::state))
        return false;
    for (data::FieldIndex field = 0; field < fields.size(); ++field) {
        const auto states = study.coefficientStates(field);
        if (!std::ranges::all_of(states,
                                 [](auto state) { return state == CoefficientState::final; }))
            return false;
    }
    return true;
}

/// What the sample still needs; none: it is there, or its owner has made it grow, and it is theirs
/// to go on with. Throws gridhelm::Error if the file is something else.
std::optional<data::StudyWriter> openToGoOn(const std::filesystem::path &path,
                                            const data::Plan &plan)
{
    {
        const auto study = openStudy(path);
        const auto &there = study.description();
        if (there.simulation != plan.description.simulation)
            throw Error(fmt::format("{} exists already and is not this sample: choose another name "
                                    "with --out, or remove the file first",
                                    path.string()));
        if (there.level != plan.description.level || isFinished(study))
            return std::nullopt;
    }
    return data::StudyWriter::open(path);
}

/// Who has computed.
ComputedOn makeSample(const GlobalOptions &global, data::StudyWriter &writer)
{
    RunStep runs;
    runs.jobs = threadCount(global);
    runs.retryFailed = true;
    runs.keepGoing = true; // nobody is to correct a sample
    const auto campaign = runStep(writer, runs);
    if (campaign.failed > 0)
        throw Error(fmt::format("{} of the sample failed ({}); read its log with: gridhelm-cli "
                                "info {} --log {}",
                                countText(campaign.failed, "job"), campaign.firstFailure,
                                shellText(writer.path()), campaign.firstFailed));
    CompressStep compression;
    compression.holdOuts = data::sensibleHoldOuts(writer.jobs().size());
    compression.keepGoing = true;
    const auto devices = studyDevices(global);
    compression.context = devices.context;
    compression.backend = devices.backend;
    const auto report = compressStep(writer, compression);
    closeStudy(writer);
    if (report.holdOuts.failed > 0)
        throw Error(fmt::format("{} of the sample failed ({})",
                                countText(report.holdOuts.failed, "validation run"),
                                report.holdOuts.firstFailure));
    return withCpu(report.computedOn);
}

void runSample(const GlobalOptions &global, const SampleOptions &options)
{
    const auto &sample = data::builtInSample(options.name);
    if (!options.plan.empty())
        writeText(options.plan, sample.plan);
    const std::filesystem::path out =
        options.out.empty() ? options.name + ".gridhelm" : options.out;
    const auto plan = data::parsePlan(sample.plan, options.name, std::filesystem::current_path());
    const auto cost = data::costOf(plan, plan.description.space, plan.description.level);
    const auto started = std::chrono::steady_clock::now();
    const auto say = [&global](const std::string &sentence) {
        if (!global.json)
            printText(sentence);
        flushOutput();
    };
    std::optional<data::StudyWriter> writer;
    if (std::filesystem::exists(out)) {
        writer = openToGoOn(out, plan);
        if (writer)
            say(fmt::format("{} was not finished; going on with it\n", out.string()));
    } else {
        std::string note;
        writer = data::createStudy(out, plan, note);
        printNote(note);
        say(fmt::format("{}: {} in {}, about {}; running them\n", plan.description.title,
                        countText(cost.points, "point"), countText(cost.jobs, "job"),
                        bytesText(cost.bytes)));
    }
    const bool isNew = writer.has_value();
    ComputedOn where;
    if (isNew)
        where = makeSample(global, *writer);
    writer.reset();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    const auto made = openStudy(out);
    if (global.json) {
        auto document = infoJson(made);
        document["seconds"] = seconds;
        document["execution"] = executionJson(global, withCpu(where));
        printJson(document);
        return;
    }
    const auto study = shellText(out);
    const auto head = isNew ? fmt::format("made {} in {}", out.string(), durationText(seconds))
                            : fmt::format("{} is there already and stays as it is", out.string());
    printText(fmt::format("{}\n\n{}\nnext:\n"
                          "  gridhelm-cli eval {} --at {} --field {} --out {}.vti\n"
                          "  gridhelm-cli grow {} --level {}\n",
                          head, infoText(made), study, sample.at, sample.field, sample.name, study,
                          made.description().level + 1));
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
Each takes less than a minute on two cores, and uses all cores there are (--threads). One that was
stopped goes on where it was; one that is there stays as it is.

Examples:
  gridhelm-cli sample plate
  gridhelm-cli sample cavity --out cavity.gridhelm --save-plan cavity.toml)");
    command.callback([&global, options] { runSample(global, *options); });
}

} // namespace gridhelm::cli
