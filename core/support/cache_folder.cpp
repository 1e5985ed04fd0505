// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/cache_folder.h"

#include <cstdlib>

namespace gridhelm {

std::filesystem::path cacheFolder()
{
    // The XDG Base Directory Specification ignores relative paths.
    if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && cache[0] == '/')
        return std::filesystem::path(cache) / "gridhelm";
    if (const char *home = std::getenv("HOME"); home && home[0] == '/')
        return std::filesystem::path(home) / ".cache" / "gridhelm";
    return {};
}

} // namespace gridhelm
