// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/study_console.h"
#include "core/support/error.h"
#include "data/campaign/import_files.h"
#include "data/campaign/plan_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>

namespace gridhelm::cli {
namespace {

struct ImportOptions
{
    std::string study;
    std::string table;
    std::vector<std::string> files;
    std::vector<std::string> fields;
    std::string missing;
    bool resample = false;
    bool allTimes = false;
};

constexpr std::size_t namedMissing = 3;

std::string textOf(const std::filesystem::path &path)
{
    std::error_code code;
    if (!std::filesystem::is_regular_file(path, code))
        throw Error("There is no table " + path.string() + "; name a CSV file");
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file || file.bad())
        throw Error("The table " + path.string() + " cannot be read; check that you may read it");
    return text;
}

std::string missingCsv(const data::Study &study, const std::vector<std::uint64_t> &points)
{
    const auto &space = study.description().space;
    auto text = pointCsvHeader(space);
    for (auto point : points)
        text += pointCsvRow(space.valuesAt(*study.grid(), point));
    return text;
}

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
           + (listedIn.empty() ? "\nlist them all with: --missing FILE.csv\n"
                               : "\nall of them are listed in " + listedIn + "\n");
}

void runImport(const GlobalOptions &global, const ImportOptions &options)
{
    if (!options.missing.empty())
        requireWritable(options.missing);
    const Interruption interruption;
    auto writer = data::StudyWriter::open(options.study);
    const std::filesystem::path table = options.table;
    const std::vector<std::filesystem::path> files(options.files.begin(), options.files.end());
    const auto rows = data::parseImportTable(textOf(table), options.table, table.parent_path(),
                                             writer.description().space, files);
    ProgressLine line;
    data::ImportOptions how;
    how.fields = options.fields;
    if (how.fields.empty() && !writer.description().simulation.empty())
        how.fields = data::planOf(writer.description()).fields;
    how.fit = meshFitter(options.resample, "(import --resample)");
    how.allTimes = options.allTimes;
    how.cancelled = [&] { return interruption.happened(); };
    how.progress = [&](std::size_t done, std::size_t total) {
        line.show(fmt::format("files {} of {}", done, total));
    };
    const auto report = data::importFiles(writer, rows, how, snapshotReader());
    line.clear();
    const auto study = shellText(options.study);
    if (report.cancelled) {
        writer.close();
        throw Interrupted("Interrupted: what was imported before is in the study; call the same "
                          "command again to go on");
    }
    const auto missing = missingText(writer, report.missing, options.missing);
    const auto csv = missingCsv(writer, report.missing);
    writer.close();
    if (!options.missing.empty())
        writeText(options.missing, csv);
    if (global.json) {
        printJson({{"stored", report.stored},
                   {"already_there", report.alreadyThere},
                   {"hold_outs", report.holdOuts},
                   {"left_out", report.leftOut},
                   {"jobs_done", report.jobsDone},
                   {"missing", report.missing.size()},
                   {"notes", report.notes}});
        return;
    }
    auto text =
        fmt::format("{} for grid points, {} off the grid (hold-outs), {} there already\n",
                    countText(report.stored, "snapshot"), report.holdOuts, report.alreadyThere);
    if (report.leftOut > 0)
        text += fmt::format("{} left out: out of the range, or between the grid's times "
                            "(--all-times takes these as hold-outs)\n",
                            countText(report.leftOut, "snapshot"));
    for (const auto &note : report.notes)
        text += "note: " + note + "\n";
    text += report.missing.empty()
                ? "every grid point has its snapshot\nnext: gridhelm-cli compress " + study + "\n"
                : missing;
    printText(text);
}

} // namespace

void addImportCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "import", "Take snapshots that exist already into a study, with a table of parameters");
    const auto options = std::make_shared<ImportOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    command
        .add_option("files", options->files,
                    "Result files, one for each row (or a column 'file' of the table)")
        ->type_name("FILES");
    command.add_option("--table", options->table, "CSV: names in the first line, then values")
        ->required()
        ->type_name("FILE.csv");
    command.add_option("--missing", options->missing, "Write the grid points still missing")
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
                     "Of series: take times between the grid's, too, as hold-outs");
    command.footer(R"(
A file belongs to a grid point within 1e-6 of the range; the others become hold-outs, to measure
errors with. A time-like parameter may be left out of the table if the files are series (.pvd,
.series), which say their times. May be called again with more files: what is there stays.

The whole way, with files that exist already or are made elsewhere:
  gridhelm-cli plan mine.toml --csv points.csv     # a plan without [simulation]: the points wanted
  gridhelm-cli import mine.gridhelm --table params.csv --missing missing.csv
  gridhelm-cli compress mine.gridhelm --holdout 10

params.csv; names of files are relative to it:
  Re,lid,file
  100,0.5,runs/a.vtu
  550,1.0,runs/b.vtu)");
    command.callback([&global, options] { runImport(global, *options); });
}

} // namespace gridhelm::cli
