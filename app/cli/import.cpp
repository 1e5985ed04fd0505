// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "core/support/error.h"
#include "data/campaign/import_files.h"
#include "data/campaign/plan_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <memory>

namespace gridhelm::cli {
namespace {

struct Options
{
    std::string study;
    std::string table;
    std::vector<std::string> files;
    std::string missing;
};

std::string textOf(const std::filesystem::path &path)
{
    std::error_code code;
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file || !std::filesystem::is_regular_file(path, code))
        throw Error("The table " + path.string() + " cannot be read; name a CSV file");
    return text;
}

void run(const GlobalOptions &global, const Options &options)
{
    if (!options.missing.empty())
        requireWritable(options.missing);
    auto writer = data::StudyWriter::open(options.study);
    const auto &space = writer.description().space;
    const std::filesystem::path table = options.table;
    const std::vector<std::filesystem::path> files(options.files.begin(), options.files.end());
    const auto rows =
        data::parseImportTable(textOf(table), options.table, table.parent_path(), space, files);
    std::vector<std::string> fields;
    if (!writer.description().simulation.empty())
        fields = data::planOf(writer.description()).fields;
    const auto report = data::importFiles(writer, rows, fields, snapshotReader());
    std::string missing;
    for (const auto &parameter : space.parameters())
        missing += (missing.empty() ? "" : ",") + parameter.name;
    missing += "\n";
    for (auto point : report.missing) {
        std::string line;
        for (double value : space.valuesAt(*writer.grid(), point))
            line += fmt::format("{}{}", line.empty() ? "" : ",", value);
        missing += line + "\n";
    }
    writer.close();
    if (!options.missing.empty())
        writeText(options.missing, missing);
    if (global.json) {
        printJson({{"stored", report.stored},
                   {"already_there", report.alreadyThere},
                   {"hold_outs", report.holdOuts},
                   {"jobs_done", report.jobsDone},
                   {"missing", report.missing.size()}});
        return;
    }
    auto text =
        fmt::format("{} for grid points, {} off the grid (hold-outs), {} there already\n",
                    countText(report.stored, "snapshot"), report.holdOuts, report.alreadyThere);
    if (report.missing.empty())
        text += fmt::format("every grid point has its snapshot\nnext: gridhelm-cli compress {}\n",
                            shellText(options.study));
    else if (options.missing.empty())
        text += fmt::format("{} still MISSING; list them with --missing FILE.csv\n",
                            countText(report.missing.size(), "grid point"));
    else
        text += fmt::format("{} still MISSING, listed in {}\n",
                            countText(report.missing.size(), "grid point"), options.missing);
    printText(text);
}

} // namespace

void addImportCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "import", "Take snapshots that exist already into a study, with a table of parameters");
    const auto options = std::make_shared<Options>();
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
    command.footer(R"(
A file belongs to a grid point within 1e-6 of the range; the others become hold-outs, to measure
errors with. A time-like parameter may be left out of the table if the files say their time.

Example, params.csv:
  Re,lid,file
  100,0.5,runs/a.vtu
  550,1.0,runs/b.vtu
gridhelm-cli import mine.gridhelm --table params.csv --missing missing.csv)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
