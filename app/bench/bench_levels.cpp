// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/level_table.h"
#include "app/bench/measure.h"
#include "app/bench/sample_studies.h"
#include "app/bench/scratch_folder.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "app/machine/environment.h"
#include "core/support/bytes_text.h"
#include "core/support/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <memory>

namespace gridhelm::cli {
namespace {

using nlohmann::json;
using sparse::BoundaryTreatment;

struct BenchLevelsOptions
{
    bench::SampleStudiesOptions samples;
    std::string treatment;
    int maxJobs = 2000;
    int holdOuts = 12;
};

constexpr std::array<sparse::DimensionBasis, 4> bases = {{{BoundaryTreatment::modified, 1},
                                                          {BoundaryTreatment::boundary, 1},
                                                          {BoundaryTreatment::clenshawCurtis, 3},
                                                          {BoundaryTreatment::leja, 1}}};

json jsonOf(const std::vector<bench::LevelRow> &rows)
{
    json result = json::array();
    for (const auto &row : rows)
        result.push_back({{"level", row.level},
                          {"points", row.points},
                          {"jobs", row.jobs},
                          {"file_bytes", row.fileBytes},
                          {"mean_relative_l2", row.meanRelativeL2},
                          {"largest_relative_l2", row.largestRelativeL2}});
    return result;
}

std::string textOf(const data::BuiltInSample &sample, const std::string &treatment,
                   const std::vector<bench::LevelRow> &rows)
{
    auto text = fmt::format("{}, {} of {}\nlevel  points    jobs       file  relative L2    "
                            "largest\n",
                            sample.name, treatment, sample.field);
    for (const auto &row : rows)
        text += fmt::format("{:5} {:7} {:7} {:>10} {:11.3g}% {:9.3g}%\n", row.level, row.points,
                            row.jobs, bytesText(static_cast<double>(row.fileBytes)),
                            100 * row.meanRelativeL2, 100 * row.largestRelativeL2);
    return text;
}

void runBenchLevels(const GlobalOptions &global, const BenchLevelsOptions &options)
{
    if (options.maxJobs < 1 || options.holdOuts < 1)
        throw Error("--max-jobs and --holdout must be at least 1");
    bench::LevelTableOptions table;
    table.maxJobs = static_cast<std::uint64_t>(options.maxJobs);
    table.holdOuts = static_cast<std::size_t>(options.holdOuts);
    table.context = benchContext(global);
    json cases = json::array();
    for (const auto &sample : bench::samplesCalled(options.samples.simulation)) {
        const auto plan =
            data::parsePlan(sample.plan, sample.name, std::filesystem::current_path());
        for (const auto &basis : bases) {
            const std::string treatment(toString(basis.treatment));
            if (!options.treatment.empty() && options.treatment != treatment)
                continue;
            const bench::ScratchFolder folder(options.samples.folder, 0);
            const auto rows = bench::levelTable(plan, basis, folder / "study.gridhelm", table);
            cases.push_back({{"simulation", sample.name},
                             {"field", sample.field},
                             {"treatment", treatment},
                             {"degree", basis.degree},
                             {"rows", jsonOf(rows)}});
            if (global.json)
                continue;
            printText(textOf(sample, treatment, rows) + "\n");
            flushOutput();
        }
    }
    if (global.json)
        printJson({{"benchmark", "levels"},
                   {"environment", app::environmentJson(table.context)},
                   {"hold_outs", options.holdOuts},
                   {"cases", cases}});
}

} // namespace

void addBenchLevelsCommand(CLI::App &parent, const GlobalOptions &global)
{
    auto options = std::make_shared<BenchLevelsOptions>();
    CLI::App &command = *parent.add_subcommand(
        "levels", "How the error off the grid falls as the grids of the built-in simulations grow");
    bench::addSimulationOption(command, options->samples);
    command
        .add_option("--treatment", options->treatment,
                    "Of the parameters: modified, boundary, clenshaw-curtis (degree 3) or leja "
                    "(default: all)")
        ->check(CLI::IsMember({"modified", "boundary", "clenshaw-curtis", "leja"}))
        ->type_name("NAME");
    command
        .add_option("--max-jobs", options->maxJobs, "Stop at the level beyond which there are more")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--holdout", options->holdOuts, "Points off the grid")
        ->type_name("K")
        ->capture_default_str();
    bench::addStudyFolderOption(command, options->samples);
    command.footer(R"(
Real runs, so this takes time: an hour for all of it, on two cores. The points are off the
finest grid, the corners and the middles of the range's faces among them, and the same for every
level.

Examples:
  gridhelm-cli bench levels
  gridhelm-cli bench levels --simulation plate --treatment leja --max-jobs 200 --json)");
    command.callback([&global, options] { runBenchLevels(global, *options); });
}

} // namespace gridhelm::cli
