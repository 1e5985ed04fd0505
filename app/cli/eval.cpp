// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/eval_ranks.h"
#include "app/cli/eval_report.h"
#include "app/cli/execution.h"
#include "app/cli/field_files.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/number_table.h"
#include "app/cli/output.h"
#include "app/cli/place_probe.h"
#include "app/cli/progress_line.h"
#include "app/cli/study_evaluation.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_coordinates.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace gridhelm::cli {
namespace {

struct EvalOptions
{
    EvaluationOptions evaluation;
    std::string at;
    std::string points;
    FieldFilesOptions files;
    std::vector<std::string> probes;
    std::string probesFile;
    std::string csv;
    std::string within; ///< milliseconds; empty: all modes are read
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

/// The one place of a study of numbers.
std::vector<double> placeOfNumbers(const StudyEvaluation &study)
{
    if (study.mesh()->points != 1)
        throw Error("--points needs probe points: give --probe x,y,z or --probes FILE; or whole "
                    "fields: give --out-dir DIR or --out FILE.npz");
    return data::placesOfPoints(*data::decodeMesh(*study.mesh()));
}

/// What cannot be done is said before anything is computed.
void requireSensible(const EvalOptions &options, bool hasPlaces, Ranks *ranks)
{
    const auto &files = options.files;
    if (options.at.empty() == options.points.empty())
        throw Error("give the parameters with either --at or --points");
    if (!options.points.empty() && !files.output.empty() && !isArchive(files.output))
        throw Error(fmt::format("{} would hold the fields at one point: give --out a name that "
                                "ends in .npz for an array of all points, or --out-dir for a file "
                                "for each",
                                files.output));
    if (!options.csv.empty() && !hasPlaces && options.points.empty())
        throw Error("--csv needs probe points: give --probe x,y,z or --probes FILE");
    if (files.overwrite && files.folder.empty())
        throw Error("--overwrite is for --out-dir: leave it out, other files are replaced anyway");
    if (!options.csv.empty()) {
        requireOtherFile(options.csv,
                         {options.evaluation.study, options.points, options.probesFile});
        doneByFirst(ranks, [&] { requireWritable(options.csv); });
    }
}

/// Of nodes that the body covers, if it does not cover the mesh.
std::ranges::minmax_result<float> rangeInBody(std::span<const float> distance,
                                              std::span<const float> values)
{
    if (distance.empty())
        return std::ranges::minmax(values); // no field is empty
    const auto components = values.size() / distance.size();
    std::vector<float> inBody;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (distance[i / components] >= 0)
            inBody.push_back(values[i]);
    return inBody.empty() ? std::ranges::minmax_result<float>{0, 0} : std::ranges::minmax(inBody);
}

/// Values at the places alone.
PointReport valuesOf(const EvaluatedFields &result, const std::vector<double> &parameters,
                     PlaceProbe &probe)
{
    PointReport report{parameters, {}};
    probe.follow(result);
    for (std::size_t f = 0; f < result.fields.size(); ++f) {
        auto &field = report.fields.emplace_back();
        field.values = probe.sample(result.fields[f], result.values[f]);
        field.indicators = probe.sample(result.fields[f], result.indicators[f]);
    }
    return report;
}

/// With what is said of the fields as a whole.
PointReport reportOf(const EvaluatedFields &result, const std::vector<double> &parameters,
                     PlaceProbe *probe)
{
    auto report = probe ? valuesOf(result, parameters, *probe) : PointReport{parameters, {}};
    report.fields.resize(result.fields.size());
    for (std::size_t f = 0; f < result.fields.size(); ++f) {
        auto &field = report.fields[f];
        const auto [low, high] = rangeInBody(result.distanceOf(f), result.values[f]);
        field.low = low;
        field.high = high;
        field.indicator = rangeInBody(result.distanceOf(f), result.indicators[f]).max;
        field.modes = result.modes[f].count;
        field.ofModes = result.modes[f].of;
        field.energyShare = result.modes[f].energyShare;
        field.modesError = result.modes[f].errorBound;
        field.isInFewBits = result.modes[f].isInFewBits;
        field.band = result.bands[f];
        field.isKriged = result.modes[f].areKriged;
    }
    return report;
}

nlohmann::json documentOf(const ReportFrame &frame, const std::vector<PointReport> &reports,
                          bool isList, Ranks *ranks)
{
    if (!isList)
        return pointJson(frame, reports.front());
    auto points = nlohmann::json::array();
    for (const auto &report : reports)
        points.push_back(pointJson(frame, report));
    return {{"points", joinedList(ranks, points)}};
}

/// Of several processes the points are divided; their fields are not gathered.
void requirePossible(const EvalOptions &options, const Ranks *ranks)
{
    if (ranks == nullptr)
        return;
    if (!options.within.empty())
        throw Error("--within depends on how fast a process reads, so that values of several do "
                    "not belong together: leave it out, or start the program without mpirun");
    if (options.points.empty())
        throw Error(
            "processes that mpirun has started divide the points of --points: give some, or "
            "start the program without mpirun");
    if (!options.files.output.empty() || !options.files.folder.empty())
        throw Error("whole fields (--out, --out-dir) are written by one process: start the program "
                    "without mpirun, or ask for values at probe points (--probe, --probes)");
    if (options.points == "-" || options.probesFile == "-")
        throw Error("of processes that mpirun has started one has a stdin: put --points and "
                    "--probes into files");
}

double secondsOf(const std::string &milliseconds)
{
    const double number = parseReal(milliseconds, "--within");
    if (!(number >= 0))
        throw Error(
            fmt::format("--within cannot be {}: give milliseconds, 0 or more", milliseconds));
    return number / 1000;
}

struct Evaluated
{
    double seconds = 0;
    std::size_t invertedCells = 0; ///< at the point that has the most
    ComputedOn computedOn{};
    std::vector<PointReport> reports; ///< if they are wanted
    std::string csv;                  ///< of values at places, likewise
};

/// What is made of each point but files.
struct Wanted
{
    bool reports = false;
    PlaceProbe *probe = nullptr;        ///< null: no values at places
    std::optional<PlacesTable> table{}; ///< with a probe
};

Evaluated evaluateAll(StudyEvaluation &study, const std::vector<std::vector<double>> &points,
                      FieldFiles &files, const Wanted &wanted, const Interruption &interruption)
{
    ProgressLine progress;
    Evaluated all;
    progress.show("reading the study");
    study.expect(points.size(), [&] { return interruption.happened(); });
    if (wanted.table)
        all.csv = wanted.table->header();
    std::optional<EvaluatedFields> result;
    std::vector<std::vector<std::uint32_t>> columns; // that are needed, if not all are
    const auto ofColumns = [&](const std::vector<double> &at) {
        const auto begin = std::chrono::steady_clock::now();
        const bool isDone = !columns.empty() && study.evaluateColumns(at, columns, *result);
        all.seconds +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return isDone;
    };
    for (std::size_t row = 0; row < points.size(); ++row) {
        if (interruption.happened())
            throw Interrupted("Interrupted: nothing was written; evaluate again");
        if (progress.isDue())
            progress.show(fmt::format("point {} of {}", row + 1, points.size()));
        if (!ofColumns(points[row])) {
            result = study.evaluate(points[row]);
            all.seconds += result->seconds;
            all.computedOn |= result->computedOn;
            all.invertedCells = std::max(all.invertedCells, result->invertedCells);
            if (columns.empty() && !wanted.reports && wanted.table && !files.areWanted())
                for (const auto &field : result->fields)
                    columns.push_back(wanted.probe->columnsOf(field));
        }
        if (wanted.reports)
            all.reports.push_back(reportOf(*result, points[row], wanted.probe));
        if (wanted.table)
            all.csv +=
                wanted.table->rows(wanted.reports ? all.reports.back()
                                                  : valuesOf(*result, points[row], *wanted.probe));
        files.add(*result, points[row]);
    }
    files.commit();
    return all;
}

void runEval(const GlobalOptions &global, const EvalOptions &options)
{
    const Interruption interruption; // before there are other threads
    auto *const ranks = global.ranks.get();
    requirePossible(options, ranks);
    auto places = placesOf(options);
    requireSensible(options, !places.empty(), ranks);
    StudyEvaluation study(global, options.evaluation);
    const bool isList = !options.points.empty();
    const bool areNumbers =
        isList && places.empty() && options.files.output.empty() && options.files.folder.empty();
    if (areNumbers)
        places = placeOfNumbers(study);
    const auto points = isList ? readParameters(options.points, study.parameters())
                               : std::vector<std::vector<double>>{study.parse(options.at)};
    study.requireRange(points);
    const auto mine = pointsOfRank(points, ranks);
    if (!options.within.empty())
        study.readWithin(secondsOf(options.within));
    FieldFiles files(options.files, study, points.size());
    std::unique_ptr<PlaceProbe> probe;
    if (!places.empty())
        probe = std::make_unique<PlaceProbe>(study, files.mesh(), places);

    const ReportFrame frame{study.parameters(), study.fields(), places, areNumbers};
    const bool printsCsv = probe && options.csv.empty() && !global.json;
    Wanted wanted{global.json || !isList, probe.get()};
    if (printsCsv || !options.csv.empty())
        wanted.table.emplace(PlacesTable{frame, isList, options.files.indicator});
    Evaluated all;
    evaluatedByAll(ranks, [&] { all = evaluateAll(study, mine, files, wanted, interruption); });
    if (ranks != nullptr) {
        all.seconds = largestOfAll(*ranks, all.seconds);
        all.invertedCells =
            static_cast<std::size_t>(largestOfAll(*ranks, static_cast<double>(all.invertedCells)));
    }

    if (all.invertedCells > 0)
        printMessage(fmt::format("gridhelm-cli: warning: {} of the {} cells of the mesh are turned "
                                 "inside out (inverted){}.\n",
                                 all.invertedCells, study.mesh()->cells,
                                 isList ? " at one of the points" : ""));
    if (wanted.table) {
        const auto csv = joinedCsv(ranks, all.csv);
        doneByFirst(ranks, [&] { writeText(options.csv, csv); });
    }
    if (global.json) {
        auto document = documentOf(frame, all.reports, isList, ranks);
        document["seconds"] = all.seconds;
        document["execution"] = executionJson(global, all.computedOn);
        if (ranks != nullptr)
            document["execution"]["ranks"] =
                ranksJson(teamContext(global), shareOfRanks(points.size(), ranks));
        document["missing_points"] = study.missingPoints();
        if (study.geometryFields().displacement)
            document["inverted_cells"] = all.invertedCells;
        files.describe(document);
        printJson(document);
    } else if (!printsCsv) {
        std::string text = isList ? "" : rangesText(frame, all.reports.front());
        text += fmt::format("evaluated in {:.3g} s\n{}", all.seconds, files.text());
        if (!options.csv.empty())
            text += fmt::format("wrote {}\n", options.csv);
        printText(text);
    }
}

} // namespace

void addEvalCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "eval", "A study's fields at any parameters: as mesh files, arrays, or at probe points");
    const auto options = std::make_shared<EvalOptions>();
    addEvaluationOptions(command, options->evaluation);
    command.add_option("--at", options->at, "The parameters: name=value of each, with commas")
        ->type_name("Re=400,t=2.5");
    command
        .add_option("--points", options->points,
                    "Many of them: a CSV whose first line names the parameters")
        ->type_name("FILE.csv");
    command
        .add_option("--out", options->files.output,
                    "Write the fields on their mesh, for ParaView: .vti .vtr .vts or .vtu; or as "
                    "arrays, for NumPy: .npz")
        ->type_name("FILE");
    command
        .add_option("--out-dir", options->files.folder,
                    "Write a mesh file for every point, and an index of them, into this folder")
        ->type_name("DIR");
    command.add_flag("--overwrite", options->files.overwrite,
                     "Replace what eval has written into --out-dir before");
    command.add_option("--probe", options->probes, "Values at this probe point (may be repeated)")
        ->type_name("x,y,z")
        ->expected(1)
        ->take_all();
    command
        .add_option("--probes", options->probesFile,
                    "Values at the probe points in a CSV: x,y,z on each line")
        ->type_name("FILE.csv");
    command
        .add_option("--csv", options->csv, "Write the values at probe points here, not to stdout")
        ->type_name("FILE.csv");
    command.add_flag("--indicator", options->files.indicator,
                     "Also write the error indicator of every value, as NAME_indicator");
    command
        .add_option("--within", options->within,
                    "Of fields in POD modes read no longer than this: the leading modes alone, one "
                    "at least; how much of the field they hold is printed")
        ->type_name("MS");
    command.footer(R"(
Values at probe points are interpolated within the mesh's cells; where a body that depends on the
parameters is not, they are nan (null with --json). The indicator is what the finest complete level
adds to a value: it estimates the error without any further run ("info" shows measured errors).
Processes that mpirun has started evaluate some of the points (--points) each; the first one writes.
With --json all of it is one document on stdout. "-" as a FILE to read is stdin.

A folder (--out-dir) holds fields_0000.vti ... in the order of the points, fields.pvd, which
ParaView opens as a series whose time is the number of the point, and index.csv with the parameters
of each file; they are in each file as well, and the error bound, if it was measured: NAME_band
(relative L2), with the fraction of the parameter space for which it holds, NAME_band_coverage. An
archive (--out FILE.npz) holds an array for every field, (points, values) or (points, values,
components) of float32, beside parameters, parameter_names, bands (nan where not measured), nodes,
and for regular meshes node_shape (nz, ny, nx). Files are there when all of them are.

Examples, after "gridhelm-cli sample plate":
  gridhelm-cli eval plate.gridhelm --at x=0.3,y=0.6,strength=120
      how large the fields are there
  gridhelm-cli eval plate.gridhelm --at x=0.3,y=0.6,strength=120 --out plate.vti
  gridhelm-cli eval plate.gridhelm --at x=0.3,y=0.6,strength=120 --probe 0.5,0.5,0 --indicator
  gridhelm-cli eval plate.gridhelm --at x=0.3,y=0.6,strength=120 --within 100 --out soon.vti
      of a large study in POD modes what can be read in 100 ms
  gridhelm-cli eval plate.gridhelm --points where.csv --probes sensors.csv --csv values.csv
      one row for every point in where.csv (x,y,strength) and every probe point in sensors.csv
  mpirun -n 4 gridhelm-cli eval plate.gridhelm --points where.csv --probe 0.5,0.5,0 --csv v.csv
  gridhelm-cli eval plate.gridhelm --points where.csv --out-dir plates
  gridhelm-cli eval plate.gridhelm --points where.csv --out plates.npz --indicator
  python3 -c 'import numpy; f = numpy.load("plates.npz"); print(f["temperature"].mean(axis=1))'
      whole fields for every point in where.csv)");
    command.callback([&global, options] { runEval(global, *options); });
}

} // namespace gridhelm::cli
