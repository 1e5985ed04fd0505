// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/check.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/study_console.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "data/compress/verify_modes.h"

#ifdef GRIDHELM_HAS_VTK
#include "data/mesh/mesh_codec.h"
#endif

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gridhelm::cli {
namespace {

/// What modes in few bits may add, measured again where that is possible. Whether it was
/// everywhere.
bool verifyBounds(const GlobalOptions &global, const std::string &path,
                  const std::function<bool()> &stop, std::vector<std::string> &bounds,
                  std::vector<std::string> &problems)
{
    const auto study = data::Study::open(path);
    bool areMeasured = true;
    for (const auto &verified :
         data::verifyModes(study, meshFiles().volumes, executionContext(global).cpu(), stop)) {
        const auto text = data::verifiedText(verified, study.fields()[verified.field].name);
        (verified.isKept() ? bounds : problems).push_back(text);
        areMeasured = areMeasured && verified.isMeasured();
    }
    return areMeasured;
}

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
    std::vector<std::string> bounds;
    auto problems = report.problems;
    bool areMeasured = false;
    if (problems.empty() && !report.cancelled)
        areMeasured = verifyBounds(
            global, path, [&] { return interruption.happened(); }, bounds, problems);
    if (report.cancelled || interruption.happened())
        throw Interrupted("Interrupted before everything was checked; check again");
    printNote(report.notice);
    if (global.json) {
        printJson({{"sound", problems.empty()},
                   {"notice", report.notice},
                   {"problems", problems},
                   {"bounds", bounds},
                   {"measured", areMeasured},
                   {"blobs", report.blobs}});
    } else {
        std::string text;
        for (const auto &problem : problems)
            text += cleanLine(problem) + "\n";
        if (problems.empty())
            text = fmt::format("{} is sound; {} compared\n", path,
                               countText(report.blobs, "checksum"));
        for (const auto &bound : bounds)
            text += cleanLine(bound) + "\n";
        printText(text);
    }
    if (!problems.empty())
        throw Error(fmt::format("{} is not sound: {}; restore it from a copy", path,
                                countText(problems.size(), "problem")));
}

} // namespace

void addCheckCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand("check", "Check that nothing in a study is damaged");
    const auto path = std::make_shared<std::string>();
    command.add_option("study", *path, "The study")->required()->type_name("STUDY");
    command.footer(R"(
Reads everything, compares every checksum, and changes nothing. What quantised POD modes add to the
error (compress --error) is measured again beside the snapshots, or beside exact coefficients where
snapshots have been dropped; where neither is kept (kriging), or this program does not know the
volumes of the mesh's cells, the recorded bound stands ("measured": false).

Example:
  gridhelm-cli check cavity.gridhelm)");
    command.callback([&global, path] { run(global, *path); });
}

} // namespace gridhelm::cli
