// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/run_token.h"

#include <fmt/format.h>

#include <random>
#include <regex>

namespace gridhelm::data {

std::string newToken(std::string_view name, RaisedLimits raised, std::string_view mark,
                     std::string_view what)
{
    std::random_device random; // of the system: no two programs draw the same
    const auto more =
        raised.total() > 0 ? fmt::format("-t{}m{}", raised.time, raised.memory) : std::string();
    std::string whose;
    if (!mark.empty())
        whose = fmt::format("-{}{}{}", mark, what.empty() ? "" : "-", what);
    return fmt::format("{}{}{}-{:08x}{:08x}{:08x}{:08x}", name, more, whose, random(), random(),
                       random(), random());
}

RunToken partsOfToken(std::string_view token)
{
    static const std::regex form(
        "(.+?)(?:-t([0-9]{1,2})m([0-9]{1,2}))?(?:-([0-9a-f]{24})(?:-([0-9a-f]{8}))?)?"
        "-[0-9a-f]{32}");
    std::cmatch found;
    if (!std::regex_match(token.data(), token.data() + token.size(), found, form))
        return {};
    RunToken parts{found[1], {}, found[4], found[5]};
    if (found[2].matched)
        parts.raised = {std::stoi(found[2]), std::stoi(found[3])};
    return parts;
}

bool mayRunThis(const RunToken &token, std::string_view what)
{
    return token.what.empty() || what.empty() || token.what == what;
}

} // namespace gridhelm::data
