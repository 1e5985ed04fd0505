// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/campaign_files.h"

#include "core/support/error.h"
#include "data/mesh/snapshot_file.h"

#include <utility>

namespace gridhelm::data {

namespace {

void readThroughVtk(const std::filesystem::path &path,
                    const std::function<void(RunSnapshot)> &visit, const std::stop_token &stop)
{
    // A file of one moment says nothing about its time.
    const auto ending = path.extension();
    const bool isSeries =
        ending == ".pvd" || ending == ".series" || ending == ".foam" || ending.empty();
    readSnapshotFile(
        path,
        [&](FileSnapshot &&file) {
            RunSnapshot snapshot;
            if (isSeries)
                snapshot.time = file.time;
            snapshot.mesh = std::move(file.mesh);
            snapshot.fields = std::move(file.fields);
            snapshot.values = std::move(file.values);
            snapshot.notes = std::move(file.notes);
            visit(std::move(snapshot));
        },
        stop);
}

MeshFitter meshFitter(bool resample, std::string_view how)
{
    return [resample, how = std::string(how)](const Mesh &mesh, RunSnapshot snapshot) {
        const auto difference = differenceOfMeshes(mesh, snapshot.mesh);
        if (!difference.empty() && !resample)
            throw Error(difference
                        + "; all snapshots must share one mesh, so resample it onto "
                          "the study's "
                        + how);
        if (!difference.empty()) {
            auto on = resampleOnto(mesh, {0,
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

} // namespace

MeshFiles meshFilesThroughVtk()
{
    return {readThroughVtk, meshFitter};
}

} // namespace gridhelm::data
