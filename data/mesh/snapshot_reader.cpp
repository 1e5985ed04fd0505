// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/snapshot_reader.h"

#include "core/support/error.h"
#include "core/support/lowered.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::data {

SnapshotReader noSnapshotReader()
{
    return [](const std::filesystem::path &path, const std::function<void(RunSnapshot)> &,
              const std::stop_token &) {
        throw Error("The file " + path.string()
                    + " cannot be read, because this program was built without VTK; install "
                      "libvtk9-dev, and build it again");
    };
}

bool isFoamCase(const std::filesystem::path &path)
{
    return lowered(path.extension().string()) == ".foam" || path.filename() == "controlDict";
}

double numberTolerance(const Parameter &parameter, double wanted)
{
    return std::max(1e-6 * (parameter.high - parameter.low), 1e-5 * std::abs(wanted));
}

bool isSameTime(const Parameter &time, double wanted, double written)
{
    return std::abs(wanted - written) <= numberTolerance(time, wanted);
}

MeshFitter refuseOtherMeshes()
{
    return [](const Mesh *mesh, RunSnapshot snapshot) -> RunSnapshot {
        if (!mesh || *mesh == snapshot.mesh)
            return snapshot;
        const auto text = [](const Mesh &of) {
            return of.kind + ", " + std::to_string(of.points) + " points, "
                   + std::to_string(of.cells) + " cells";
        };
        throw Error("the mesh (" + text(snapshot.mesh) + ") differs from the study's ("
                    + text(*mesh) + "); all snapshots must share one mesh");
    };
}

RunSnapshot keepFields(RunSnapshot snapshot, const std::vector<std::string> &names)
{
    if (snapshot.fields.empty())
        throw Error("the file has no fields; a result needs at least one");
    if (names.empty())
        return snapshot;
    RunSnapshot kept{snapshot.time, std::move(snapshot.mesh), {}, {}, std::move(snapshot.notes)};
    for (const auto &name : names) {
        const auto found = std::find_if(snapshot.fields.begin(), snapshot.fields.end(),
                                        [&](const auto &field) { return field.name == name; });
        if (found == snapshot.fields.end()) {
            std::string known;
            for (const auto &field : snapshot.fields)
                known += (known.empty() ? "" : ", ") + field.name;
            throw Error("the result has no field '" + name + "'; it has: " + known);
        }
        const auto index = static_cast<std::size_t>(found - snapshot.fields.begin());
        kept.fields.push_back(*found);
        kept.values.push_back(std::move(snapshot.values[index]));
        if (!snapshot.packed.empty())
            kept.packed.push_back(std::move(snapshot.packed[index]));
    }
    return kept;
}

} // namespace gridhelm::data
