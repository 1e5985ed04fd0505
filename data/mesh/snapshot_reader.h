// SPDX-License-Identifier: GPL-3.0-or-later
//
// What campaigns need of mesh files. Who can read them hands a SnapshotReader in (data/mesh, where
// VTK was there when this was built), so that campaigns of built-in simulations need no VTK.
#pragma once

#include "data/mesh/mesh_handling.h"
#include "data/mesh/run_snapshot.h"
#include "data/study/study_types.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// Calls `visit` with every snapshot of a file (a series has several). Throws gridhelm::Error for
/// what it cannot read, and ReadingStopped soon after `stop` was asked for.
using SnapshotReader =
    std::function<void(const std::filesystem::path &path,
                       const std::function<void(RunSnapshot)> &visit, const std::stop_token &stop)>;

/// Whether it names an OpenFOAM case, and holds no results itself.
bool isFoamCase(const std::filesystem::path &path);

/// How far a number may be off that a program prints: six digits, or a millionth of the range.
double numberTolerance(const Parameter &parameter, double wanted);

/// Whether a series means this time of a time-like parameter.
bool isSameTime(const Parameter &time, double wanted, double written);

/// One that throws gridhelm::Error: this program was built without VTK.
SnapshotReader noSnapshotReader();

/// Brings a snapshot onto the study's mesh; null: it has none yet, and gets that of the snapshot
/// which is returned. Throws gridhelm::Error with what is different if that cannot be, or was not
/// asked for. One thread at a time.
using MeshFitter = std::function<RunSnapshot(const Mesh *mesh, RunSnapshot snapshot)>;

/// One that throws for any mesh that is not byte for byte the study's.
MeshFitter refuseOtherMeshes();

/// What a mesh's cells, or its points, weigh in norms, by their volumes (entityWeights()): as many
/// as it has. Empty where that is not known.
using VolumesOfMesh = std::function<std::vector<double>(const Mesh &mesh, Association of)>;

/// All of it, as who knows mesh files hands it in; without VTK there is nothing.
struct MeshFiles
{
    SnapshotReader read = noSnapshotReader();
    /// Where other meshes are refused, the sentence says `how` to ask for more:
    /// "(import --resample)".
    std::function<MeshFitter(const MeshHandling &handling, std::string_view how)> fitter =
        [](const MeshHandling &, std::string_view) { return refuseOtherMeshes(); };
    VolumesOfMesh volumes = {};
    /// leaveOutMissing(), and addWholeBody() of what lacks nothing.
    std::function<std::size_t(RunSnapshot &)> leaveOutMissing = [](RunSnapshot &) { return 0; };
    std::function<void(RunSnapshot &)> addWholeBody = {};
};

/// The snapshot without the fields that are not in `names` (empty: all are kept). Throws
/// gridhelm::Error, with the names there are, if one is missing or none is left.
RunSnapshot keepFields(RunSnapshot snapshot, const std::vector<std::string> &names);

} // namespace gridhelm::data
