// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace gridhelm {

/// Where this program keeps for this user what it could find out again: $XDG_CACHE_HOME/gridhelm,
/// else ~/.cache/gridhelm. It need not exist yet. Empty if the user has no such place.
std::filesystem::path cacheFolder();

} // namespace gridhelm
