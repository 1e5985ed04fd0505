// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer_study.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "core/answers/reduction.h"
#include "core/answers/time_reduction.h"
#include "core/parameters/unit_slope.h"
#include "core/support/csv_line.h"
#include "core/support/error.h"
#include "data/answers/response_validation.h"
#include "data/mesh/place_samples.h"
#include "data/study/study_errors.h"
#include "data/study/study_writer.h"

#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <memory>

namespace gridhelm::cli {
namespace {

struct ResponsesOptions
{
    std::string study;
    data::ResponseDefinition added{{}, {}, {}, "mean", {}};
    std::string removed;
    std::string at;
    std::string runs;       ///< file
    std::string validation; ///< file
};

void requireSensible(const ResponsesOptions &options)
{
    const auto &added = options.added;
    if (added.name.empty()
        && (!added.expression.empty() || !added.place.empty() || !added.unit.empty()))
        throw Error("--of, --in and --unit say what a new response is: give its name with --add");
    if (!added.name.empty() && added.expression.empty())
        throw Error("--add needs --of: the field, or a formula of fields, that the response is of");
    for (const auto &file : {options.runs, options.validation})
        if (!file.empty()) {
            requireOtherFile(file, {options.study});
            requireWritable(file);
        }
    if (!options.runs.empty() && options.runs == options.validation)
        throw Error("--runs and --validation are two tables: give each a file of its own");
}

/// What is refused leaves the study as it was: all of it is looked at before anything is written.
void change(const GlobalOptions &global, const ResponsesOptions &options)
{
    const auto &added = options.added;
    if (added.name.empty() && options.removed.empty())
        return;
    {
        const auto study = openStudy(options.study);
        if (!options.removed.empty())
            data::responseIndex(study.responses(), options.removed);
        if (!added.name.empty())
            data::studyResponses(study, {added}, data::samplesOf(study), answersContext(global));
    }
    auto writer = data::StudyWriter::open(options.study);
    if (!added.name.empty())
        writer.putResponse(added); // first, since it may refuse its name
    if (!options.removed.empty() && options.removed != added.name)
        writer.removeResponse(options.removed);
    closeStudy(writer);
}

struct ValuesHere
{
    std::vector<double> parameters, values, gradients; ///< by the parameters, in their units
    double seconds = 0;
};

ValuesHere evaluate(const AnswerStudy &opened, const std::string &at)
{
    ValuesHere here;
    const auto &space = opened.space();
    here.parameters = space.parse(at);
    space.requireInside(here.parameters);
    const auto x = space.toUnit(here.parameters);
    const auto d = x.size();
    here.values.resize(opened.responses.size());
    here.gradients.resize(opened.responses.size() * d);
    const auto begin = std::chrono::steady_clock::now();
    opened.model->values(x, here.values);
    opened.model->gradients(x, here.gradients);
    here.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (std::size_t t = 0; t < d; ++t) {
        const double slope = unitSlope(space[t], here.parameters[t]);
        for (std::size_t k = 0; k < here.values.size(); ++k)
            here.gradients[k * d + t] /= slope;
    }
    return here;
}

/// What the runs themselves gave, beside what the surrogate says there.
std::size_t writeRuns(const GlobalOptions &global, const AnswerStudy &opened,
                      const std::string &path)
{
    constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
    std::vector<data::RunPlace> runs;
    std::vector<std::vector<double>> own;
    data::againIfChanged([&] {
        const auto study = data::Study::open(opened.study.path());
        runs = data::runPlaces(study, all);
        own = data::valuesOfRuns(study, opened.responses, data::samplesOf(study), runs);
    });
    const auto predicted =
        data::valuesAtRuns(*opened.model, opened.space(), runs, answersContext(global).cpu());
    writeRuns(opened, runs, own, predicted, path);
    return runs.size();
}

/// A row of each response and run: predicted beside actual values.
void writeValidation(const AnswerStudy &opened,
                     const std::vector<data::ResponseValidation> &validations,
                     const std::string &path)
{
    std::string table = "response,run";
    for (const auto &parameter : opened.space().parameters())
        table += "," + csvCell(parameter.name);
    table += ",actual,predicted\n";
    for (std::size_t k = 0; k < validations.size(); ++k)
        for (const auto &run : validations[k].runs) {
            table += csvCell(opened.responses[k].definition.name) + "," + csvCell(run.name);
            for (const double value : run.parameters)
                table += fmt::format(",{}", value);
            table += fmt::format(",{},{}\n", run.actual, run.predicted);
        }
    writeText(path, table);
}

std::vector<data::ResponseValidation> validationsOf(const GlobalOptions &global,
                                                    const AnswerStudy &opened)
{
    return data::againIfChanged([&] {
        const auto study = data::Study::open(opened.study.path());
        return data::validationsOf(study, opened.responses, data::samplesOf(study),
                                   answersContext(global));
    });
}

std::string validationText(const data::ResponseValidation &validation,
                           const data::StudyResponse &response)
{
    if (!validation.whyNone.empty())
        return validation.whyNone + "\n";
    auto text =
        fmt::format("predicted over actual: root mean square error {} at {}",
                    withUnit(validation.rootMeanSquare(), response.definition.unit,
                             data::StudyResponse::errorDigits),
                    validation.isLeftOut ? countText(validation.runs.size(), "run")
                                               + ", each predicted without itself"
                                         : countText(validation.runs.size(), "validation point"));
    if (const auto r2 = validation.r2())
        text += fmt::format("; R^2 {:.4g}", *r2);
    return text + "\n";
}

nlohmann::json validationJson(const data::ResponseValidation &validation)
{
    nlohmann::json document{{"runs", validation.runs.size()}, {"left_out", validation.isLeftOut}};
    if (!validation.whyNone.empty())
        document["why_none"] = validation.whyNone;
    else
        document["rms"] = validation.rootMeanSquare();
    if (const auto r2 = validation.r2())
        document["r2"] = *r2;
    return document;
}

void print(const GlobalOptions &global, const ResponsesOptions &options, const AnswerStudy &opened)
{
    const auto d = opened.space().parameters().size();
    ValuesHere here;
    if (!options.at.empty())
        here = evaluate(opened, options.at);
    std::vector<data::ResponseValidation> validations;
    if (!options.validation.empty())
        validations = validationsOf(global, opened);
    auto document = nlohmann::json{{"responses", nlohmann::json::array()}};
    std::string text;
    for (std::size_t k = 0; k < opened.responses.size(); ++k) {
        const auto &response = opened.responses[k];
        auto entry = responseJson(response);
        text += fmt::format("{}: {}\n", response.definition.name,
                            data::definitionInWords(response.definition));
        if (!options.at.empty()) {
            const auto slopes = std::span(here.gradients).subspan(k * d, d);
            entry["value"] = here.values[k];
            entry["slopes"] = placeJson(opened.space(), slopes);
            text += fmt::format(
                "  {}", withUnit(here.values[k], response.definition.unit, response.digits));
            for (std::size_t t = 0; t < d; ++t)
                text += fmt::format("{} {:.4g} for each {} of {}", t == 0 ? "; it changes by" : ",",
                                    slopes[t],
                                    opened.space()[t].unit.empty() ? "1" : opened.space()[t].unit,
                                    opened.space()[t].name);
            text += "\n";
        }
        text += fmt::format("  {}\n", errorText(response, opened.study));
        if (response.missingPoints > 0)
            text += fmt::format("  without {} of the grid that did not run yet\n",
                                countText(response.missingPoints, "point"));
        for (const auto &error : response.errors)
            text += fmt::format("  by {}: {:.3g} off at validation points (root mean square)\n",
                                error.way, error.rms);
        if (!validations.empty()) {
            entry["validation"] = validationJson(validations[k]);
            text += "  " + validationText(validations[k], response);
        }
        document["responses"].push_back(std::move(entry));
    }
    if (!options.at.empty()) {
        document["at"] = placeJson(opened.space(), here.parameters);
        document["seconds"] = here.seconds;
    }
    if (!options.runs.empty()) {
        const auto runs = writeRuns(global, opened, options.runs);
        document["runs"] = {{"file", options.runs}, {"count", runs}};
        text += fmt::format("wrote {} to {}\n", countText(runs, "run"), options.runs);
    }
    if (!options.validation.empty()) {
        writeValidation(opened, validations, options.validation);
        document["validation"] = {{"file", options.validation}};
        text += fmt::format("wrote {}\n", options.validation);
    }
    if (!opened.refused.empty())
        document["left_out"] = opened.refused;
    document["execution"] = executionJson(global, ComputedOn::cpu());
    if (global.json)
        printJson(document);
    else
        printText(text);
}

void runResponses(const GlobalOptions &global, const ResponsesOptions &options)
{
    requireSensible(options);
    change(global, options);
    if (!options.removed.empty() && openStudy(options.study).responses().empty()) {
        if (global.json)
            printJson({{"responses", nlohmann::json::array()}});
        else
            printText("the study has no responses any more\n");
        return;
    }
    print(global, options, openAnswers(global, options.study, {}));
}

} // namespace

void addResponsesCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "responses", "The numbers that you are after: defined once, known at any parameters");
    const auto options = std::make_shared<ResponsesOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    command
        .add_option("--add", options->added.name, "A new one of this name, or another definition")
        ->type_name("NAME");
    command
        .add_option("--of", options->added.expression,
                    "The field, or a formula of fields: U_x, mag(U), p + 0.5 * mag(U)^2, "
                    "grad_x(p), mag(grad(p)), div(U), curl_z(U), mag(curl(U))")
        ->type_name("FORMULA");
    command
        .add_option("--reduce", options->added.reduction,
                    "How many values become one: " + answers::reductionNames()
                        + "; then, of a study over time, those of all times, by \", mean in time\" "
                          "behind it, or another of "
                        + answers::timeReductionNames())
        ->type_name("HOW")
        ->capture_default_str();
    command
        .add_option("--in", options->added.place,
                    "Where: " + answers::placeNames() + "; the whole mesh if nothing is said")
        ->type_name("WHERE");
    command.add_option("--unit", options->added.unit, "For people")->type_name("UNIT");
    command.add_option("--remove", options->removed, "Forget this one")->type_name("NAME");
    command.add_option("--at", options->at, "Their values, and slopes by each parameter, here")
        ->type_name("Re=400,t=2.5");
    command
        .add_option("--runs", options->runs,
                    "Write a table of all runs: their parameters, their responses, and what the "
                    "surrogate says there")
        ->type_name("FILE.csv");
    command
        .add_option("--validation", options->validation,
                    "Write a table of predicted beside actual values, at validation points, or "
                    "where there are none at the surrogate's runs, each predicted without itself")
        ->type_name("FILE.csv");
    command.footer(R"(
They are kept in the study. One that keeps none has the mean, the smallest and the largest value of
each of its first three fields, until it is given its own. Means and integrals (by volumes, areas or lengths of cells) of
components and their sums are linear: exactly what the field's surrogate says, in microseconds.
Others have a surrogate of their own, of their values at all snapshots. How far both are off is
measured at the study's validation points, beside what reducing the evaluated field gives. Slopes
(grad, div, curl) at a point are those of the cells around it, in a cell what fits its neighbours
best; sums of them are linear. In a study over time "maximum, mean in time" makes one number of each
run; "first above V in time" is when the number passes V, the last time if it never does.

--runs writes each response twice: "peak" is of the run's own fields, empty where the study does not
keep them; "peak_surrogate" is what the surrogate says at the same parameters.

Examples, after "gridhelm-cli sample plate":
  gridhelm-cli responses plate.gridhelm --add peak --of temperature --reduce maximum --unit K
  gridhelm-cli responses plate.gridhelm --add corner --of temperature --reduce value --in "point 0.9,0.9,0"
  gridhelm-cli responses plate.gridhelm --add flux --of '-grad_x(temperature)' --in "line 0,0,0,0,1,0"
  gridhelm-cli responses plate.gridhelm --at x=0.3,y=0.6,strength=120
  gridhelm-cli responses plate.gridhelm --runs runs.csv   # for a spreadsheet, or parallel coordinates
  gridhelm-cli responses plate.gridhelm --validation parity.csv   # for a parity plot

Of a mesh whose file numbers patches or regions by an array of cells or points, say "patch":
  gridhelm-cli responses pipe.gridhelm --add inlet --of p --reduce mean --in "on patch=3"

After "gridhelm-cli sample cavity", which has a time:
  gridhelm-cli responses cavity.gridhelm --add gust --of 'mag(velocity)' --reduce "mean, maximum in time"
  gridhelm-cli responses cavity.gridhelm --add start --of 'mag(velocity)' --reduce "mean, first above 0.1 in time")");
    command.callback([&global, options] { runResponses(global, *options); });
}

} // namespace gridhelm::cli
