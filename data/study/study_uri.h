// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace gridhelm::data {

/// A path as an SQLite URI, with options ("mode=ro"). Private to data.
std::string uriOf(const std::filesystem::path &path, const std::string &options);

} // namespace gridhelm::data
