// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/snapshot_reader.h"
#include "data/study/study_writer.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gridhelm::data {

/// Puts runs' snapshots into a study. The first one says what mesh and fields the study has; later
/// ones must have all of these fields, others are left out.
class SnapshotStore
{
public:
    /// `fit` brings snapshots on other meshes onto the study's, or refuses them.
    SnapshotStore(StudyWriter &writer, MeshFitter fit);

    /// Does beforehand what takes most of the time of the next ones: to be called by any thread,
    /// without a transaction.
    static RunSnapshot packed(const StudyWriter &writer, RunSnapshot snapshot);

    /// All throw gridhelm::Error for what does not fit the study; to be called in a transaction.
    void putPoint(std::uint64_t point, RunSnapshot snapshot);
    void putHoldOut(const std::vector<double> &parameters, RunSnapshot snapshot);
    /// The same of a training run (Study::trainingRuns()): the mean of at least one snapshot.
    /// Returns its number.
    std::int64_t putTrainingRun(const std::vector<double> &parameters,
                                std::vector<RunSnapshot> snapshots);

    /// To be called when a transaction was not committed: what it had said about the mesh is void.
    void forget()
    {
        m_mesh = m_writer.mesh();
        m_notes.clear();
    }

    /// Sentences about what was noticed while snapshots were brought onto the study's mesh, since
    /// this was last asked.
    std::set<std::string> takeNotes();

private:
    RunSnapshot fitted(RunSnapshot snapshot);
    void putRun(std::int64_t id, const RunSnapshot &snapshot);

    StudyWriter &m_writer;
    MeshFitter m_fit;
    std::optional<Mesh> m_mesh;
    std::set<std::string> m_notes;
};

} // namespace gridhelm::data
