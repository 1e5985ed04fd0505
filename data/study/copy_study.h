// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace gridhelm::data {

/// Makes `copy`, a study of one file that is as `study` was at one moment, also while it is being
/// written, and with what a killed program has left in its log. Whole or not at all.
/// `progress(pages done, pages in all)` returns false to stop; then there is no copy, and false is
/// returned. Throws gridhelm::Error if there is a file of that name, or `study` cannot be opened;
/// StorageError if the copy cannot be written.
bool copyStudy(const std::filesystem::path &study, const std::filesystem::path &copy,
               const std::function<bool(std::uint64_t, std::uint64_t)> &progress = {});

} // namespace gridhelm::data
