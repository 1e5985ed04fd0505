// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer_study.h"

#include "app/cli/execution.h"
#include "app/cli/study_console.h"
#include "core/answers/sample_points.h"
#include "core/support/csv_line.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "core/support/value_file.h"
#include "data/evaluate/error_bands.h"
#include "data/mesh/place_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace gridhelm::cli {

namespace {

constexpr std::string_view ofAParameter = ", with the name of a parameter";

/// The column of that name; the file may have others, as the posterior of "match" has.
std::vector<double> columnOf(const std::string &path, const std::string &name)
{
    std::vector<double> values;
    std::optional<std::size_t> column;
    forEachLine(path, [&](std::string_view line, std::uint64_t number) {
        if (number == 1 && line.starts_with("\xEF\xBB\xBF"))
            line.remove_prefix(3);
        const auto where = fmt::format("line {} of {}", number, path);
        const auto cells = csvCells(trimmed(line), where);
        if (!column) {
            if (cells.size() == 1 && cells[0].find(';') != std::string::npos)
                throw Error(where
                            + " has its columns between semicolons: write commas between "
                              "columns, and points in numbers");
            const auto found = std::ranges::find(cells, name);
            if (found == cells.end())
                throw Error(fmt::format("{} names no column {}: let it do so", where, name));
            column = static_cast<std::size_t>(found - cells.begin());
            return;
        }
        if (cells.size() <= *column)
            throw Error(fmt::format("{} has no {}: give one in each line", where, name));
        values.push_back(parseReal(cells[*column], where));
    });
    return values;
}

void addCorrelation(answers::Inputs &inputs, const ParameterSpace &space, const std::string &typed)
{
    const auto [names, number] = assignment(typed, "--correlate");
    const auto comma = names.find(',');
    if (comma == std::string::npos)
        throw Error(
            fmt::format("--correlate {}: write a,b=0.5, with the names of two parameters", typed));
    const auto d = static_cast<std::size_t>(space.dimension());
    const auto a = space.indexOf(trimmed(std::string_view(names).substr(0, comma)));
    const auto b = space.indexOf(trimmed(std::string_view(names).substr(comma + 1)));
    if (a == b)
        throw Error(
            fmt::format("--correlate {}: a parameter goes with itself anyway; name two", typed));
    if (inputs.rankCorrelations.empty()) {
        inputs.rankCorrelations.assign(d * d, 0.0);
        for (std::size_t t = 0; t < d; ++t)
            inputs.rankCorrelations[t * d + t] = 1;
    }
    if (inputs.rankCorrelations[a * d + b] != 0)
        throw Error(fmt::format("--correlate {}: that pair is given twice; say once how it goes "
                                "together",
                                typed));
    for (const auto &joint : inputs.joint)
        for (const auto t : joint.parameters)
            if (t == a || t == b)
                throw Error(fmt::format("--correlate {}: {} goes with others as the rows of its "
                                        "file do; leave that out",
                                        typed, space[t].name));
    const double r = parseReal(number, "--correlate");
    inputs.rankCorrelations[a * d + b] = r;
    inputs.rankCorrelations[b * d + a] = r;
}

} // namespace

std::pair<std::string, std::string> assignment(const std::string &typed, std::string_view option,
                                               std::string_view whose)
{
    const auto equals = typed.find('=');
    if (equals == std::string::npos)
        throw Error(fmt::format("{} {}: write name=...{}", option, typed, whose));
    return {std::string(trimmed(std::string_view(typed).substr(0, equals))),
            typed.substr(equals + 1)};
}

