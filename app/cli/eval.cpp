// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/eval_report.h"
#include "app/cli/evaluated_mesh.h"
#include "app/cli/number_table.h"
#include "app/cli/output.h"
#include "app/cli/study_evaluation.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "data/mesh/mesh_probe.h"
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
    std::string points;
    std::string output;
    std::vector<std::string> probes;
    std::string probesFile;
    std::string csv;
    bool indicator = false;
};

std::vector<std::vector<double>> readParameters(const std::string &path,
                                                const ParameterSpace &space)
{
    std::vector<std::string> names;
    for (const auto &parameter : space.parameters())
        names.push_back(parameter.name);
    const auto table = readNumberTable(path, names, TableHeader::required);
    std::vector<std::vector<double>> points;
    for (auto row = table.begin(); row != table.end();
         row += static_cast<std::ptrdiff_t>(names.size()))
        points.emplace_back(row, row + static_cast<std::ptrdiff_t>(names.size()));
    return points;
}

std::vector<double> placesOf(const EvalOptions &options)
{
    std::vector<double> places;
    for (const auto &text : options.probes) {
        const auto before = places.size();
        parseReals(text, "--probe", places);
        if (places.size() != before + 3)
            throw Error(fmt::format("--probe {}: give three numbers, x,y,z", text));
    }
    if (!options.probesFile.empty()) {
        const auto more =
            readNumberTable(options.probesFile, {"x", "y", "z"}, TableHeader::optional);
        places.insert(places.end(), more.begin(), more.end());
    }
    return places;
}

void requireExtension(const std::string &path, const data::Mesh &mesh)
{
    const auto wanted = data::extensionFor(mesh);
    if (std::filesystem::path(path).extension() != wanted)
        throw Error(fmt::format("{} cannot hold this study's mesh ({}): give a name that ends in "
                                "{}",
                                path, mesh.kind, wanted));
}

/// What cannot be done is said before anything is computed.
void requireSensible(const EvalOptions &options, const StudyEvaluation &study, bool hasPlaces)
{
    if (options.at.empty() == options.points.empty())
        throw Error("give the parameters with either --at or --points");
    if (!options.points.empty() && !options.output.empty())
        throw Error("--out holds the fields at one point: use --at, or \"export\" for a series of "
                    "files");
    if (!options.points.empty() && !hasPlaces)
        throw Error("--points needs places: give --probe x,y,z or --probes FILE");
    if (!options.csv.empty() && !hasPlaces)
        throw Error("--csv needs places: give --probe x,y,z or --probes FILE");
    if (!options.output.empty())
        requireExtension(options.output, *study.mesh());
    for (const auto &path : {options.output, options.csv})
        if (!path.empty())
            requireWritable(path);
}

PointReport reportOf(const EvaluatedFields &result, const std::vector<double> &parameters,
                     const data::MeshProbe *probe)
{
    PointReport report{parameters, {}};
    for (std::size_t f = 0; f < result.fields.size(); ++f) {
        auto &field = report.fields.emplace_back();
        const auto [low, high] = std::ranges::minmax(result.values[f]); // no field is empty
        field.low = low;
        field.high = high;
        field.indicator = std::ranges::max(result.indicators[f]);
        if (!probe)
            continue;
        field.values = probe->sample(result.fields[f], result.values[f]);
        field.indicators = probe->sample(result.fields[f], result.indicators[f]);
    }
    return report;
}

nlohmann::json documentOf(const ReportFrame &frame, const std::vector<PointReport> &reports,
                          bool isList)
{
    if (!isList)
        return pointJson(frame, reports.front());
    nlohmann::json document{{"points", nlohmann::json::array()}};
    for (const auto &report : reports)
        document["points"].push_back(pointJson(frame, report));
    return document;
}

