// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/uncertainty.h"
#include "app/cli/answer_maps.h"
#include "app/cli/answer_study.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>

namespace gridhelm::cli {
namespace {

struct UncertaintyOptions
{
    std::string study;
    std::vector<std::string> responses;
    InputOptions inputs;
    std::string samples;
    std::string seed = "1";
    std::string percentiles = "5,50,95";
    std::string above;
    std::string bins = "20";
    std::string field;
    std::string output;
    std::string csv;
};

/// Of a number its text, of 20 characters, and the value, both in what grows to twice its size.
constexpr double bytesInTables = 56;

/// What all of it is done with.
struct Asked
{
    std::vector<double> percentiles, shares;
    std::optional<double> threshold;
    std::size_t samples = 0;
};

Asked askedFor(const UncertaintyOptions &options, std::size_t usualSamples)
{
    Asked asked;
    parseReals(options.percentiles, "--percentiles", asked.percentiles);
    for (const double percentile : asked.percentiles) {
        if (!(percentile >= 0 && percentile <= 100))
            throw Error(
                fmt::format("there is no percentile {}: give numbers from 0 to 100", percentile));
        asked.shares.push_back(percentile / 100);
    }
    if (!std::ranges::is_sorted(asked.shares, std::ranges::less_equal()))
        throw Error("percentiles have to ascend: write them in that order, each once");
    if (!options.above.empty())
        asked.threshold = parseReal(options.above, "--above");
    asked.samples =
        options.samples.empty() ? usualSamples : parseIndex(options.samples, "--samples");
    if (asked.samples < 16 || asked.samples > mostSamples)
        throw Error(
            fmt::format("{} samples are not possible: take 16 to {}", asked.samples, mostSamples));
    return asked;
}

nlohmann::json spreadJson(const answers::Spread &spread, const Asked &asked)
{
    nlohmann::json document{{"mean", spread.mean},
                            {"deviation", spread.deviation},
                            {"low", spread.low},
                            {"high", spread.high},
                            {"percentiles", nlohmann::json::array()},
                            {"histogram",
                             {{"low", spread.histogram.low},
                              {"high", spread.histogram.high},
                              {"counts", spread.histogram.counts}}},
                            {"density", nullptr}};
    if (spread.density)
        document["density"] = {{"low", spread.density->low},
                               {"high", spread.density->high},
                               {"values", spread.density->values},
                               {"bandwidth", spread.density->bandwidth},
                               {"most_likely", spread.density->mostLikely}};
    for (std::size_t i = 0; i < asked.percentiles.size(); ++i)
        document["percentiles"].push_back(
            {{"percentile", asked.percentiles[i]}, {"value", spread.percentiles[i]}});
    if (spread.above)
        document["above"] = {{"threshold", *asked.threshold},
                             {"probability", spread.above->share},
                             {"low", spread.above->low},
                             {"high", spread.above->high}};
    return document;
}

/// "5th", "97.5th", "1st".
std::string ordinal(double number)
{
    const char *ending = "th";
    if (number == std::floor(number)) {
        const int whole = static_cast<int>(number), last = whole % 10;
        if (whole / 10 % 10 != 1 && last >= 1 && last <= 3)
            ending = last == 1 ? "st" : last == 2 ? "nd" : "rd";
    }
    return fmt::format("{}{}", number, ending);
}

std::string spreadText(const data::StudyResponse &response, const answers::Spread &spread,
                       const Asked &asked)
{
    const auto &unit = response.definition.unit;
    auto text = fmt::format(
        "{}: {} on average, standard deviation {}, from {} to {}\n", response.definition.name,
        withUnit(spread.mean, unit, response.digits), withUnit(spread.deviation, unit),
        withUnit(spread.low, unit, response.digits), withUnit(spread.high, unit, response.digits));
    if (spread.density)
        text += fmt::format("  most likely near {}\n",
                            withUnit(spread.density->mostLikely, unit, response.digits));
    for (std::size_t i = 0; i < asked.percentiles.size(); ++i)
        text += fmt::format("  {} percentile {}\n", ordinal(asked.percentiles[i]),
                            withUnit(spread.percentiles[i], unit, response.digits));
    if (spread.above)
        text += fmt::format(
            "  above {}: in {:.3g} % of cases ({:.3g} to {:.3g} %, from the number of "
            "samples)\n",
            withUnit(*asked.threshold, unit, response.digits), 100 * spread.above->share,
            100 * spread.above->low, 100 * spread.above->high);
    const auto most = std::max<std::size_t>(1, *std::ranges::max_element(spread.histogram.counts));
    const double width = (spread.histogram.high - spread.histogram.low)
                         / static_cast<double>(spread.histogram.counts.size());
    for (std::size_t bin = 0; bin < spread.histogram.counts.size(); ++bin)
        text += fmt::format(
            "  {:>12.{}g} |{}\n", spread.histogram.low + (static_cast<double>(bin) + 0.5) * width,
            response.digits, std::string(40 * spread.histogram.counts[bin] / most, '#'));
    return text;
}

void writeUncertaintyMaps(const GlobalOptions &global, const UncertaintyOptions &options)
{
    if (!options.responses.empty() || !options.csv.empty())
        throw Error("--map is of a field, --response and --csv of numbers: leave one of them out");
    requireOtherFile(options.output, {options.study});
    requireWritable(options.output);
    const auto asked = askedFor(options, 2048);
    if (asked.samples > 65'536)
        throw Error("maps are made of at most 65536 samples: take fewer");
    const auto study = openStudy(options.study);
    const auto &space = study.description().space;
    const auto inputs = inputsOf(space, options.inputs);
    const data::FieldRows loaded(study, options.field);
    const auto begin = std::chrono::steady_clock::now();
    const auto places =
        answers::samplePlaces(inputs, asked.samples, parseIndex(options.seed, "--seed"));
    auto threshold = asked.threshold; // as the rows are stored
    if (threshold)
        threshold = (*threshold - loaded.field().offset) / loaded.field().scale;
    const auto maps =
        answers::uncertaintyMaps(loaded.surrogate(), loaded.matrix(), places, asked.shares,
                                 threshold, answersContext(global).cpu());
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::vector<NamedMap> named{
        {options.field + "_mean", maps.mean, NamedMap::Of::values},
        {options.field + "_deviation", maps.deviation, NamedMap::Of::differences}};
    for (std::size_t i = 0; i < asked.percentiles.size(); ++i)
        named.push_back( // all digits: each name once
            {fmt::format("{}_p{}", options.field, asked.percentiles[i]), maps.percentiles[i],
             NamedMap::Of::values});
    if (asked.threshold)
        named.push_back(
            {fmt::format("{}_above_{:g}", options.field, *asked.threshold), maps.above});
    nlohmann::json document;
    const auto presence =
        addPresence(study, loaded.field(), places, answersContext(global).cpu(), named);
    const auto error = addErrorMap(study, loaded, answersContext(global), named, document);
    writeMaps(study, loaded.field(), named, options.output);
    if (global.json) {
        document.update({{"field", options.field},
                         {"values", maps.mean.size()},
                         {"samples", asked.samples},
                         {"inputs", inputsJson(space, inputs)},
                         {"file", options.output},
                         {"seconds", seconds},
                         {"execution", executionJson(global, ComputedOn::cpu())}});
        for (const auto &map : named)
            document["maps"].push_back(map.name);
        printJson(document);
        return;
    }
    printText(fmt::format("wrote {} maps of {} values from {} samples to {} ({:.2g} s)\n",
                          named.size(), maps.mean.size(), asked.samples, options.output, seconds)
              + presence + error);
}

void runUncertainty(const GlobalOptions &global, const UncertaintyOptions &options)
{
    if (options.field.empty() != options.output.empty())
        throw Error("a map needs both: --map FIELD, and --out FILE to write it to");
    if (!options.field.empty()) {
        writeUncertaintyMaps(global, options);
        return;
    }
    auto asked = askedFor(options, answers::usualSamples(false));
    const auto bins = parseIndex(options.bins, "--bins");
    if (bins < 1 || bins > 1000)
        throw Error("a histogram has 1 to 1000 bars: give such a number to --bins");
    if (!options.csv.empty()) {
        requireOtherFile(options.csv, {options.study});
        requireWritable(options.csv);
    }
    const auto opened = openAnswers(global, options.study, options.responses);
    const auto &space = opened.space();
    const auto inputs = inputsOf(space, options.inputs);
    if (options.samples.empty() && opened.isSlow())
        asked.samples = answers::usualSamples(true);
    if (!options.csv.empty())
        requireMemory(
            bytesInTables * static_cast<double>(asked.samples)
                * static_cast<double>(space.parameters().size() + opened.responses.size()),
            fmt::format("a table of {} samples", asked.samples),
            "take fewer --samples, or leave --csv out");
    const auto places =
        answers::samplePlaces(inputs, asked.samples, parseIndex(options.seed, "--seed"));
    const auto values = answers::responsesAt(*opened.model, places, answersContext(global).cpu());
    if (!options.csv.empty())
        writePlaces(opened, places, values, options.csv);
    nlohmann::json document{{"samples", asked.samples},
                            {"inputs", inputsJson(space, inputs)},
                            {"responses", nlohmann::json::array()},
                            {"execution", executionJson(global, ComputedOn::cpu())}};
    std::string text;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const auto spread = answers::spreadOf(values[k], asked.shares, asked.threshold, bins);
        auto entry = responseJson(opened.responses[k]);
        entry.update(spreadJson(spread, asked));
        document["responses"].push_back(entry);
        text += spreadText(opened.responses[k], spread, asked);
        text += fmt::format("  the surrogate: {}\n", errorText(opened.responses[k], opened.study));
    }
    if (global.json)
        printJson(document);
    else
        printText(text);
}

} // namespace

void addUncertaintyCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "uncertainty", "How sure: what the parameters' uncertainty makes of responses and fields");
    const auto options = std::make_shared<UncertaintyOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    addResponseOption(command, options->responses);
    addInputOptions(command, options->inputs, true);
    command
        .add_option("--samples", options->samples,
                    "Samples; 65536 for responses (4096 where a field has to be evaluated for "
                    "each), 2048 for maps")
        ->type_name("N");
    command.add_option("--seed", options->seed, "Of these")->type_name("N")->capture_default_str();
    command.add_option("--percentiles", options->percentiles, "Which")
        ->type_name("P,P")
        ->capture_default_str();
    command.add_option("--above", options->above, "How often it is above this, too")
        ->type_name("T");
    command.add_option("--bins", options->bins, "Bars of a histogram")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--csv", options->csv, "Write all samples with their responses")
        ->type_name("FILE.csv");
    command.add_option("--map", options->field, "Instead: at every value of this field")
        ->type_name("FIELD");
    command.add_option("--out", options->output, "Where to write the maps")->type_name("FILE");
    command.footer(R"(
--json has the density of each response, too: values at points evenly spread from low to high, both
of them among these; null where many cases have one and the same value, which has none.

Distributions are uniform, uniform(low,high), loguniform, loguniform(low,high) (every factor is as
likely as any other), normal(mean,deviation), lognormal(mu,sigma), either also with ,low,high to cut it
off there, triangular(low,mode,high), beta(a,b) and beta(a,b,low,high); all
inside of the parameter's range, since nothing is known outside. What the surrogate itself may be off
is said apart.

Examples, after "gridhelm-cli sample plate" and "gridhelm-cli responses plate.gridhelm --add peak
--of temperature --reduce maximum --unit K":
  gridhelm-cli uncertainty plate.gridhelm --input 'strength=normal(100,10)' --above 60
  gridhelm-cli uncertainty plate.gridhelm --correlate x,y=0.5 --csv samples.csv
  gridhelm-cli uncertainty plate.gridhelm --inputs posterior.csv   # what "match --csv" wrote
  gridhelm-cli uncertainty plate.gridhelm --map temperature --percentiles 5,95 --out spread.vti)");
    command.callback([&global, options] { runUncertainty(global, *options); });
}

} // namespace gridhelm::cli
