// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer_study.h"

#include "app/cli/execution.h"
#include "app/cli/next_step.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "core/answers/joint_inputs.h"
#include "core/answers/sample_points.h"
#include "core/support/csv_line.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "core/support/text_table.h"
#include "data/answers/default_responses.h"
#include "data/evaluate/error_bands.h"
#include "data/mesh/place_samples.h"
#include "data/study/study_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

namespace gridhelm::cli {

namespace {

constexpr std::string_view ofAParameter = ", with the name of a parameter";

/// The numbers of a column; the table may have others, as the posterior of "match" has.
std::vector<double> numbersOf(const TextTable &table, std::size_t column)
{
    std::vector<double> numbers;
    for (std::size_t row = 0; row < table.rows(); ++row)
        numbers.push_back(table.finiteNumber(row, column));
    return numbers;
}

std::vector<double> columnOf(const std::string &path, const std::string &name)
{
    const auto table = readTextTable(path);
    const auto column = table.find(name);
    if (!column)
        throw Error(fmt::format("{} names no column {}: let it do so", table.headerPlace(), name));
    return numbersOf(table, *column);
}

/// All columns that have names of parameters.
answers::JointSamples jointSamplesOf(const std::string &path, const ParameterSpace &space)
{
    const auto table = readTextTable(path);
    answers::JointSamples samples;
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        const auto column = table.find(space[t].name);
        if (!column)
            continue;
        samples.parameters.push_back(t);
        samples.columns.push_back(numbersOf(table, *column));
    }
    if (samples.parameters.empty())
        throw Error(fmt::format("{} names none of the study's parameters: name the columns after "
                                "them, as in {}",
                                table.headerPlace(), space[0].name));
    return samples;
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
            throw Error(fmt::format("{} is given twice: say once where it is fixed", name));
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
    command
        .add_option("--inputs", options.joint,
                    "Samples of several correlated parameters, row by row, as the posterior that "
                    "\"match\" writes: a CSV whose columns have their names")
        ->type_name("FILE.csv")
        ->expected(1)
        ->take_all();
    command.add_option("--fix", options.fixed, "Parameters that are fixed at a value")
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
    const auto claim = [&](const std::string &name) {
        const auto t = space.indexOf(name);
        if (isSaid[t])
            throw Error(fmt::format(
                "{} is given twice: say once how it is distributed, or where it is fixed", name));
        isSaid[t] = true;
        return t;
    };
    const auto say = [&](const std::string &name, answers::InputDistribution distribution) {
        inputs.distributions[claim(name)] = std::move(distribution);
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
    for (const auto &path : options.joint) {
        auto samples = jointSamplesOf(path, space);
        for (const auto t : samples.parameters)
            claim(space[t].name);
        answers::addJointSamples(inputs, space, std::move(samples));
    }
    for (const auto &typed : options.correlations)
        answers::addRankCorrelation(inputs, space, typed, "--correlate");
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

namespace {

AnswerStudy readAnswers(const GlobalOptions &global, const std::string &path,
                        const std::vector<std::string> &names)
{
    auto study = openStudy(path);
    auto space = data::answerSpace(study);
    AnswerStudy opened{std::move(study), {}, {}, std::move(space)};
    const auto all = data::responsesOf(opened.study);
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
    const auto samples = data::samplesOf(opened.study);
    if (names.empty())
        opened.responses =
            data::answerableResponses(opened.study, chosen, samples, answersContext(global));
    else // nothing may be missing
        opened.responses =
            data::studyResponses(opened.study, chosen, samples, answersContext(global));
    for (const auto &response : opened.responses)
        if (!response.problem.empty())
            opened.refused.push_back(response.problem);
    std::erase_if(opened.responses,
                  [](const data::StudyResponse &each) { return !each.problem.empty(); });
    if (opened.responses.empty())
        throw Error(opened.refused.front());
    return opened;
}

} // namespace

AnswerStudy openAnswers(const GlobalOptions &global, const std::string &path,
                        const std::vector<std::string> &names)
{
    auto opened = data::againIfChanged([&] { return readAnswers(global, path, names); });
    for (const auto &problem : opened.refused)
        printNote("left out: " + problem);
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

std::string withUnit(double value, const std::string &unit, int digits)
{
    return fmt::format("{:.{}g}{}{}", value, digits, unit.empty() ? "" : " ", unit);
}

std::string errorText(const data::StudyResponse &response, const data::Study &study)
{
    if (!response.whyUnmeasured.empty())
        return "how far that may be off is not measured: " + response.whyUnmeasured;
    if (response.leftOut)
        return fmt::format("leave-one-out error {} (90th percentile of {}, each predicted without "
                           "itself)",
                           withUnit(response.leftOut->error, response.definition.unit,
                                    data::StudyResponse::errorDigits),
                           countText(response.leftOut->residuals.size(), "run"));
    if (!response.band)
        return "how far that may be off was not measured; to know: " + howToMeasure(study);
    return fmt::format(
        "{} error bound {} (calibrated at {})", data::coverageText(*response.band),
        withUnit(response.band->offset, response.definition.unit, data::StudyResponse::errorDigits),
        countText(response.band->holdOuts, "validation point"));
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
    if (response.leftOut)
        document["leave_one_out"] = {{"error", response.leftOut->error},
                                     {"runs", response.leftOut->residuals.size()}};
    if (response.missingPoints > 0)
        document["missing_points"] = response.missingPoints;
    for (const auto &error : response.errors)
        document["measured_rms"][error.way] = error.rms;
    return document;
}

namespace {

struct Column
{
    std::string name;
    std::vector<double> values; ///< NaN: an empty cell
};

/// One row of each place of `parameters`, behind its name where `names` has them.
void writeTable(const AnswerStudy &opened, const std::vector<std::string> &names,
                const std::vector<std::vector<double>> &parameters,
                const std::vector<Column> &columns, const std::string &path)
{
    std::string table = names.empty() ? "" : "run,";
    for (const auto &parameter : opened.space().parameters())
        table += csvCell(parameter.name) + ",";
    for (std::size_t k = 0; k < columns.size(); ++k)
        table += (k == 0 ? "" : ",") + csvCell(columns[k].name);
    table += "\n";
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!names.empty())
            table += names[i] + ",";
        for (const double value : parameters[i])
            table += fmt::format("{},", value);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const double value = columns[k].values[i];
            table += (k == 0 ? "" : ",")
                     + (std::isnan(value) ? std::string() : fmt::format("{}", value));
        }
        table += "\n";
    }
    writeText(path, table);
}

} // namespace

void writePlaces(const AnswerStudy &opened, std::span<const double> places,
                 const std::vector<std::vector<double>> &values, const std::string &path)
{
    const auto d = opened.space().parameters().size();
    std::vector<std::vector<double>> parameters;
    for (std::size_t i = 0; i * d < places.size(); ++i)
        parameters.push_back(opened.space().fromUnit(places.subspan(i * d, d)));
    std::vector<Column> columns;
    for (std::size_t k = 0; k < values.size(); ++k)
        columns.push_back({opened.responses[k].definition.name, values[k]});
    writeTable(opened, {}, parameters, columns, path);
}

void writeRuns(const AnswerStudy &opened, const std::vector<data::RunPlace> &runs,
               const std::vector<std::vector<double>> &own,
               const std::vector<std::vector<double>> &predicted, const std::string &path)
{
    std::vector<std::string> names;
    std::vector<std::vector<double>> parameters;
    for (const auto &run : runs) {
        names.push_back(run.name);
        parameters.push_back(run.parameters);
    }
    std::vector<Column> columns;
    for (std::size_t k = 0; k < own.size(); ++k) {
        const auto &name = opened.responses[k].definition.name;
        columns.push_back({name, own[k]});
        columns.push_back({name + "_surrogate", predicted[k]});
    }
    writeTable(opened, names, parameters, columns, path);
}

nlohmann::json placeJson(const ParameterSpace &space, std::span<const double> values)
{
    auto document = nlohmann::json::object();
    for (std::size_t t = 0; t < values.size(); ++t)
        document[space[t].name] = values[t];
    return document;
}

} // namespace gridhelm::cli
