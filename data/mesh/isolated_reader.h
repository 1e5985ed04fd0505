// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/snapshot_file.h"

#include <filesystem>
#include <functional>

namespace gridhelm::data {

/// Runs `read` in a child process, and hands what it gives to its argument over to `visit` here.
/// A child that crashes, or takes longer than `seconds` of processor time, becomes a
/// gridhelm::Error about `path`; so does what `read` throws.
void readIsolated(
    const std::filesystem::path &path, unsigned seconds,
    const std::function<void(const std::function<void(const FileSnapshot &)> &)> &read,
    const std::function<void(FileSnapshot &&)> &visit);

} // namespace gridhelm::data
