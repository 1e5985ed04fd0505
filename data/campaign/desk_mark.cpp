// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/desk_mark.h"

#include "data/support/sha256.h"

#include <array>
#include <fstream>
#include <regex>
#include <sys/stat.h>
#include <unistd.h>

namespace gridhelm::data {

namespace {

constexpr std::size_t markHalf = 8;

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

std::string deskMark(const std::filesystem::path &study)
{
    std::error_code ignored;
    const auto path = std::filesystem::weakly_canonical(study, ignored);
    Sha256 place, file;
    place.addItem("gridhelm place").addItem(machineId()).addItem(path.string());
    file.addItem("gridhelm file").addItem(machineId());
    struct stat status = {};
    if (::stat(study.c_str(), &status) == 0)
        file.addNumber(status.st_dev).addNumber(status.st_ino);
    return place.hex().substr(0, markHalf) + file.hex().substr(0, markHalf);
}

std::string markIn(std::string_view token)
{
    static const std::regex form("-([0-9a-f]{16})-[0-9a-f]{32}");
    std::cmatch found;
    return std::regex_search(token.data(), token.data() + token.size(), found, form)
               ? found[1].str()
               : std::string();
}

bool isSameDesk(std::string_view mark, std::string_view other)
{
    return mark.empty() || other.empty() || mark.substr(0, markHalf) == other.substr(0, markHalf)
           || mark.substr(markHalf) == other.substr(markHalf);
}

} // namespace gridhelm::data
