// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/study_console.h"
#include "core/support/bytes_text.h"
#include "data/study/copy_study.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>

namespace gridhelm::cli {
namespace {

struct CopyOptions
{
    std::string study;
    std::string copy;
};

void runCopy(const GlobalOptions &global, const CopyOptions &options)
{
    const Interruption interruption;
    ProgressLine line;
    const bool isWhole =
        data::copyStudy(options.study, options.copy, [&](std::uint64_t done, std::uint64_t all) {
            if (line.isDue())
                line.show(fmt::format("pages {} of {}", done, all));
            return !interruption.happened();
        });
    line.clear();
    if (!isWhole)
        throw Interrupted("Interrupted: there is no copy; copy again");
    const auto bytes = std::filesystem::file_size(options.copy);
    if (global.json)
        printJson({{"copy", options.copy}, {"file_bytes", bytes}});
    else
        printText(
            fmt::format("made {} ({})\n", options.copy, bytesText(static_cast<double>(bytes))));
}

} // namespace

void addCopyCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "copy", "Copy a study, also while it is being written: one file, whole or not at all");
    const auto options = std::make_shared<CopyOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    command.add_option("copy", options->copy, "The copy to make")->required()->type_name("FILE");
    command.footer(R"(
The copy is as the study was at one moment. Nothing of the study is changed, and nothing is replaced.

Example:
  gridhelm-cli copy cavity.gridhelm backup/cavity.gridhelm)");
    command.callback([&global, options] { runCopy(global, *options); });
}

} // namespace gridhelm::cli
