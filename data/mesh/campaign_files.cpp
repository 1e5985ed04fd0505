// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/campaign_files.h"

#include "core/support/error.h"
#include "data/mesh/background.h"
#include "data/mesh/entity_volumes.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_motion.h"
#include "data/mesh/missing_values.h"
#include "data/mesh/snapshot_file.h"
#include "data/study/geometry_fields.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
        [&](RunSnapshot &&snapshot) {
            if (!isSeries)
                snapshot.time.reset();
            visit(std::move(snapshot));
        },
        stop);
}

RunSnapshot onSharedMesh(const Mesh &mesh, RunSnapshot snapshot, bool resample,
                         const std::string &how)
{
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
}

/// One more field of the snapshot.
void addPointField(RunSnapshot &snapshot, std::string_view name, int components,
                   std::vector<float> values)
{
    const std::string text(name);
    for (const auto &field : snapshot.fields)
        if (field.name == text)
            throw Error("the result has a field " + text
                        + " itself, which is what the study calls its own; give it another name");
    snapshot.fields.push_back({text, {}, components, Association::point, snapshot.mesh.points});
    snapshot.values.push_back(std::move(values));
}

/// Keeps what it has found out about the study's mesh, and the last other one: a run's times share
/// theirs.
class MovingFitter
{
public:
    RunSnapshot operator()(const Mesh *mesh, RunSnapshot snapshot)
    {
        const Mesh study = mesh ? *mesh : movable(snapshot.mesh);
        auto motion = motionBetween(study, snapshot.mesh);
        if (!motion.difference.empty())
            throw Error(motion.difference
                        + "; a mesh that moves (kind = \"moving\" in the plan's [mesh]) has the "
                          "same cells in all runs, so let the program map one mesh, or lay a "
                          "background grid under all of them (kind = \"background\")");
        if (!m_cells || study != m_study) {
            m_study = study;
            m_cells = std::make_shared<const InvertedCells>(*decodeMesh(study));
        }
        if (const auto inverted = m_cells->count(motion.displacement); inverted > 0)
            snapshot.notes.push_back(
                std::to_string(inverted) + " of " + std::to_string(m_cells->cells())
                + " cells are turned inside out beside the study's mesh (inverted)");
        snapshot.mesh = study;
        addPointField(snapshot, displacementField, 3, std::move(motion.displacement));
        return snapshot;
    }

private:
    Mesh m_study;
    std::shared_ptr<const InvertedCells> m_cells;
};

class BackgroundFitter
{
public:
    explicit BackgroundFitter(BackgroundGrid grid)
        : m_grid(std::move(grid))
    {
    }

    RunSnapshot operator()(const Mesh *mesh, RunSnapshot snapshot)
    {
        if (mesh && mesh->kind != "image")
            throw Error("the study's mesh is no background grid, as its first results came before "
                        "the plan's [mesh] said so; plan a new study for them");
        const bool hasCells = std::ranges::any_of(snapshot.fields, [](const Field &field) {
            return field.association == Association::cell;
        });
        auto study = mesh ? *mesh : backgroundMesh(m_grid, snapshot.mesh);
        if (!m_sampling || snapshot.mesh != m_last || study != m_study || hasCells != m_hasCells) {
            m_sampling = std::make_shared<const BackgroundSampling>(
                study, snapshot.mesh, hasCells ? CellValues::linear : CellValues::constant);
            m_hasCells = hasCells;
            m_last = snapshot.mesh;
            m_study = study;
        }
        for (std::size_t f = 0; f < snapshot.fields.size(); ++f) {
            snapshot.values[f] = m_sampling->sample(snapshot.fields[f], snapshot.values[f]);
            snapshot.fields[f].association = Association::point;
            snapshot.fields[f].entities = study.points;
        }
        snapshot.mesh = std::move(study);
        addPointField(snapshot, distanceField, 1, m_sampling->distance());
        return snapshot;
    }

private:
    BackgroundGrid m_grid;
    Mesh m_study, m_last;
    bool m_hasCells = false; ///< that m_sampling knows of
    std::shared_ptr<const BackgroundSampling> m_sampling;
};

MeshFitter meshFitter(const MeshHandling &handling, std::string_view how)
{
    switch (handling.kind) {
    case MeshKind::moving:
        return MovingFitter();
    case MeshKind::background:
        return BackgroundFitter(handling.background);
    case MeshKind::shared:
    case MeshKind::resampled:
        break;
    }
    return [resample = handling.kind == MeshKind::resampled,
            how = std::string(how)](const Mesh *mesh, RunSnapshot snapshot) {
        if (!mesh || *mesh == snapshot.mesh)
            return snapshot;
        return onSharedMesh(*mesh, std::move(snapshot), resample, how);
    };
}

} // namespace

MeshFiles meshFilesThroughVtk()
{
    return {readThroughVtk, meshFitter,
            [](const Mesh &mesh, Association of) { return entityWeights(mesh, of); },
            leaveOutMissing, addWholeBody};
}

} // namespace gridhelm::data
