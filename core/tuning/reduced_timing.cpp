// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/reduced_timing.h"

#include "core/tuning/line_fit.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace gridhelm::tuning {
namespace {

constexpr std::size_t inputs = 4;
constexpr int fewestRuns = 2;
/// Of a first input's rate beside that of the best variant: more than what a line through
/// several inputs may correct.
constexpr double certainty = 1.5;

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
    }
    return std::max(fitLine(timed).at(amount), timed.back().seconds);
}

} // namespace gridhelm::tuning
