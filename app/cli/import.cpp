// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/begins_like_study.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "app/cli/study_report.h"
#include "app/cli/study_steps.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "data/campaign/point_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

namespace gridhelm::cli {
namespace {

struct ImportOptions
{
    std::string study;
    std::string table;
    std::vector<std::string> files;
    std::vector<std::string> fields;
    std::string csv;
    bool resample = false;
    bool allTimes = false;
    bool training = false;
    // Of a study of scattered runs.
    std::string out;
    data::ScatteredChoice columns;
    std::vector<std::string> ranges; ///< "Re=100:1000"
    std::vector<std::string> logarithmic, linear; ///< parameters
    std::vector<double> missing;
    std::string folder;
};

constexpr std::size_t namedMissing = 3;

/// "3 grid points still MISSING: Re=100,t=0; ..."
std::string missingText(const data::Study &study, const std::vector<std::uint64_t> &points,
                        const std::string &listedIn)
{
    auto text = fmt::format("{} still MISSING: ", countText(points.size(), "grid point"));
    for (std::size_t i = 0; i < std::min(points.size(), namedMissing); ++i)
        text += (i > 0 ? "; " : "")
                + study.description().space.toText(
                    study.description().space.valuesAt(*study.grid(), points[i]));
    if (points.size() > namedMissing)
        text += " ...";
    return text
           + (listedIn.empty() ? "\nlist them all with: --csv FILE.csv\n"
                               : "\nall of them are listed in " + listedIn + "\n");
}

/// Throws for what cannot be a study, with the way to one: who has files has no study yet.
void requireStudy(const std::string &path)
{
    if (beginsLikeStudy(path))
        return;
    std::error_code code;
    const auto what = std::filesystem::exists(path, code) ? path + " is not a Gridhelm study"
                                                          : "there is no study " + path;
    throw Error(fmt::format("{}: make one from a plan without [simulation], which names your "
                            "parameters and their ranges, with: gridhelm-cli plan mine.toml --out "
                            "mine.gridhelm, then import into that (see gridhelm-cli import --help)",
                            what));
}

/// "Re=100:1000".
std::pair<std::string, data::ScatteredRange> rangeOf(const std::string &text)
{
    const auto equals = text.rfind('=');
    if (equals != std::string::npos) {
        const auto name = text.substr(0, equals);
        if (const auto range = parseRange(text.substr(equals + 1), "--range of " + name))
            return {name, {range->first, range->second}};
    }
    throw Error("--range " + text + " is no range: write NAME=LOW:HIGH, as in Re=100:1000");
}

/// Makes a study of runs at any places.
void runScattered(const GlobalOptions &global, const ImportOptions &options)
{
    data::ScatteredStep step;
    step.table = options.table;
    step.study = options.out;
    step.columns = options.columns;
    step.missing = options.missing;
    for (const auto &name : options.logarithmic)
        step.scales[name] = ParameterScale::logarithmic;
    for (const auto &name : options.linear)
        step.scales[name] = ParameterScale::linear;
    step.folder = options.folder;
    for (const auto &text : options.ranges)
        step.ranges.insert(rangeOf(text));
    step.fields = options.fields;
    step.resample = options.resample;
    step.howToResample = "(import --resample)";
    const auto devices = studyDevices(global);
    step.context = devices.context;
    step.backend = devices.backend;
    const auto report = scatteredStep(step);
    const auto study = openStudy(options.out);
    if (global.json) {
        printJson({{"read_as", report.reading},
                   {"runs", report.runs},
                   {"notes", report.notes},
                   {"study", infoJson(study)}});
        return;
    }
    auto text = "read as: " + cleanLine(report.reading) + "\n";
    for (const auto &note : report.notes)
        text += "note: " + cleanLine(note) + "\n";
    text += fmt::format("{} in {} made of {}\n", cleanLine(options.out),
                        countText(study.description().space.parameters().size(), "parameter"),
                        countText(report.runs, "run"));
    printText(text + infoText(study));
}

void requireOneStudy(const ImportOptions &options)
{
    if (options.study.empty() == options.out.empty())
        throw Error("Give either the study that the files are to go into, or with --out the name "
                    "of one that is to be made of the table");
    if (options.out.empty()) {
        const auto &columns = options.columns;
        if (!columns.parameters.empty() || !columns.ignored.empty() || !columns.file.empty()
            || !columns.time.empty() || !columns.responses.empty() || !options.ranges.empty()
            || !options.folder.empty() || !options.missing.empty() || !options.logarithmic.empty()
            || !options.linear.empty())
            throw Error("--parameters, --responses, --ignore, --files, --time, --range, --log, "
                        "--linear, --folder and --missing are for --out: a study knows its "
                        "parameters, so leave them out");
        return;
    }
    if (!options.csv.empty() || options.allTimes || options.training)
        throw Error("--csv, --all-times and --training are for studies that are there: leave "
                    "them out, or give the study instead of --out");
}

void runImport(const GlobalOptions &global, const ImportOptions &options)
{
    requireOneStudy(options);
    if (!options.out.empty()) {
        runScattered(global, options);
        return;
    }
    if (!options.csv.empty())
        requireWritable(options.csv);
    requireStudy(options.study);
    auto writer = data::StudyWriter::open(options.study);
    ImportStep step;
    step.table = options.table;
    step.files.assign(options.files.begin(), options.files.end());
    step.fields = options.fields;
    step.resample = options.resample;
    step.howToResample = "(import --resample)";
    step.allTimes = options.allTimes;
    step.areTrainingRuns = options.training;
    const auto report = importStep(writer, step);
    const auto study = shellText(options.study);
    const auto missing = missingText(writer, report.missing, options.csv);
    const auto csv = data::pointCsv(writer.description().space, *writer.grid(), report.missing);
    closeStudy(writer);
    if (!options.csv.empty())
        writeText(options.csv, csv);
    if (global.json) {
        printJson({{"stored", report.stored},
                   {"already_there", report.alreadyThere},
                   {"hold_outs", report.holdOuts},
                   {"training_runs", report.trainingRuns},
                   {"left_out", report.leftOut},
                   {"jobs_done", report.jobsDone},
                   {"missing", report.missing.size()},
                   {"notes", report.notes}});
        return;
    }
    auto text = data::importText(report) + "\n";
    if (report.leftOut > 0)
        text += fmt::format("{} left out: out of the range, or between the grid's times "
                            "(--all-times takes these as validation points)\n",
                            countText(report.leftOut, "snapshot"));
    for (const auto &note : report.notes)
        text += "note: " + cleanLine(note) + "\n";
    text += report.missing.empty()
                ? "every grid point has its snapshot\nnext: gridhelm-cli compress " + study + "\n"
                : missing;
    printText(text);
}

/// Of a study that is made of the table; `options` outlives the command.
void addScatteredOptions(CLI::App &command, ImportOptions &options)
{
    command
        .add_option("--out", options.out,
                    "Make this study of the table: of scattered runs (see below)")
        ->type_name("STUDY");
    command
        .add_option("--parameters", options.columns.parameters,
                    "With --out: the columns that are parameters; by default all of numbers, but "
                    "without files not the last one")
        ->type_name("A,B,C")
        ->delimiter(',');
    command
        .add_option("--responses", options.columns.responses,
                    "With --out: the columns that are results; by default the last one, or with "
                    "--parameters all others of numbers")
        ->type_name("A,B,C")
        ->delimiter(',');
    command
        .add_option(
            "--log", options.logarithmic,
            "With --out: parameters with a logarithmic scale; by default those whose values "
            "are spread evenly over decades")
        ->type_name("A,B,C")
        ->delimiter(',');
    command.add_option("--linear", options.linear, "With --out: parameters with a linear scale")
        ->type_name("A,B,C")
        ->delimiter(',');
    command
        .add_option("--missing", options.missing,
                    "With --out: numbers that stand for no value, besides empty cells, NA and nan")
        ->type_name("-999,1e30")
        ->delimiter(',');
    command
        .add_option("--ignore", options.columns.ignored,
                    "With --out: columns that are nothing of this")
        ->type_name("A,B,C")
        ->delimiter(',');
    command
        .add_option("--files", options.columns.file,
                    "With --out: the column that names result files; by default 'file'")
        ->type_name("NAME");
    command
        .add_option("--time", options.columns.time,
                    "With --out: the column that is the time, by default 't' or 'time': rows that "
                    "differ in it alone are one run, and its error is measured without all of them")
        ->type_name("NAME");
    command
        .add_option("--folder", options.folder,
                    "With --out: the folder that names of files are relative to; by default the "
                    "table's")
        ->type_name("FOLDER");
    command
        .add_option("--range", options.ranges,
                    "With --out: the range of a parameter, if not that of the table (may be "
                    "repeated); runs outside are left out")
        ->type_name("NAME=LOW:HIGH")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

constexpr const char *importFooter = R"(
A file belongs to a grid point within 1e-6 of the range; the others become validation points, to
measure errors with. A time-like parameter may be left out of the table if the files are series
(.pvd, .series), which say their times. May be called again with more files: what is there stays.

The whole way, with files that exist already or are made elsewhere:
  gridhelm-cli plan mine.toml --csv points.csv     # a plan without [simulation]: the points wanted
  gridhelm-cli import mine.gridhelm --table params.csv --csv missing.csv
  gridhelm-cli compress mine.gridhelm --holdout 10

params.csv; names of files are relative to it:
  Re,lid,file
  100,0.5,runs/a.vtu
  550,1.0,runs/b.vtu

Scattered runs (a Latin hypercube, say) make a study by themselves, without a grid or a plan. Its
ranges are those of the table, and it is evaluated by kriging, whose leave-one-out error is the last
that is said. The table names a file for each run, or has columns of responses:
  gridhelm-cli import --table params.csv --out mine.gridhelm
  gridhelm-cli import --table numbers.csv --parameters Re,lid --out mine.gridhelm
  gridhelm-cli import --table all.csv --files vtu --folder results --ignore id --out mine.gridhelm
numbers.csv; cells of a run that has failed may be empty, NA or nan:
  Re,lid,drag,lift [N]
  100,0.5,1.25,0.02
  550,1.0,1.31,0.07
A file holds one time; times of a run are rows of their own, which differ in the time alone.
Columns may stand between commas, semicolons, tabs or blanks, with decimal points or commas; how the
table was read is the first thing that is said. Rows that repeat others are merged, and columns that
say nothing are left out: the notes name them.)";

} // namespace

void addImportCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "import", "Take snapshots that exist already into a study, with a table of parameters");
    const auto options = std::make_shared<ImportOptions>();
    command.add_option("study", options->study, "The study, if it is there already")
        ->type_name("STUDY");
    command
        .add_option("files", options->files,
                    "Result files, one for each row (or a column 'file' of the table)")
        ->type_name("FILES");
    command.add_option("--table", options->table, "Names in the first line, then values: any CSV")
        ->required()
        ->type_name("FILE.csv");
    addScatteredOptions(command, *options);
    command.add_option("--csv", options->csv, "Write the grid points still missing")
        ->type_name("FILE.csv");
    command
        .add_option("--field", options->fields,
                    "Take this field alone (may be repeated); by default all")
        ->type_name("NAME")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_flag("--resample", options->resample,
                     "Bring files on other meshes onto that of the study, the first file's");
    command.add_flag("--all-times", options->allTimes,
                     "Of series: take times between the grid's, too, as validation points");
    command.add_flag("--training", options->training,
                     "What is off the grid is for kriging to be fitted to, not for validation");
    command.footer(importFooter);
    command.callback([&global, options] { runImport(global, *options); });
}

} // namespace gridhelm::cli
