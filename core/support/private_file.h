// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace gridhelm {

/// What this program has written for this user and now believes. Nothing if there is no such file.
/// Throws Error if it is no regular file (a link is none), is another user's, can be written by
/// others, is longer than `mostBytes`, or cannot be read: `what` is what it is, "the table of tuned
/// constants".
std::optional<std::string> readPrivateFile(const std::filesystem::path &path, std::size_t mostBytes,
                                           const std::string &what);

/// Writes such a file, whole or not at all: nobody else may ever write it, and a link in its place
/// is replaced. Throws Error if that cannot be.
void writePrivateFile(const std::filesystem::path &path, std::string_view text);

} // namespace gridhelm
