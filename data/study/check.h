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
    std::uint64_t blobs = 0;           ///< whose checksums were compared
    bool cancelled = false;
};

/// Opens the file for reading and checks everything: SQLite's own integrity check, foreign keys,
/// the checksum of every blob, and that points, jobs, snapshots and coefficients fit the grid. A
/// file that cannot be opened as a study is one problem. `progress(done, total)` counts blobs and
/// returns false to stop.
CheckReport check(const std::filesystem::path &path,
                  const std::function<bool(std::uint64_t, std::uint64_t)> &progress = {});

} // namespace gridhelm::data
