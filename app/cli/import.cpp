// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "app/cli/study_steps.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "data/campaign/point_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>

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

/// Throws for what cannot be a study, with the way to one: who has files has no study yet.
void requireStudy(const std::string &path)
{
    constexpr std::string_view beginning = "SQLite format 3";
    std::error_code code;
    std::string found(beginning.size(), ' ');
    if (std::filesystem::is_regular_file(path, code))
        std::ifstream(path, std::ios::binary)
            .read(found.data(), static_cast<std::streamsize>(found.size()));
    if (found == beginning)
        return;
    const auto what = std::filesystem::exists(path, code) ? path + " is not a Gridhelm study"
                                                          : "there is no study " + path;
    throw Error(fmt::format("{}: make one from a plan without [simulation], which names your "
                            "parameters and their ranges, with: gridhelm-cli plan mine.toml --out "
                            "mine.gridhelm, then import into that (see gridhelm-cli import --help)",
                            what));
}

void runImport(const GlobalOptions &global, const ImportOptions &options)
{
    if (!options.missing.empty())
        requireWritable(options.missing);
    requireStudy(options.study);
    auto writer = data::StudyWriter::open(options.study);
    ImportStep step;
    step.table = options.table;
    step.files.assign(options.files.begin(), options.files.end());
    step.fields = options.fields;
    step.resample = options.resample;
    step.howToResample = "(import --resample)";
    step.allTimes = options.allTimes;
    const auto report = importStep(writer, step);
    const auto study = shellText(options.study);
    const auto missing = missingText(writer, report.missing, options.missing);
    const auto csv = data::pointCsv(writer.description().space, *writer.grid(), report.missing);
    closeStudy(writer);
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
    auto text = data::importText(report) + "\n";
    if (report.leftOut > 0)
        text += fmt::format("{} left out: out of the range, or between the grid's times "
                            "(--all-times takes these as hold-outs)\n",
                            countText(report.leftOut, "snapshot"));
    for (const auto &note : report.notes)
        text += "note: " + cleanLine(note) + "\n";
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
