// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/slurm_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace gridhelm::data {

namespace {

constexpr std::int64_t perMinute = 60, perHour = 60 * perMinute, perDay = 24 * perHour;
constexpr std::int64_t mostAskedFor = std::int64_t{1} << 40; ///< of what anybody asks for

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || end.ec != std::errc() || end.ptr != text.data() + text.size() || number < 0
        || number > mostAskedFor)
        return std::nullopt;
    return number;
}

/// Between colons.
std::optional<std::vector<std::int64_t>> numbersOf(std::string_view text)
{
    std::vector<std::int64_t> numbers;
    while (true) {
        const auto colon = text.find(':');
        const auto number = wholeNumber(text.substr(0, colon));
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
        if (colon == std::string_view::npos)
            return numbers;
        text.remove_prefix(colon + 1);
    }
}

} // namespace

std::optional<std::int64_t> slurmSeconds(std::string_view time)
{
    std::int64_t days = 0;
    const auto dash = time.find('-');
    if (dash != std::string_view::npos) {
        const auto number = wholeNumber(time.substr(0, dash));
        if (!number)
            return std::nullopt;
        days = *number;
        time.remove_prefix(dash + 1);
    }
    const auto numbers = numbersOf(time);
    if (!numbers || numbers->size() > 3)
        return std::nullopt;
    // Behind days hours come first; alone, one number is minutes, and two are minutes and seconds.
    const bool beginsWithHours = dash != std::string_view::npos || numbers->size() == 3;
    auto unit = beginsWithHours ? perHour : perMinute;
    auto seconds = days * perDay;
    for (const auto number : *numbers) {
        seconds += number * unit;
        unit /= 60;
    }
    return seconds > 0 && seconds < mostAskedFor ? std::optional(seconds) : std::nullopt;
}

std::string slurmTime(std::int64_t seconds)
{
    const auto minutes = (seconds + perMinute - 1) / perMinute;
    const auto hours = minutes / 60 % 24, days = minutes / (24 * 60);
    return days > 0 ? fmt::format("{}-{:02}:{:02}:00", days, hours, minutes % 60)
                    : fmt::format("{}:{:02}:00", hours, minutes % 60);
}

std::optional<std::string> slurmMemory(std::string_view memory, double factor)
{
    constexpr std::string_view units = "KMGT";
    std::string unit;
    if (!memory.empty() && units.find(memory.back()) != std::string_view::npos) {
        unit = memory.back();
        memory.remove_suffix(1);
    }
    const auto number = wholeNumber(memory);
    if (!number || *number == 0)
        return std::nullopt;
    const auto raised = std::ceil(static_cast<double>(*number) * factor);
    if (raised > static_cast<double>(mostAskedFor))
        return std::nullopt;
    return fmt::format("{}{}", static_cast<std::int64_t>(raised), unit);
}

std::optional<double> retryFactor(std::string_view text)
{
    constexpr double largest = 100;
    if (!text.starts_with('x'))
        return std::nullopt;
    text.remove_prefix(1);
    double factor = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), factor);
    if (end.ec != std::errc() || end.ptr != text.data() + text.size() || !(factor > 1)
        || factor > largest)
        return std::nullopt;
    return factor;
}

std::optional<Retry> nextTry(const SlurmSettings &settings, RaisedLimits raised, RunLimit limit)
{
    const auto &retry = settings.retry;
    const bool isTime = limit == RunLimit::time;
    const bool isGranted = isTime ? retry.time > 1 : limit == RunLimit::memory && retry.memory > 1;
    if (!isGranted || raised.total() >= retry.atMost)
        return std::nullopt;
    ++(isTime ? raised.time : raised.memory);
    const auto next = raisedSettings(settings, raised);
    return Retry{raised,
                 fmt::format("{} = {} ({} of {})", isTime ? "time" : "memory",
                             isTime ? next.time : next.memory, raised.total(), retry.atMost)};
}

SlurmSettings raisedSettings(SlurmSettings settings, RaisedLimits raised)
{
    if (const auto seconds = slurmSeconds(settings.time); seconds && raised.time > 0) {
        const auto more =
            static_cast<double>(*seconds) * std::pow(settings.retry.time, raised.time);
        settings.time =
            slurmTime(static_cast<std::int64_t>(std::min(more, static_cast<double>(mostAskedFor))));
    }
    if (raised.memory > 0) {
        if (auto more =
                slurmMemory(settings.memory, std::pow(settings.retry.memory, raised.memory)))
            settings.memory = *std::move(more);
    }
    return settings;
}

} // namespace gridhelm::data
