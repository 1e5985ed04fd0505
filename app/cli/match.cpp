// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer_study.h"
#include "app/cli/execution.h"
#include "app/cli/interruption.h"
#include "app/cli/next_step.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "core/answers/posterior.h"
#include "core/answers/uncertainty.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "core/support/parse_numbers.h"
#include "data/answers/study_match.h"
#include "data/mesh/place_samples.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace gridhelm::cli {
namespace {

struct MatchOptions
{
    std::string study;
    std::string measurements;
    InputOptions inputs;
    std::string samples = "100000";
    std::string seed = "1";
    std::string csv;
    bool bestOnly = false;
};

/// What is matched, and how it is told.
struct Matched : data::StudyMatch
{
    data::Study study;

    const ParameterSpace &space() const { return study.description().space; }
};

Matched matchedBy(const GlobalOptions &global, const MatchOptions &options)
{
    auto study = openStudy(options.study);
    const auto &space = study.description().space;
    auto measurements = data::readMeasurements(options.measurements, study);
    data::holdFixed(measurements, space, fixedOf(space, options.inputs.fixed), "--fix");
    auto match = data::matchOf(study, std::move(measurements), data::samplesOf(study),
                               answersContext(global));
    return {std::move(match), std::move(study)};
}

nlohmann::json fitJson(const Matched &matched, const answers::BestFit &fit)
{
    const auto values = matched.space().fromUnit(fit.x);
    nlohmann::json document{{"chi_square", fit.chiSquare},
                            {"measurements", matched.matching->measurements()},
                            {"starts", fit.starts},
                            {"starts_that_agree", fit.startsThatAgree},
                            {"at", nlohmann::json::object()},
                            {"determined", nlohmann::json::object()},
                            {"residuals", nlohmann::json::array()}};
    const auto &unknowns = matched.matching->unknowns();
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
        const auto &name = matched.space()[unknowns[k]].name;
        document["at"][name] = values[unknowns[k]];
        document["determined"][name] = static_cast<bool>(fit.isDetermined[k]);
    }
    const auto predicted = matched.matching->predicted(fit.x);
    const auto residuals = matched.matching->residuals(fit.x);
    for (std::size_t i = 0; i < predicted.size(); ++i)
        document["residuals"].push_back({{"line", matched.measurements[i].line},
                                         {"measured", matched.measurements[i].value},
                                         {"predicted", predicted[i]},
                                         {"deviations", residuals[i]}});
    return document;
}

void writePosterior(const ParameterSpace &space, const answers::Posterior &posterior,
                    const std::string &path)
{
    // Of a number its text, of 20 characters, and the value, both in what grows to twice its size.
    requireMemory(56.0 * static_cast<double>(posterior.values[0].size())
                      * static_cast<double>(posterior.unknowns.size()),
                  fmt::format("a table of {} samples", posterior.values[0].size()),
                  "take fewer --samples, or leave --csv out");
    std::string table;
    std::vector<std::vector<double>> columns;
    for (std::size_t k = 0; k < posterior.unknowns.size(); ++k) {
        table += (k == 0 ? "" : ",") + space[posterior.unknowns[k]].name;
        columns.push_back(data::posteriorSamples(space, posterior, k));
    }
    table += "\n";
    for (std::size_t i = 0; i < columns[0].size(); ++i)
        for (std::size_t k = 0; k < columns.size(); ++k)
            table += fmt::format("{}{}", columns[k][i], k + 1 == columns.size() ? "\n" : ",");
    writeText(path, table);
}

struct Told
{
    nlohmann::json document;
    std::string text;
};

Told tellPosterior(const ParameterSpace &space, const answers::Posterior &posterior)
{
    Told told{{{"samples", posterior.values[0].size()},
               {"acceptance", posterior.acceptance},
               {"has_converged", posterior.hasConverged},
               {"parameters", nlohmann::json::object()}},
              {}};
    const std::vector shares{0.025, 0.5, 0.975};
    for (std::size_t k = 0; k < posterior.unknowns.size(); ++k) {
        const auto &parameter = space[posterior.unknowns[k]];
        const auto spread = answers::spreadOf(data::posteriorSamples(space, posterior, k), shares,
                                              std::nullopt, 30);
        told.document["parameters"][parameter.name] = {
            {"mean", spread.mean},
            {"deviation", spread.deviation},
            {"low", spread.percentiles[0]},
            {"median", spread.percentiles[1]},
            {"high", spread.percentiles[2]},
            {"r_hat", posterior.rHats[k]},
            {"effective_samples", posterior.effective[k]},
            {"left_over", posterior.leftOver[k]},
            {"histogram",
             {{"low", spread.histogram.low},
              {"high", spread.histogram.high},
              {"counts", spread.histogram.counts}}}};
        told.text +=
            fmt::format("{}: {} (95 %: {} to {}); R-hat {:.3f}, {:.0f} independent samples{}\n",
                        parameter.name, withUnit(spread.percentiles[1], parameter.unit),
                        withUnit(spread.percentiles[0], parameter.unit),
                        withUnit(spread.percentiles[2], parameter.unit), posterior.rHats[k],
                        posterior.effective[k],
                        posterior.leftOver[k] > 0.9 ? "; the measurements tell nothing of it" : "");
    }
    if (!posterior.hasConverged)
        told.text +=
            "the chains have not converged (R-hat below 1.01, and 400 independent samples of "
            "each): take more --samples\n";
    return told;
}

