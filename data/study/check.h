// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gridhelm::data {

struct CheckReport
{
    std::vector<std::string> problems; ///< one sentence each; empty: the study is sound
    std::string notice;                ///< see Study::notice()
    std::uint64_t blobs = 0;           ///< whose checksums were compared
    bool cancelled = false;
};

struct CheckOptions
{
    /// progress(done, total) counts blobs, and returns false to stop.
    std::function<bool(std::uint64_t, std::uint64_t)> progress = {};
    /// Throws gridhelm::Error for a mesh that cannot be drawn: data/mesh has it. Without it, meshes
    /// are decoded as far as that needs no VTK.
    std::function<void(const Mesh &)> requireSoundMesh = {};
};

/// Opens the file for reading and checks everything: SQLite's own integrity check, foreign keys,
/// the checksums of every row, every blob and every table, that all values are finite, that the
/// mesh can be decoded and fits the fields, and that points, jobs, snapshots and coefficients fit
/// the grid. A file that cannot be opened as a study is one problem.
CheckReport check(const std::filesystem::path &path, const CheckOptions &options = {});

} // namespace gridhelm::data
