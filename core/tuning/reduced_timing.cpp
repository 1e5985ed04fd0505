// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/reduced_timing.h"

#include "core/tuning/line_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace gridhelm::tuning {
namespace {

constexpr std::size_t inputs = 4;
/// Seconds of an input that is so long that no clock disturbs it: a line through two is as good.
constexpr double isLong = 0.01;
constexpr std::size_t longInputs = 2;
constexpr int fewestRuns = 2;
/// Of a first input's rate beside that of the best variant: more than what a line through
/// several inputs may correct.
constexpr double certainty = 1.5;
/// So far from the line, as parts of them, are times that are believed to lie on one.
constexpr double straightness = 0.1;

/// The line is long beyond its last point: one disturbed time turns it anywhere. Where times lie on
/// none, the last one's rate is that of the whole.
double extrapolated(const std::vector<TimedAmount> &timed, double amount)
{
    const auto line = fitLine(timed);
    const bool isLine = std::ranges::all_of(timed, [&](const TimedAmount &each) {
        return std::abs(line.at(each.amount) - each.seconds) <= straightness * each.seconds;
    });
    return isLine ? std::max(line.at(amount), timed.back().seconds)
                  : timed.back().seconds / timed.back().amount * amount;
}

} // namespace

double shortestSeconds(dispatch::PreparedWork &work, std::size_t items, double atLeast)
{
    double fastest = std::numeric_limits<double>::infinity(), all = 0;
    for (int runs = 0; runs < fewestRuns || all < atLeast; ++runs) {
        const double seconds = work.runSome(items);
        fastest = std::min(fastest, seconds);
        all += seconds;
    }
    return fastest;
}

double estimatedSeconds(dispatch::PreparedWork &work, const Reduction &reduction, double hopeless)
{
    const auto whole = work.items();
    const auto amount = static_cast<double>(whole);
    if (inputs * reduction.items >= whole) {
        (void)work.runSome(whole);
        return shortestSeconds(work, whole, reduction.shortest);
    }
    (void)work.runSome(reduction.items); // the first one finds cold caches and new threads
    std::vector<TimedAmount> timed;
    for (std::size_t i = 1; i <= inputs; ++i) {
        const auto items = i * reduction.items;
        timed.push_back(
            {static_cast<double>(items), shortestSeconds(work, items, reduction.shortest)});
        const double proportional = timed.back().seconds / timed.back().amount * amount;
        if (i == 1 && proportional > certainty * hopeless)
            return proportional;
        if (i == longInputs && timed.front().seconds > isLong)
            break;
    }
    return extrapolated(timed, amount);
}

double estimatedSeconds(std::span<const SmallerWork> smaller, double amount, double shortest)
{
    std::vector<TimedAmount> timed;
    for (const auto &each : smaller) {
        const auto items = each.work->items();
        (void)each.work->runSome(items);
        timed.push_back({each.amount, shortestSeconds(*each.work, items, shortest)});
    }
    return extrapolated(timed, amount);
}

} // namespace gridhelm::tuning