void runMatch(const GlobalOptions &global, const MatchOptions &options)
{
    const Interruption interruption; // before there are other threads
    if (!options.csv.empty() && options.bestOnly)
        throw Error("--csv is for samples of the posterior, and --best-only takes none: leave one "
                    "of them out");
    if (!options.csv.empty()) {
        requireOtherFile(options.csv, {options.study, options.measurements});
        requireWritable(options.csv);
    }
    const auto matched = [&] {
        // Reading asks nobody whether to go on; nothing is written yet that would stay half done.
        const std::stop_callback atOnce(interruption.token(), [] { std::_Exit(130); });
        return matchedBy(global, options);
    }();
    const auto &space = matched.space();
    const auto inputs = inputsOf(space, options.inputs);
    const auto fixed = fixedOf(space, options.inputs.fixed);
    answers::PosteriorOptions how;
    how.samples = parseIndex(options.samples, "--samples");
    if (how.samples < 1000 || how.samples > 100'000'000)
        throw Error("--samples: take 1000 to 100000000");
    how.seed = parseIndex(options.seed, "--seed");
    how.cpu = answersContext(global).cpu();
    how.stop = [&] { return interruption.happened(); };
    const auto fit =
        answers::bestFit(*matched.matching, 8, how.seed, {}, answers::boxOf(inputs), how.stop);
    if (fit.cancelled)
        throw EarlyEnd{130};
    std::optional<answers::Posterior> posterior;
    if (!options.bestOnly) {
        posterior = answers::samplePosterior(*matched.matching, inputs, how);
        if (posterior->cancelled)
            throw EarlyEnd{130};
    }
    auto document = fitJson(matched, fit);
    std::string text = "best fit:";
    for (const auto &[name, value] : document["at"].items())
        text += fmt::format(" {}={:.6g}", name, value.get<double>());
    text += fmt::format(" (chi-square {:.4g} of {}; {} of {} starts ended there)\n", fit.chiSquare,
                        countText(matched.measurements.size(), "measurement"), fit.startsThatAgree,
                        fit.starts);
    document["doubts"] = data::matchDoubts(matched, space, fit, posterior ? &*posterior : nullptr,
                                           howToMeasure(matched.study));
    for (const auto &sentence : document["doubts"])
        text += sentence.get<std::string>() + "\n";
    if (posterior) {
        auto told = tellPosterior(space, *posterior);
        document["posterior"] = std::move(told.document);
        text += told.text;
        if (!options.csv.empty()) {
            writePosterior(space, *posterior, options.csv);
            text += fmt::format(
                "wrote {}; predictions with it: gridhelm-cli uncertainty {} --inputs {}",
                options.csv, shellText(options.study), shellText(options.csv));
            for (std::size_t t = 0; t < fixed.size(); ++t)
                if (fixed[t])
                    text += fmt::format(" --fix {}={}", space[t].name, *fixed[t]);
            text += "\n";
        }
    }
    document["execution"] = executionJson(global, ComputedOn::cpu());
    if (global.json)
        printJson(document);
    else
        printText(text);
}

} // namespace

void addMatchCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "match", "Calibration: which parameters explain what was measured, and how surely");
    const auto options = std::make_shared<MatchOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    command.add_option("measurements", options->measurements, "What was measured")
        ->required()
        ->type_name("FILE.csv");
    addInputOptions(command, options->inputs, false);
    command.add_option("--samples", options->samples, "Of the posterior")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--seed", options->seed, "Of these")->type_name("N")->capture_default_str();
    command.add_option("--csv", options->csv, "Write the samples of the posterior")
        ->type_name("FILE.csv");
    command.add_flag("--best-only", options->bestOnly, "The best fit alone, at once");
    command.footer(R"(
The file's first line names its columns: value and sd (its standard deviation), and either response (a
name that "responses" lists) or quantity (a field, or a formula of fields) with x, y, z. A column with
a parameter's name has values of it that were known, the time for instance ("parameter.x" if it is called
as one of these). A column unit is compared
with the study's.

First the best fit; then samples of all parameters that explain the measurements, as often as they
are likely, with the surrogate's validation errors added to the measurements' errors. --input is
what was known before; the best fit is the one inside of its ends, whatever is likelier there.

Example, after "gridhelm-cli sample plate":
  printf '%s\n' quantity,x,y,z,value,sd temperature,0.3,0.6,0,22.6,0.2 temperature,0.7,0.2,0,7.4,0.2 \
    temperature,0.2,0.3,0,17.3,0.2 temperature,0.6,0.7,0,17.4,0.2 > sensors.csv
  gridhelm-cli match plate.gridhelm sensors.csv --csv posterior.csv
  gridhelm-cli uncertainty plate.gridhelm --inputs posterior.csv)");
    command.callback([&global, options] { runMatch(global, *options); });
}

} // namespace gridhelm::cli
