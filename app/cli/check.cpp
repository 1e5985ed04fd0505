// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/check.h"
#include "app/cli/commands.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/study_console.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"

#ifdef GRIDHELM_HAS_VTK
#include "data/mesh/mesh_codec.h"
#endif

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gridhelm::cli {
namespace {

void run(const GlobalOptions &global, const std::string &path)
{
    const Interruption interruption;
    ProgressLine line;
    data::CheckOptions options;
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
        line.show(fmt::format("blobs {} of {}", done, total));
        return !interruption.happened();
    };
#ifdef GRIDHELM_HAS_VTK
    options.requireSoundMesh = [](const data::Mesh &mesh) { data::decodeMesh(mesh); };
#endif
    const auto report = data::check(path, options);
    line.clear();
    if (report.cancelled)
        throw Interrupted("Interrupted before everything was checked; check again");
    printNote(report.notice);
    if (global.json) {
        printJson({{"sound", report.problems.empty()},
                   {"notice", report.notice},
                   {"problems", report.problems},
                   {"blobs", report.blobs}});
    } else {
        std::string text;
        for (const auto &problem : report.problems)
            text += cleanLine(problem) + "\n";
        if (report.problems.empty())
            text = fmt::format("{} is sound; {} compared\n", path,
                               countText(report.blobs, "checksum"));
        printText(text);
    }
    if (!report.problems.empty())
        throw Error(fmt::format("{} is not sound: {}; restore it from a copy", path,
                                countText(report.problems.size(), "problem")));
}

} // namespace

void addCheckCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand("check", "Check that nothing in a study is damaged");
    const auto path = std::make_shared<std::string>();
    command.add_option("study", *path, "The study")->required()->type_name("STUDY");
    command.footer(R"(
Reads everything, compares every checksum, and changes nothing.

Example:
  gridhelm-cli check cavity.gridhelm)");
    command.callback([&global, path] { run(global, *path); });
}

} // namespace gridhelm::cli
