// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer_maps.h"
#include "app/cli/answer_study.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "app/machine/map_devices.h"
#include "core/answers/shapley_effects.h"
#include "core/answers/sobol_indices.h"
#include "core/answers/sobol_maps.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

namespace gridhelm::cli {
namespace {

struct SobolOptions
{
    std::string study;
    std::vector<std::string> responses;
    InputOptions inputs;
    std::string samples;
    std::string seed = "1";
    std::string field;
    std::string output;
    bool isShapley = false;
};

/// Where indices are not exact.
std::size_t samplesOf(const SobolOptions &options, bool isSlow)
{
    if (options.samples.empty())
        return options.isShapley ? answers::usualShapleySamples(isSlow)
                                 : answers::usualSobolSamples(isSlow);
    const auto samples = parseIndex(options.samples, "--samples");
    if (samples > mostSamples)
        throw Error(
            fmt::format("{} samples are not possible: take {} at most", samples, mostSamples));
    return samples;
}

nlohmann::json indicesJson(const ParameterSpace &space, const answers::SobolIndices &indices)
{
    nlohmann::json document{{"mean", indices.mean},
                            {"variance", indices.variance},
                            {"is_constant", indices.isConstant},
                            {"is_exact", indices.isExact},
                            {"first", placeJson(space, indices.first)},
                            {"total", placeJson(space, indices.total)}};
    if (!indices.isExact) {
        document["evaluations"] = indices.evaluations;
        document["first_error"] = placeJson(space, indices.firstErrors);
        document["total_error"] = placeJson(space, indices.totalErrors);
        return document;
    }
    const auto d = indices.first.size();
    document["pairs"] = nlohmann::json::array();
    for (std::size_t s = 0; s < d; ++s)
        for (std::size_t t = s + 1; t < d; ++t)
            document["pairs"].push_back({{"parameters", {space[s].name, space[t].name}},
                                         {"share", indices.pairs[s * d + t]}});
    return document;
}

/// "average: 12.3 K on average", and why there is nothing more to say, or what follows.
std::string varianceText(const data::StudyResponse &response, double mean, double variance,
                         bool isConstant, const std::string &shares)
{
    const auto &unit = response.definition.unit;
    auto text = fmt::format("{}: {} on average", response.definition.name,
                            withUnit(mean, unit, response.digits));
    if (isConstant)
        return text + ", and the same whatever the parameters: there is nothing to share out\n";
    return text
           + fmt::format(", standard deviation {}; {}:\n", withUnit(std::sqrt(variance), unit),
                         shares);
}

std::string howSure(bool isExact, std::size_t evaluations)
{
    return isExact ? "exact for the surrogate"
                   : fmt::format("by {} evaluations, with standard errors", evaluations);
}

std::string shareText(double share, const std::vector<double> &errors, std::size_t t)
{
    return errors.empty() ? fmt::format("{:7.4f}", share)
                          : fmt::format("{:7.4f} +- {:.4f}", share, errors[t]);
}

std::string surrogateText(const data::StudyResponse &response, double variance)
{
    if (response.errors.empty())
        return {};
    return fmt::format("  the surrogate is {:.2g} % of that deviation off at validation points "
                       "(root mean square)\n",
                       100 * response.errors[0].rms / std::sqrt(variance));
}

std::string indicesText(const ParameterSpace &space, const data::StudyResponse &response,
                        const answers::SobolIndices &indices)
{
    auto text = varianceText(
        response, indices.mean, indices.variance, indices.isConstant,
        fmt::format("shares of its variance ({})", howSure(indices.isExact, indices.evaluations)));
    if (indices.isConstant)
        return text;
    for (std::size_t t = 0; t < indices.first.size(); ++t)
        text += fmt::format("  {:<16} first-order {}   total {}\n", space[t].name,
                            shareText(indices.first[t], indices.firstErrors, t),
                            shareText(indices.total[t], indices.totalErrors, t));
    return text + surrogateText(response, indices.variance);
}

nlohmann::json effectsJson(const ParameterSpace &space, const answers::ShapleyEffects &effects)
{
    nlohmann::json document{{"mean", effects.mean},
                            {"variance", effects.variance},
                            {"is_constant", effects.isConstant},
                            {"is_exact", effects.isExact},
                            {"shapley", placeJson(space, effects.effects)}};
    if (!effects.isExact) {
        document["evaluations"] = effects.evaluations;
        document["shapley_error"] = placeJson(space, effects.errors);
    }
    return document;
}

std::string effectsText(const ParameterSpace &space, const data::StudyResponse &response,
                        const answers::ShapleyEffects &effects)
{
    auto text = varianceText(response, effects.mean, effects.variance, effects.isConstant,
                             fmt::format("Shapley effects, which add up to 1 ({})",
                                         howSure(effects.isExact, effects.evaluations)));
    if (effects.isConstant)
        return text;
    for (std::size_t t = 0; t < effects.effects.size(); ++t)
        text += fmt::format("  {:<16} {}\n", space[t].name,
                            shareText(effects.effects[t], effects.errors, t));
    return text + surrogateText(response, effects.variance);
}

/// What is said of one response: a part of the document, and text.
std::pair<nlohmann::json, std::string>
influenceOf(const GlobalOptions &global, const SobolOptions &options, const ParameterSpace &space,
            const answers::Inputs &inputs, const data::StudyResponse &response)
{
    const auto samples = samplesOf(options, !response.model->functions().empty());
    const auto seed = parseIndex(options.seed, "--seed");
    const auto cpu = answersContext(global).cpu();
    if (options.isShapley) {
        const auto effects = answers::shapleyEffects(*response.model, inputs, samples, seed, cpu);
        return {effectsJson(space, effects), effectsText(space, response, effects)};
    }
    const auto indices = answers::sobolIndices(*response.model, inputs, samples, seed, cpu).front();
    return {indicesJson(space, indices), indicesText(space, response, indices)};
}

void writeSobolMaps(const GlobalOptions &global, const SobolOptions &options)
{
    requireOtherFile(options.output, {options.study});
    requireWritable(options.output);
    const auto study = openStudy(options.study);
    const auto &space = study.description().space;
    const auto inputs = inputsOf(space, options.inputs);
    const data::FieldRows loaded(study, options.field);
    const auto execution = mapExecution(global);
    const auto &context = execution.context;
    const auto cpu = context.cpu();
    const auto begin = std::chrono::steady_clock::now();
    const auto covariances =
        answers::weightCovariances(loaded.surrogate(), inputs, samplesOf(options, false),
                                   parseIndex(options.seed, "--seed"), cpu);
    const auto maps = answers::sobolMaps(covariances, loaded.matrix(),
                                         app::squareSummer(context, execution.isGpuAskedFor));
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    auto variance = maps.variance; // a square
    for (float &each : variance)
        each *= static_cast<float>(loaded.field().scale);
    std::vector<NamedMap> named{
        {options.field + "_mean", maps.mean, NamedMap::Of::values},
        {options.field + "_variance", std::move(variance), NamedMap::Of::differences}};
    for (std::size_t t = 0; t < maps.first.size(); ++t) {
        named.push_back({options.field + "_first_" + space[t].name, maps.first[t]});
        named.push_back({options.field + "_total_" + space[t].name, maps.total[t]});
    }
    const auto presence =
        addPresence(study, loaded.field(), answers::samplePlaces(inputs, data::usualBodySamples, 1),
                    cpu, named);
    nlohmann::json document;
    const auto error = addErrorMap(study, loaded, context, named, document);
    writeMaps(study, loaded.field(), named, options.output);
    if (global.json) {
        document.update({{"field", options.field},
                         {"values", maps.mean.size()},
                         {"rows", covariances.rows},
                         {"is_exact", covariances.isExact},
                         {"inputs", inputsJson(space, inputs)},
                         {"file", options.output},
                         {"seconds", seconds},
                         {"execution", executionJson(global, withCpu(maps.computedOn))}});
        for (const auto &map : named)
            document["maps"].push_back(map.name);
        printJson(document);
        return;
    }
    printText(fmt::format("wrote mean, variance, and the first-order and total Sobol' indices of "
                          "each parameter at {} values to {} ({:.2g} s, {})\n",
                          maps.mean.size(), options.output, seconds,
                          covariances.isExact ? "exact for the surrogate" : "by samples")
              + presence + error);
}

void runSobol(const GlobalOptions &global, const SobolOptions &options)
{
    if (options.field.empty() != options.output.empty())
        throw Error("a map needs both: --map FIELD, and --out FILE to write it to");
    if (!options.field.empty()) {
        if (!options.responses.empty())
            throw Error("--map is of a field, --response of a number: give one of them");
        if (options.isShapley)
            throw Error("Shapley effects are of responses alone: leave --map or --shapley out");
        writeSobolMaps(global, options);
        return;
    }
    const auto opened = openAnswers(global, options.study, options.responses);
    const auto &space = opened.space();
    const auto inputs = inputsOf(space, options.inputs);
    nlohmann::json document{{"inputs", inputsJson(space, inputs)},
                            {"responses", nlohmann::json::array()}};
    std::string text;
    for (const auto &response : opened.responses) {
        const auto [said, sentences] = influenceOf(global, options, space, inputs, response);
        auto entry = responseJson(response);
        entry.update(said);
        document["responses"].push_back(entry);
        text += sentences;
        text += fmt::format("  {}\n", errorText(response, opened.study));
    }
    document["execution"] = executionJson(global, ComputedOn::cpu());
    if (global.json)
        printJson(document);
    else
        printText(text);
}

} // namespace

void addSobolCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "sobol", "Sensitivity: which parameters a response's variance comes from");
    const auto options = std::make_shared<SobolOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    addResponseOption(command, options->responses);
    addInputOptions(command, options->inputs, true);
    command
        .add_option(
            "--samples", options->samples,
            "Samples, where indices are not exact (kriging); 16384, or 2048 where a field has to "
            "be evaluated for each; with --shapley 8192 or 512 for each set of parameters")
        ->type_name("N");
    command.add_option("--seed", options->seed, "Of these")->type_name("N")->capture_default_str();
    command.add_flag("--shapley", options->isShapley,
                     "Instead: Shapley effects, which correlated parameters have, too");
    command.add_option("--map", options->field, "Instead: at every value of this field")
        ->type_name("FIELD");
    command.add_option("--out", options->output, "Where to write the maps")->type_name("FILE");
    command.footer(R"(
Of a sparse grid the indices are exact for the surrogate; of kriging they are by samples, with their
standard error. "first-order" is the share of the variance that would vanish on average if the
parameter were known, "total" what would remain if all others were known. That is for independent
parameters. With --correlate, ask for --shapley: what a parameter adds to what is known of the
response, on average over all orders in which parameters may become known; of independent ones
exactly, else by samples for each set of them.

Examples, after "gridhelm-cli sample plate" and "gridhelm-cli responses plate.gridhelm --add peak
--of temperature --reduce maximum --unit K":
  gridhelm-cli sobol plate.gridhelm
  gridhelm-cli sobol plate.gridhelm --input 'strength=normal(100,10)' --fix y=0.5
  gridhelm-cli sobol plate.gridhelm --correlate x,y=0.7 --shapley
  gridhelm-cli sobol plate.gridhelm --map temperature --out influence.vti

Maps are made by a GPU where the CPU would take longer than a second, or with --devices gpu.)");
    command.callback([&global, options] { runSobol(global, *options); });
}

} // namespace gridhelm::cli
