// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/private_folder.h"

#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

namespace gridhelm {

bool makePrivateFolder(const std::filesystem::path &path)
{
    if (path.empty() || ::access(path.c_str(), F_OK) == 0)
        return true;
    return makePrivateFolder(path.parent_path())
           && (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST);
}

} // namespace gridhelm
