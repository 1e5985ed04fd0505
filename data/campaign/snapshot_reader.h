// SPDX-License-Identifier: GPL-3.0-or-later
//
// What campaigns need of mesh files. Who can read them hands a SnapshotReader in (data/mesh, where
// VTK was there when this was built), so that campaigns of built-in simulations need no VTK.
#pragma once

#include "data/study/blob_codec.h"
#include "data/study/study_types.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// All fields of one moment.
struct RunSnapshot
{
    std::optional<double> time; ///< as the file says; nothing if it does not
    Mesh mesh;
    std::vector<Field> fields;
    std::vector<std::vector<float>> values; ///< one list for each of `fields`
    std::vector<std::string> notes = {};    ///< sentences about what was left out
    std::vector<PackedParts> packed = {};   ///< of each of `values`, or none: StudyWriter::packed
};

/// Reading has ended because somebody asked for it. No gridhelm::Error: nothing is wrong.
struct ReadingStopped
{};

/// Calls `visit` with every snapshot of a file (a series has several). Throws gridhelm::Error for
/// what it cannot read, and ReadingStopped soon after `stop` was asked for.
using SnapshotReader =
    std::function<void(const std::filesystem::path &path,
                       const std::function<void(RunSnapshot)> &visit, const std::stop_token &stop)>;

/// Whether a series means this time of a time-like parameter: programs print six digits.
bool isSameTime(const Parameter &time, double wanted, double written);

/// One that throws gridhelm::Error: this program was built without VTK.
SnapshotReader noSnapshotReader();

/// Brings a snapshot onto the study's mesh, which is not byte for byte its own. Throws
/// gridhelm::Error with what is different if that cannot be, or was not asked for.
using MeshFitter = std::function<RunSnapshot(const Mesh &mesh, RunSnapshot snapshot)>;

/// One that always throws.
MeshFitter refuseOtherMeshes();

/// Both, as who knows mesh files hands them in; without VTK there are neither.
struct MeshFiles
{
    SnapshotReader read = noSnapshotReader();
    /// One that resamples snapshots on other meshes, or refuses them and says `how` to ask for it:
    /// "(import --resample)".
    std::function<MeshFitter(bool resample, std::string_view how)> fitter =
        [](bool, std::string_view) { return refuseOtherMeshes(); };
};

/// The snapshot without the fields that are not in `names` (empty: all are kept). Throws
/// gridhelm::Error, with the names there are, if one is missing or none is left.
RunSnapshot keepFields(RunSnapshot snapshot, const std::vector<std::string> &names);

} // namespace gridhelm::data
