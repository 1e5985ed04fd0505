// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stencil/generated_folder.h"

#include "core/support/descriptor.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace gridhelm::data {

namespace {

[[noreturn]] void refuseToMake(const std::filesystem::path &folder, const std::string &why)
{
    throw Error(fmt::format("{} cannot be made ({}); give the name of a folder that can",
                            folder.string(), why));
}

/// The first one above it that is there.
std::filesystem::path folderAbove(const std::filesystem::path &folder)
{
    std::error_code failed;
    auto above = std::filesystem::absolute(folder, failed).parent_path();
    while (above != above.root_path() && ::access(above.c_str(), F_OK) != 0 && errno == ENOENT)
        above = above.parent_path();
    return above;
}

} // namespace

void requireNewFolder(const std::filesystem::path &folder)
{
    std::error_code failed;
    const auto status = std::filesystem::symlink_status(folder, failed);
    if (std::filesystem::exists(status) && !std::filesystem::is_directory(status))
        throw Error(folder.string() + " is no folder; give the name of a new one");
    if (std::filesystem::exists(status)) {
        if (std::filesystem::is_empty(folder, failed))
            return;
        throw Error(folder.string()
                    + " is not empty, and nothing in it is to be lost; give the name of a new "
                      "folder, or empty this one");
    }
    const auto above = folderAbove(folder);
    if (!std::filesystem::is_directory(above, failed))
        refuseToMake(folder, above.string() + " is no folder");
    if (::access(above.c_str(), W_OK | X_OK) != 0)
        refuseToMake(folder, std::strerror(errno));
}

void writeNewFolder(const std::filesystem::path &folder,
                    const std::map<std::string, std::string> &files)
{
    requireNewFolder(folder);
    std::error_code failed;
    const bool isNew = !std::filesystem::exists(folder, failed);
    if (isNew && !std::filesystem::create_directories(folder, failed))
        refuseToMake(folder, failed.message());
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
