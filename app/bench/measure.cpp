// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/measure.h"

#include "core/support/quantile.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace gridhelm::bench {

double secondsOf(const std::function<void()> &work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Timing timingOf(const std::vector<double> &seconds)
{
    return {quantile(seconds, 0.5), quantile(seconds, 0), relativeSpread(seconds),
            static_cast<int>(seconds.size())};
}

std::vector<Timing> measureInTurns(const std::vector<std::function<void()>> &works,
                                   const MeasureOptions &options)
{
    std::vector<std::vector<double>> seconds(works.size());
    std::vector<double> total(works.size(), 0.0);
    std::vector<bool> isDone(works.size(), false);
    for (std::size_t i = 0; i < works.size(); ++i) {
        const double warmUp = secondsOf(works[i]);
        if (warmUp < options.longRun)
            continue;
        seconds[i].push_back(warmUp);
        isDone[i] = true;
    }
    while (std::ranges::find(isDone, false) != isDone.end()) {
        for (std::size_t i = 0; i < works.size(); ++i) {
            if (isDone[i])
                continue;
            seconds[i].push_back(secondsOf(works[i]));
            total[i] += seconds[i].back();
            isDone[i] = total[i] >= options.seconds
                        && static_cast<int>(seconds[i].size()) >= options.minRepeats;
        }
    }
    std::vector<Timing> timings;
    for (const auto &list : seconds)
        timings.push_back(timingOf(list));
    return timings;
}

Timing measure(const std::function<void()> &work, const MeasureOptions &options)
{
    return measureInTurns({work}, options).front();
}

nlohmann::json rate(double amount, const Timing &timing)
{
    return {{"per_second", amount / timing.median},
            {"seconds", timing.median},
            {"spread", timing.spread},
            {"repeats", timing.repeats}};
}

} // namespace gridhelm::bench
