// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/study_console.h"
#include "data/study/compact_study.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace gridhelm::cli {
namespace {

void runCompact(const GlobalOptions &global, const std::string &study)
{
    const Interruption interruption;
    ProgressLine line;
    const auto report = data::compactStudy(study, [&](double share) {
        if (line.isDue())
            line.show(fmt::format("{:.0f} %", 100 * share));
        return !interruption.happened();
    });
    line.clear();
    if (report.cancelled)
        throw Interrupted("Interrupted: the study is as before; compact it again");
    printNote(report.notice);
    if (global.json)
        printJson({{"study", study},
                   {"bytes_before", report.before},
                   {"bytes_after", report.after},
                   {"notice", report.notice}});
    else
        printText(fmt::format("{}: {}\n", study, data::compactText(report)));
}

} // namespace

void addCompactCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "compact", "Give a study's unused space back to the disk, POD modes one after the other");
    const auto study = std::make_shared<std::string>();
    command.add_option("study", *study, "The study")->required()->type_name("STUDY");
    command.footer(R"(
Nothing that the study holds is changed. Who reads it goes on; it takes twice as much space on its disk as is
in use for a moment, and little memory. Interrupted (Ctrl+C), the study is as before. compress does it by
itself where a tenth of the file or more has become unused.

Example:
  gridhelm-cli compact cavity.gridhelm)");
    command.callback([&global, study] { runCompact(global, *study); });
}

} // namespace gridhelm::cli