void runEval(const GlobalOptions &global, const EvalOptions &options)
{
    StudyEvaluation study(global, options.evaluation);
    const auto places = placesOf(options);
    requireSensible(options, study, !places.empty());
    const bool isList = !options.points.empty();
    const auto points = isList ? readParameters(options.points, study.parameters())
                               : std::vector<std::vector<double>>{study.parse(options.at)};
    study.requireRange(points);
    EvaluatedMesh mesh(study, options.indicator ? IndicatorFields::written : IndicatorFields::left);
    std::unique_ptr<data::MeshProbe> probe;
    if (!places.empty())
        probe = std::make_unique<data::MeshProbe>(mesh.data(), places);

    study.expect(points.size());
    double seconds = 0;
    std::vector<PointReport> reports;
    for (const auto &values : points) {
        const auto result = study.evaluate(values);
        seconds += result.seconds;
        reports.push_back(reportOf(result, values, probe.get()));
        if (!options.output.empty()) {
            OutputFile file(options.output);
            mesh.set(result, values);
            data::writeDataSet(file.temporaryPath(), mesh.data(), file.path());
            file.commit();
        }
    }

    const ReportFrame frame{study.parameters(), study.fields(), places};
    const bool printsCsv = probe && options.csv.empty() && !global.json;
    if (printsCsv || !options.csv.empty())
        writeText(options.csv, placesCsv(frame, reports, isList, options.indicator));
    if (global.json) {
        auto document = documentOf(frame, reports, isList);
        document["seconds"] = seconds;
        document["missing_points"] = study.missingPoints();
        printJson(document);
    } else if (!printsCsv) {
        std::string text = isList ? "" : rangesText(frame, reports.front());
        text += fmt::format("evaluated in {:.3g} s\n", seconds);
        for (const auto &path : {options.output, options.csv})
            if (!path.empty())
                text += fmt::format("wrote {}\n", path);
        printText(text);
    }
}

} // namespace

void addEvalCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "eval", "A study's fields at any parameters: as a mesh file, or at places in space");
    const auto options = std::make_shared<EvalOptions>();
    addEvaluationOptions(command, options->evaluation);
    command.add_option("--at", options->at, "The parameters: name=value of each, with commas")
        ->type_name("Re=400,t=2.5");
    command
        .add_option("--points", options->points,
                    "Many of them, for --probe: a CSV whose first line names the parameters")
        ->type_name("FILE.csv");
    command
        .add_option("--out", options->output,
                    "Write the fields on their mesh, for ParaView: .vti .vtr .vts or .vtu")
        ->type_name("FILE");
    command.add_option("--probe", options->probes, "Values at this place (may be repeated)")
        ->type_name("x,y,z")
        ->expected(1)
        ->take_all();
    command
        .add_option("--probes", options->probesFile,
                    "Values at the places in a CSV: x,y,z on each line")
        ->type_name("FILE.csv");
    command.add_option("--csv", options->csv, "Write the values at places here, not to stdout")
        ->type_name("FILE.csv");
    command.add_flag("--indicator", options->indicator,
                     "Also write the error indicator of every value, as NAME_indicator");
    command.footer(R"(
Values at places are interpolated within the mesh's cells. The indicator is what the finest level
adds to a value: it estimates the error without any further run ("info" shows measured errors).
With --json all of it is one document on stdout. "-" as a FILE to read is stdin.

Examples, after "gridhelm-cli sample plate":
  gridhelm-cli eval plate.gridhelm --at x=0.3,y=0.6,strength=120
      how large the fields are there
  gridhelm-cli eval plate.gridhelm --at x=0.3,y=0.6,strength=120 --out plate.vti
  gridhelm-cli eval plate.gridhelm --at x=0.3,y=0.6,strength=120 --probe 0.5,0.5,0 --indicator
  gridhelm-cli eval plate.gridhelm --points where.csv --probes sensors.csv --csv values.csv
      one row for every point in where.csv (x,y,strength) and every place in sensors.csv)");
    command.callback([&global, options] { runEval(global, *options); });
}

} // namespace gridhelm::cli