std::vector<std::optional<double>> fixedOf(const ParameterSpace &space, const std::string &typed)
{
    std::vector<std::optional<double>> values(space.parameters().size());
    for (std::string_view rest = typed; !rest.empty();) {
        const auto comma = rest.find(',');
        const auto [name, text] =
            assignment(std::string(rest.substr(0, comma)), "--fix", ofAParameter);
        auto &value = values[space.indexOf(name)];
        if (value)
            throw Error(fmt::format("{} is given twice: say once where it is held", name));
        value = parseReal(text, "--fix");
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    return values;
}

void addInputOptions(CLI::App &command, InputOptions &options, bool withCorrelations)
{
    command
        .add_option("--input", options.inputs,
                    "How a parameter's values are distributed (may be repeated); uniform over its "
                    "range if nothing is said")
        ->type_name("NAME=normal(400,50)")
        ->expected(1)
        ->take_all();
    command
        .add_option(
            "--input-csv", options.samples,
            "The same by samples: a CSV with a column of the parameter's name (may be repeated; "
            "columns of one file stay together, row by row)")
        ->type_name("NAME=FILE.csv")
        ->expected(1)
        ->take_all();
    command.add_option("--fix", options.fixed, "Parameters that are held at a value")
        ->type_name("t=2.5");
    if (withCorrelations)
        command
            .add_option("--correlate", options.correlations,
                        "Rank correlation of two parameters (may be repeated)")
            ->type_name("a,b=0.5")
            ->expected(1)
            ->take_all();
}

namespace {

/// Columns of one file, of which one row is drawn for all of them.
class ColumnsOfFiles
{
public:
    void add(const std::string &path, std::size_t parameter, std::vector<double> values)
    {
        const auto file = std::ranges::find_if(m_files, [&](const auto &known) {
            std::error_code failed;
            return known.first == path || std::filesystem::equivalent(known.first, path, failed);
        });
        auto &joint =
            file == m_files.end() ? m_files.emplace_back(path, answers::JointSamples()) : *file;
        joint.second.parameters.push_back(parameter);
        joint.second.columns.push_back(std::move(values));
    }
    /// Those of which there are several.
    std::vector<answers::JointSamples> joint()
    {
        std::vector<answers::JointSamples> several;
        for (auto &[path, samples] : m_files)
            if (samples.parameters.size() > 1)
                several.push_back(std::move(samples));
        return several;
    }

private:
    std::vector<std::pair<std::string, answers::JointSamples>> m_files;
};

} // namespace

answers::Inputs inputsOf(const ParameterSpace &space, const InputOptions &options)
{
    auto inputs = answers::uniformInputs(space);
    std::vector<bool> isSaid(inputs.distributions.size());
    const auto say = [&](const std::string &name, answers::InputDistribution distribution) {
        const auto t = space.indexOf(name);
        if (isSaid[t])
            throw Error(
                fmt::format("{} is given twice: say once how it is distributed, or where it "
                            "is held",
                            name));
        isSaid[t] = true;
        inputs.distributions[t] = std::move(distribution);
    };
    for (const auto &typed : options.inputs) {
        const auto [name, text] = assignment(typed, "--input", ofAParameter);
        say(name, answers::InputDistribution::parse(text, space[space.indexOf(name)]));
    }
    ColumnsOfFiles columns;
    for (const auto &typed : options.samples) {
        const auto [name, path] = assignment(typed, "--input-csv", ofAParameter);
        const auto t = space.indexOf(name);
        auto values = columnOf(path, name);
        say(name, answers::InputDistribution::ofSamples(values, space[t]));
        columns.add(path, t, std::move(values));
    }
    inputs.joint = columns.joint();
    const auto fixed = fixedOf(space, options.fixed);
    for (std::size_t t = 0; t < fixed.size(); ++t)
        if (fixed[t])
            say(space[t].name, answers::InputDistribution::ofSamples({*fixed[t]}, space[t]));
    for (const auto &typed : options.correlations)
        addCorrelation(inputs, space, typed);
    answers::requireCorrelations(inputs);
    return inputs;
}

nlohmann::json inputsJson(const ParameterSpace &space, const answers::Inputs &inputs)
{
    auto document = nlohmann::json::object();
    for (std::size_t t = 0; t < inputs.distributions.size(); ++t)
        document[space[t].name] = inputs.distributions[t].text();
    return document;
}

std::size_t AnswerStudy::indexOf(const std::string &name) const
{
    std::vector<data::ResponseDefinition> definitions;
    for (const auto &response : responses)
        definitions.push_back(response.definition);
    return data::responseIndex(definitions, name);
}

AnswerStudy openAnswers(const GlobalOptions &global, const std::string &path,
                        const std::vector<std::string> &names)
{
    AnswerStudy opened{openStudy(path), {}, {}};
    data::requireFieldsOnMesh(opened.study);
    const auto all = opened.study.responses();
    std::vector<data::ResponseDefinition> chosen;
    for (const auto &name : names)
        chosen.push_back(all[data::responseIndex(all, name)]);
    if (names.empty())
        chosen = all;
    if (chosen.empty())
        throw Error(
            fmt::format("the study has no responses yet: say which number you are after, for "
                        "instance: gridhelm-cli responses {} --add peak --of {} --reduce "
                        "maximum",
                        shellText(path),
                        opened.study.fields().empty() ? "FIELD" : opened.study.fields()[0].name));
    opened.responses = data::studyResponses(opened.study, chosen, data::samplesOf(opened.study),
                                            answersContext(global));
    opened.model = std::make_shared<answers::ResponseModel>(data::together(opened.responses));
    return opened;
}

void addResponseOption(CLI::App &command, std::vector<std::string> &names)
{
    command
        .add_option("--response", names,
                    "This response alone (may be repeated; \"responses\" lists them)")
        ->type_name("NAME")
        ->expected(1)
        ->take_all();
}

std::string withUnit(double value, const std::string &unit)
{
    return unit.empty() ? fmt::format("{:.5g}", value) : fmt::format("{:.5g} {}", value, unit);
}

std::string errorText(const data::StudyResponse &response, const std::string &study)
{
    if (!response.band)
        return fmt::format(
            "how far that may be off was not measured; to know: gridhelm-cli compress "
            "{} --holdout 20",
            shellText(study));
    return fmt::format("at most {} off, for {} (calibrated at {})",
                       withUnit(response.band->offset, response.definition.unit),
                       data::placesText(*response.band),
                       countText(response.band->holdOuts, "hold-out"));
}

nlohmann::json responseJson(const data::StudyResponse &response)
{
    const auto &definition = response.definition;
    nlohmann::json document{{"name", definition.name},
                            {"unit", definition.unit},
                            {"of", definition.expression},
                            {"reduce", definition.reduction},
                            {"place", definition.place},
                            {"way", data::toString(response.way)},
                            {"error", nullptr}};
    if (response.band)
        document["error"] = {{"at_most", response.band->offset},
                             {"coverage", response.band->coverage},
                             {"hold_outs", response.band->holdOuts}};
    for (const auto &error : response.errors)
        document["measured_rms"][error.way] = error.rms;
    return document;
}

nlohmann::json placeJson(const ParameterSpace &space, std::span<const double> values)
{
    auto document = nlohmann::json::object();
    for (std::size_t t = 0; t < values.size(); ++t)
        document[space[t].name] = values[t];
    return document;
}

} // namespace gridhelm::cli
