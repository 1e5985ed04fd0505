// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/parse_numbers.h"
#include "app/cli/study_evaluation.h"
#include "core/support/error.h"
#include "data/mesh/mesh_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace gridhelm::cli {
namespace {

struct EvalOptions
{
    EvaluationOptions evaluation;
    std::string at;
    std::string output;
    std::vector<std::string> probes;
    std::string csv;
};

void writeMeshFile(const std::string &path, const data::Mesh &mesh, vtkDataSet &data)
{
    const auto wanted = data::extensionFor(mesh);
    if (std::filesystem::path(path).extension() != wanted)
        throw Error(fmt::format("{} cannot hold this study's mesh ({}): give a name that ends in "
                                "{}",
                                path, mesh.kind, wanted));
    OutputFile file(path);
    data::writeDataSet(file.temporaryPath(), data);
    file.commit();
}

std::string probesAsCsv(const EvaluatedFields &result, vtkDataSet &data,
                        const std::vector<std::string> &texts)
{
    std::vector<double> places;
    for (const auto &text : texts) {
        const auto before = places.size();
        parseReals(text, "--probe", places);
        if (places.size() != before + 3)
            throw Error(fmt::format("--probe {}: give three numbers, x,y,z", text));
    }
    const auto probes = data::probe(data, result.fields, places);
    std::string csv = "x,y,z";
    for (const auto &field : result.fields)
        for (int c = 0; c < field.components; ++c)
            csv += field.components == 1 ? "," + field.name : fmt::format(",{}_{}", field.name, c);
    csv += '\n';
    for (std::size_t i = 0; 3 * i < places.size(); ++i) {
        csv += fmt::format("{},{},{}", places[3 * i], places[3 * i + 1], places[3 * i + 2]);
        for (std::size_t f = 0; f < result.fields.size(); ++f)
            for (int c = 0; c < result.fields[f].components; ++c)
                csv += fmt::format(
                    ",{}",
                    probes.values[f][i * static_cast<std::size_t>(result.fields[f].components)
                                     + static_cast<std::size_t>(c)]);
        csv += '\n';
    }
    return csv;
}

void printSummary(const GlobalOptions &global, const EvaluatedFields &result)
{
    nlohmann::json fields = nlohmann::json::array();
    std::string text;
    for (std::size_t f = 0; f < result.fields.size(); ++f) {
        const auto [low, high] = std::ranges::minmax(result.values[f]);
        const float indicator = std::ranges::max(result.indicators[f]);
        fields.push_back({{"name", result.fields[f].name},
                          {"low", low},
                          {"high", high},
                          {"indicator", indicator}});
        text += fmt::format("{}: {:.6g} .. {:.6g} {} (indicator at most {:.3g})\n",
                            result.fields[f].name, low, high, result.fields[f].unit, indicator);
    }
    if (global.json)
        printJson({{"fields", fields}, {"seconds", result.seconds}});
    else
        printText(text + fmt::format("evaluated in {:.3g} s\n", result.seconds));
}

void run(const GlobalOptions &global, const EvalOptions &options)
{
    const StudyEvaluation study(global, options.evaluation);
    const auto at = study.parse(options.at);
    study.requireRange({at});
    if (!options.csv.empty() && options.probes.empty())
        throw Error("--csv needs places: give --probe x,y,z");
    for (const auto &path : {options.output, options.csv})
        if (!path.empty())
            requireWritable(path);
    const auto result = study.evaluate(at);
    if (!options.output.empty() || !options.probes.empty()) {
        const auto data = data::dataSetOf(*result.mesh, result.fields, result.values);
        if (!options.output.empty())
            writeMeshFile(options.output, *result.mesh, *data);
        if (!options.probes.empty())
            writeText(options.csv, probesAsCsv(result, *data, options.probes));
    }
    if (options.probes.empty() || !options.csv.empty())
        printSummary(global, result);
}

} // namespace

void addEvalCommand(CLI::App &parent, const GlobalOptions &global)
{
    auto options = std::make_shared<EvalOptions>();
    CLI::App &command =
        *parent.add_subcommand("eval", "A study's fields at any parameters, as a mesh file or at "
                                       "places");
    addEvaluationOptions(command, options->evaluation);
    command.add_option("--at", options->at, "Parameters: Re=400,t=2.5")->required();
    command.add_option("--out", options->output, "VTK XML file: .vti .vtr .vts or .vtu");
    command.add_option("--probe", options->probes, "A place x,y,z (may be repeated)");
    command.add_option("--csv", options->csv, "CSV of the probes (default: printed)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
