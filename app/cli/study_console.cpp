// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_console.h"

#include "core/support/error.h"
#include "data/campaign/fill_template.h"
#ifdef GRIDHELM_HAS_VTK
#include "data/mesh/snapshot_file.h"
#endif

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace gridhelm::cli {

std::string progressText(std::string_view what, const data::CampaignProgress &progress)
{
    auto text = fmt::format("{} {} of {}", what, progress.done, progress.total);
    if (progress.failed > 0)
        text += fmt::format(", {} failed", progress.failed);
    if (progress.secondsRemaining >= 0 && progress.done < progress.total)
        text += fmt::format(", about {} remaining", durationText(progress.secondsRemaining));
    return text;
}

std::string bytesText(double bytes)
{
    constexpr const char *units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    std::size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < std::size(units)) {
        bytes /= 1000;
        ++unit;
    }
    return unit == 0 ? fmt::format("{:.0f} B", bytes)
                     : fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string durationText(double seconds)
{
    const auto whole = static_cast<long long>(std::max(0.0, std::min(seconds, 1e12)) + 0.5);
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string countText(std::uint64_t count, std::string_view noun)
{
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string shellText(const std::filesystem::path &path)
{
    const auto text = path.string();
    if (text.find_first_of(" \t\n'\"\\$`&|;()<>*?[]#~!{}") == std::string::npos)
        return text;
    std::string quoted = "'";
    for (char c : text)
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

std::string pointCsvHeader(const ParameterSpace &space)
{
    std::string line;
    for (const auto &parameter : space.parameters())
        line += (line.empty() ? "" : ",") + parameter.name;
    return line + "\n";
}

std::string pointCsvRow(const std::vector<double> &values)
{
    std::string line;
    for (double value : values)
        line += (line.empty() ? "" : ",") + data::numberText(value);
    return line + "\n";
}

#ifdef GRIDHELM_HAS_VTK
data::SnapshotReader snapshotReader()
{
    return
        [](const std::filesystem::path &path, const std::function<void(data::RunSnapshot)> &visit) {
            // A file of one moment says nothing about its time.
            const auto ending = path.extension();
            const bool isSeries =
                ending == ".pvd" || ending == ".series" || ending == ".foam" || ending.empty();
            data::readSnapshotFile(path, [&](data::FileSnapshot &&file) {
                data::RunSnapshot snapshot;
                if (isSeries)
                    snapshot.time = file.time;
                snapshot.mesh = std::move(file.mesh);
                snapshot.fields = std::move(file.fields);
                snapshot.values = std::move(file.values);
                snapshot.notes = std::move(file.notes);
                visit(std::move(snapshot));
            });
        };
}

data::MeshFitter meshFitter(bool resample, std::string_view how)
{
    return [resample, how = std::string(how)](const data::Mesh &mesh, data::RunSnapshot snapshot) {
        const auto difference = data::differenceOfMeshes(mesh, snapshot.mesh);
        if (!difference.empty() && !resample)
            throw Error(difference
                        + "; all snapshots must share one mesh, so resample it onto "
                          "the study's "
                        + how);
        if (!difference.empty()) {
            auto on = data::resampleOnto(mesh, {0,
                                                std::move(snapshot.mesh),
                                                std::move(snapshot.fields),
                                                std::move(snapshot.values),
                                                {}});
            snapshot.fields = std::move(on.fields);
            snapshot.values = std::move(on.values);
        }
        snapshot.mesh = mesh;
        return snapshot;
    };
}
#else
data::SnapshotReader snapshotReader()
{
    return data::noSnapshotReader();
}

data::MeshFitter meshFitter(bool, std::string_view)
{
    return data::refuseOtherMeshes();
}
#endif

} // namespace gridhelm::cli
