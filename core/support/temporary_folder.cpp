// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/temporary_folder.h"

#include <cstdlib>
#include <filesystem>

namespace gridhelm {

void forgetMissingTemporaryFolders()
{
    for (const char *name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
        const char *folder = std::getenv(name);
        std::error_code failed;
        if (folder && !std::filesystem::is_directory(folder, failed))
            ::unsetenv(name);
    }
}

} // namespace gridhelm
