// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/campaign_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace gridhelm::data {

std::string progressText(std::string_view what, const CampaignProgress &progress)
{
    auto text = fmt::format("{} {} of {}", what, progress.done, progress.total);
    if (progress.failed > 0)
        text += fmt::format(", {} failed", progress.failed);
    if (progress.secondsRemaining >= 0 && progress.done < progress.total)
        text += fmt::format(", about {} remaining", durationText(progress.secondsRemaining));
    return text;
}

std::string costText(const PlanCost &cost)
{
    auto text = fmt::format("{}, {}", countText(cost.points, "point"), countText(cost.jobs, "job"));
    if (cost.bytes > 0)
        text += fmt::format(", about {}", bytesText(cost.bytes));
    return text;
}

std::string bytesText(double bytes)
{
    constexpr const char *units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    std::size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < std::size(units)) {
        bytes /= 1000;
        ++unit;
    }
    return unit == 0 ? fmt::format("{:.0f} B", bytes)
                     : fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string durationText(double seconds)
{
    const auto whole = static_cast<long long>(std::max(0.0, std::min(seconds, 1e12)) + 0.5);
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string countText(std::uint64_t count, std::string_view noun)
{
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

} // namespace gridhelm::data
