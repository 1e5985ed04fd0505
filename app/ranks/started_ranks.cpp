// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ranks/started_ranks.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace gridhelm::app {
namespace {

std::optional<int> numberIn(const char *name)
{
    const char *text = std::getenv(name);
    if (text == nullptr)
        return std::nullopt;
    int number = 0;
    const char *end = text + std::strlen(text);
    const auto [next, error] = std::from_chars(text, end, number);
    return error == std::errc{} && next == end && number >= 0 ? std::optional(number)
                                                              : std::nullopt;
}

struct Names
{
    const char *count;
    const char *number;
};
constexpr std::array<Names, 2> launchers{
    {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}}};

} // namespace

StartedRanks startedRanks()
{
    for (const auto &names : launchers) {
        const auto count = numberIn(names.count);
        const auto number = numberIn(names.number);
        if (count && number && *number < *count)
            return {*number, *count};
    }
    return {};
}

} // namespace gridhelm::app
