// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/desk_mark.h"

#include "data/campaign/run_token.h"
#include "data/support/sha256.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sys/stat.h>
#include <unistd.h>

namespace gridhelm::data {

namespace {

constexpr std::size_t partLength = 8;

std::string machineId()
{
    std::string id;
    std::ifstream("/etc/machine-id") >> id;
    if (!id.empty())
        return id;
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

} // namespace

std::string deskMark(const Study &study)
{
    std::error_code ignored;
    const auto path = std::filesystem::weakly_canonical(study.path(), ignored);
    Sha256 place, file, planned;
    place.addItem("gridhelm place").addItem(machineId()).addItem(path.string());
    file.addItem("gridhelm file").addItem(machineId());
    struct stat status = {};
    if (::stat(study.path().c_str(), &status) == 0)
        file.addNumber(status.st_dev).addNumber(status.st_ino);
    planned.addItem("gridhelm study").addItem(study.created());
    return place.hex().substr(0, partLength) + file.hex().substr(0, partLength)
           + planned.hex().substr(0, partLength);
}

MarkParts partsOf(std::string_view mark)
{
    return {mark.substr(0, partLength), mark.substr(partLength, partLength),
            mark.substr(2 * partLength)};
}

bool isSameDesk(std::string_view mark, std::string_view other)
{
    if (mark.empty() || other.empty())
        return true;
    const auto a = partsOf(mark), b = partsOf(other);
    return a.study == b.study && (a.path == b.path || a.file == b.file);
}

bool isOfStudy(std::string_view token, std::string_view mark)
{
    // Of no copy that somebody has made of a folder.
    static const std::regex ownName("[a-z]+-[0-9a-z]+");
    const auto parts = partsOfToken(token);
    return std::regex_match(parts.name, ownName) && !parts.mark.empty() && !mark.empty()
           && isSameDesk(parts.mark, mark);
}

} // namespace gridhelm::data
