// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stencil/generated_folder.h"

#include "core/support/descriptor.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <fcntl.h>

#include <cerrno>
#include <cstring>

namespace gridhelm::data {

void writeNewFolder(const std::filesystem::path &folder,
                    const std::map<std::string, std::string> &files)
{
    std::error_code failed;
    const auto status = std::filesystem::symlink_status(folder, failed);
    if (std::filesystem::exists(status) && !std::filesystem::is_directory(status))
        throw Error(folder.string() + " is no folder; give the name of a new one");
    const bool isNew = !std::filesystem::exists(status);
    if (!isNew && !std::filesystem::is_empty(folder, failed))
        throw Error(folder.string()
                    + " is not empty, and nothing in it is to be lost; give the name of a new "
                      "folder, or empty this one");
    if (isNew && !std::filesystem::create_directories(folder, failed))
        throw Error(fmt::format("{} cannot be made ({}); give the name of a folder that can",
                                folder.string(), failed.message()));
    std::vector<std::filesystem::path> written;
    for (const auto &[name, text] : files) {
        const auto path = folder / name;
        const Descriptor file(
            ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
        if (file)
            written.push_back(path);
        if (file && writeAll(file.get(), text))
            continue;
        const int code = errno;
        for (const auto &done : written)
            std::filesystem::remove(done, failed);
        if (isNew)
            std::filesystem::remove(folder, failed);
        throw Error(fmt::format("{} could not be written ({}): check that its folder may be "
                                "written to and has space",
                                path.string(), std::strerror(code)));
    }
}

} // namespace gridhelm::data
