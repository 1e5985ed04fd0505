// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "app/cli/study_steps.h"
#include "core/support/parse_numbers.h"
#include "data/campaign/campaign_steps.h"
#include "data/study/undo_growth.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gridhelm::cli {
namespace {

struct GrowOptions
{
    std::string study;
    std::string level;
    std::string caps;
    bool undo = false;
};

void undo(const GlobalOptions &global, const GrowOptions &options)
{
    auto writer = data::StudyWriter::open(options.study);
    const auto growth = data::undoGrowth(writer);
    const auto waiting = data::waitingJobs(writer);
    closeStudy(writer);
    if (global.json)
        printJson({{"level", growth.level},
                   {"removed_points", growth.points},
                   {"removed_jobs", growth.jobs},
                   {"jobs_waiting", waiting}});
    else
        printText(data::undoneText(growth) + "\n");
}

void runGrow(const GlobalOptions &global, const GrowOptions &options)
{
    if (options.undo) {
        undo(global, options);
        return;
    }
    auto writer = data::StudyWriter::open(options.study);
    const auto &description = writer.description();
    const int level =
        options.level.empty() ? description.level : parseInteger(options.level, "--level");
    auto caps = parseIntegers(options.caps, "--caps");
    if (caps.empty())
        caps = levelCapsOf(description.space);
    const auto points = writer.growGrid(level, caps);
    const auto waiting = data::waitingJobs(writer);
    closeStudy(writer);
    if (global.json)
        printJson({{"new_points", points}, {"jobs_waiting", waiting}});
    else
        printText(fmt::format("{} added, {} waiting\nnext: gridhelm-cli run {}\n",
                              countText(points, "point"), countText(waiting, "job"),
                              shellText(options.study)));
}

} // namespace

void addGrowCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "grow", "Add a level to a study's grid; what is computed already stays as it is");
    const auto options = std::make_shared<GrowOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    auto *level =
        command.add_option("--level", options->level, "The new level; by default the present one")
            ->type_name("n");
    auto *caps =
        command.add_option("--caps", options->caps, "New level caps, one for each parameter")
            ->type_name("c,...");
    command
        .add_flag("--undo", options->undo,
                  "Take the points that were added last away again, if none has results")
        ->excludes(level)
        ->excludes(caps);
    command.footer(R"(
A scalar study keeps single values of its runs: those whose new points in space are wanted run
again.

Examples:
  gridhelm-cli grow cavity.gridhelm --level 6
  gridhelm-cli grow cavity.gridhelm --undo
  gridhelm-cli grow plate.gridhelm --level 6 --caps 6,6,3)");
    command.callback([&global, options] { runGrow(global, *options); });
}

} // namespace gridhelm::cli
