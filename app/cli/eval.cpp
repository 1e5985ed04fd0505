// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/backend_choice.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/parse_numbers.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "data/evaluate/field_surrogate.h"
#include "data/mesh/mesh_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <memory>

namespace gridhelm::cli {
namespace {

struct EvalOptions
{
    std::string study;
    std::string at;
    std::vector<std::string> fields;
    std::string output;
    std::vector<std::string> probes;
    std::string csv;
    int level = 0;
    bool extrapolate = false;
};

struct Evaluated
{
    std::vector<data::Field> fields;
    std::vector<std::vector<float>> values;
    std::vector<double> indicators; ///< largest magnitude, of each field
    double seconds = 0;
};

Evaluated evaluate(const data::Study &study, const std::vector<double> &x,
                   const EvalOptions &options, int threads)
{
    Evaluated result;
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t f = 0; f < study.fields().size(); ++f) {
        const auto &field = study.fields()[f];
        if (!options.fields.empty()
            && std::find(options.fields.begin(), options.fields.end(), field.name)
                   == options.fields.end())
            continue;
        requireMemory(8.0 * static_cast<double>(field.values()), "the field " + field.name,
                      "ask for fewer fields");
        std::vector<float> values(field.values()), indicator(field.values());
        data::evaluateFromFile(study, f, x, {values, indicator}, threads, options.level,
                               options.extrapolate ? data::OutOfRange::extrapolated
                                                   : data::OutOfRange::refused);
        double largest = 0;
        for (const float value : indicator)
            largest = std::max(largest, std::abs(static_cast<double>(value)));
        result.indicators.push_back(largest);
        result.fields.push_back(field);
        result.values.push_back(std::move(values));
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    result.seconds = taken.count();
    return result;
}

data::Mesh meshOf(const data::Study &study)
{
    auto mesh = study.mesh();
    if (!mesh)
        throw Error("the study has no mesh yet: run its jobs first");
    return *std::move(mesh);
}

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

std::string probesAsCsv(const Evaluated &result, vtkDataSet &data,
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

void printSummary(const GlobalOptions &global, const Evaluated &result)
{
    nlohmann::json fields = nlohmann::json::array();
    std::string text;
    for (std::size_t f = 0; f < result.fields.size(); ++f) {
        const auto [low, high] =
            std::minmax_element(result.values[f].begin(), result.values[f].end());
        fields.push_back({{"name", result.fields[f].name},
                          {"low", *low},
                          {"high", *high},
                          {"indicator", result.indicators[f]}});
        text += fmt::format("{}: {:.6g} .. {:.6g} {} (indicator at most {:.3g})\n",
                            result.fields[f].name, *low, *high, result.fields[f].unit,
                            result.indicators[f]);
    }
    if (global.json)
        printJson({{"fields", fields}, {"seconds", result.seconds}});
    else
        printText(text + fmt::format("evaluated in {:.3g} s\n", result.seconds));
}

void run(const GlobalOptions &global, const EvalOptions &options)
{
    const int threads = threadCount(global);
    const auto study = data::Study::open(options.study);
    for (const auto &name : options.fields)
        study.fieldIndex(name); // an unknown one is an error
    const auto &space = study.description().space;
    const auto values = space.parse(options.at);
    if (const auto t = space.firstOutside(values); t && !options.extrapolate)
        space.requireInside(values);
    else if (t)
        fmt::print(stderr,
                   "gridhelm-cli: warning: {} is out of its range; the result is "
                   "extrapolated, and its error unknown.\n",
                   space[*t].name);
    if (options.level < 0)
        throw Error("--level must be at least 1");
    if (!options.csv.empty() && options.probes.empty())
        throw Error("--csv needs places: give --probe x,y,z");
    for (const auto &path : {options.output, options.csv})
        if (!path.empty())
            requireWritable(path);
    const auto result = evaluate(study, space.toUnit(values), options, threads);
    if (!options.output.empty() || !options.probes.empty()) {
        const auto mesh = meshOf(study);
        const auto data = data::dataSetOf(mesh, result.fields, result.values);
        if (!options.output.empty())
            writeMeshFile(options.output, mesh, *data);
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
    command.add_option("STUDY", options->study, "The study's file")->required();
    command.add_option("--at", options->at, "Parameters: Re=400,t=2.5")->required();
    command.add_option("--field", options->fields, "Only these fields (may be repeated)");
    command.add_option("--out", options->output, "VTK XML file: .vti .vtr .vts or .vtu");
    command.add_option("--probe", options->probes, "A place x,y,z (may be repeated)");
    command.add_option("--csv", options->csv, "CSV of the probes (default: printed)");
    command.add_option("--level", options->level, "Only the first levels (default: all)");
    command.add_flag("--extrapolate", options->extrapolate,
                     "Continue linearly out of the parameters' ranges");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
