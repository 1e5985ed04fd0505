// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/colour/value_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gridhelm::ui {
namespace {

constexpr std::array roundFactors{1.0, 2.0, 2.5, 5.0};
constexpr double slack = 1e-6; ///< of a step: what is nearer to a tick counts as being there

/// Round steps of the size of `length`, ascending.
std::vector<double> roundStepsNear(double length)
{
    std::vector<double> steps;
    const double power = std::floor(std::log10(length));
    for (double exponent = power - 1; exponent <= power + 1; ++exponent)
        for (const double factor : roundFactors)
            steps.push_back(factor * std::pow(10.0, exponent));
    return steps;
}

ValueRange roundedTo(ValueRange range, double step)
{
    // + 0.0: no -0
    return {step * std::floor(range.low / step + slack) + 0.0,
            step * std::ceil(range.high / step - slack) + 0.0};
}

ValueRange withRoom(ValueRange range, Scale scale)
{
    const double size = std::max(std::abs(range.low), std::abs(range.high));
    if (range.high - range.low > 1e-6 * size)
        return range;
    const double middle = 0.5 * range.low + 0.5 * range.high;
    if (scale == Scale::logarithmic)
        return {middle / 1.1, middle * 1.1};
    const double room = size > 1e-30 ? 0.1 * size : 1.0;
    return {middle - room, middle + room};
}

/// Multiples of `step` that lie inside, not counting the ends.
std::vector<double> multiplesInside(ValueRange range, double step)
{
    std::vector<double> inside;
    for (double k = std::ceil(range.low / step + slack); k < range.high / step - slack; ++k)
        inside.push_back(k * step + 0.0);
    return inside;
}

std::vector<double> roundLogarithmicInside(ValueRange range, int most)
{
    const auto inside = [range](const std::vector<double> &factors, int every) {
        std::vector<double> values;
        const int first = static_cast<int>(std::floor(std::log10(range.low)));
        const int last = static_cast<int>(std::ceil(std::log10(range.high)));
        for (int exponent = first; exponent <= last; ++exponent)
            for (const double factor : factors)
                if (const double value = factor * std::pow(10.0, exponent);
                    exponent % every == 0 && value > range.low * (1 + slack)
                    && value < range.high * (1 - slack))
                    values.push_back(value);
        return values;
    };
    if (range.high / range.low < 300)
        if (auto values = inside({1, 2, 5}, 1); static_cast<int>(values.size()) + 2 <= most)
            return values;
    for (int every = 1; every < 700; ++every)
        if (auto values = inside({1}, every); static_cast<int>(values.size()) + 2 <= most)
            return values;
    return {};
}

} // namespace

ValueRange roundedOutward(ValueRange range, Scale scale)
{
    range = withRoom(range, scale);
    if (scale == Scale::logarithmic) {
        const auto toOneDigit = [](double value, auto round) {
            const double power = std::pow(10.0, std::floor(std::log10(value)));
            return power * round(value / power);
        };
        return {toOneDigit(range.low, [](double x) { return std::floor(x + slack); }),
                toOneDigit(range.high, [](double x) { return std::ceil(x - slack); })};
    }
    // Four to twelve steps; as little as possible is added, and five steps read best.
    ValueRange best = range;
    double least = std::numeric_limits<double>::infinity();
    for (const double step : roundStepsNear(range.high - range.low)) {
        const ValueRange candidate = roundedTo(range, step);
        const double steps = std::round((candidate.high - candidate.low) / step);
        if (steps < 4 || steps > 12)
            continue;
        const double cost = (candidate.high - candidate.low) / (range.high - range.low)
                            + 0.01 * std::abs(steps - 5);
        if (cost < least) {
            least = cost;
            best = candidate;
        }
    }
    return best;
}

std::vector<double> ticksOf(ValueRange range, Scale scale, int most)
{
    std::vector<double> ticks;
    if (scale == Scale::logarithmic) {
        ticks = roundLogarithmicInside(range, most);
        const double near = std::pow(range.high / range.low, 0.5 / std::max(most, 2));
        std::erase_if(ticks, [&](double value) {
            return value < range.low * near || value > range.high / near;
        });
    } else {
        const double length = range.high - range.low;
        for (const double step : roundStepsNear(length)) {
            ticks.clear();
            if (length / step > most)
                continue;
            ticks = multiplesInside(range, step);
            // The ends have labels of their own; what is too near would overlap with them.
            std::erase_if(ticks, [&](double value) {
                return value - range.low < 0.45 * step || range.high - value < 0.45 * step;
            });
            if (static_cast<int>(ticks.size()) + 2 > most)
                continue;
            break;
        }
        if (static_cast<int>(ticks.size()) + 2 > most)
            ticks.clear();
    }
    ticks.insert(ticks.begin(), range.low);
    ticks.push_back(range.high);
    return ticks;
}

std::vector<double> roundValuesIn(ValueRange range, int most)
{
    for (const double step : roundStepsNear(range.high - range.low)) {
        std::vector<double> values;
        for (double k = std::ceil(range.low / step - slack); k <= range.high / step + slack; ++k)
            values.push_back(k * step + 0.0);
        if (static_cast<int>(values.size()) <= most)
            return values;
    }
    return {};
}

std::vector<double> roundValuesInside(ValueRange range, int most)
{
    for (const double step : roundStepsNear(range.high - range.low))
        if ((range.high - range.low) / step < most + 2.0)
            if (auto values = multiplesInside(range, step); static_cast<int>(values.size()) <= most)
                return values;
    return {};
}

std::vector<std::string> tickTexts(const std::vector<double> &ticks)
{
    double size = 0;
    for (const double tick : ticks)
        size = std::max(size, std::abs(tick));
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        const double value = std::abs(ticks[i]) < 1e-9 * size ? 0.0 : ticks[i]; // round-off
        double gap = size;
        if (i > 0)
            gap = std::min(gap, ticks[i] - ticks[i - 1]);
        if (i + 1 < ticks.size())
            gap = std::min(gap, ticks[i + 1] - ticks[i]);
        const double digits =
            value != 0 && gap > 0 ? std::ceil(std::log10(std::abs(value) / gap)) : 0;
        texts.push_back(
            fmt::format("{:.{}g}", value, static_cast<int>(std::clamp(digits + 1, 3.0, 9.0))));
    }
    return texts;
}

} // namespace gridhelm::ui
