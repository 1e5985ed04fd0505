// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace gridhelm {

/// That folder with those above it that are not there, all of them for this user alone, whatever
/// the user's mask; what is there stays as it is. False, with errno, if one cannot be made. Any
/// thread, any process beside.
bool makePrivateFolder(const std::filesystem::path &path);

} // namespace gridhelm
