// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/together.h"

#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gridhelm::bench {

Timing together(const std::shared_ptr<Ranks> &ranks, std::size_t count,
                const std::function<Timing(const std::shared_ptr<Ranks> &)> &work)
{
    if (!ranks)
        return work(nullptr);
    FirstRanks all(ranks, ranks->count());
    Timing timing;
    std::string problem;
    if (static_cast<std::size_t>(ranks->number()) < count) {
        const auto members = std::make_shared<FirstRanks>(ranks, static_cast<int>(count));
        try {
            timing = work(members);
        } catch (const Error &error) {
            if (count > 1)
                throw; // the others may be waiting for this one: the run ends
            problem = error.what();
        }
    }
    problem = textsOfAll(all, problem).front();
    if (!problem.empty())
        throw Error(problem);
    return ofFirst(all, timing);
}

double slowestOf(Ranks *ranks, double seconds)
{
    return ranks == nullptr ? seconds : largestOfAll(*ranks, seconds);
}

Timing measureOf(Ranks *ranks, const std::function<void()> &work, const MeasureOptions &options)
{
    if (ranks == nullptr)
        return measure(work, options);
    const double warmUp = slowestOf(ranks, secondsOf(work));
    if (warmUp >= options.longRun)
        return timingOf({warmUp});
    constexpr double many = 10'000;
    const int repeats = std::max(
        options.minRepeats,
        static_cast<int>(std::min(std::ceil(options.seconds / std::max(warmUp, 1e-9)), many)));
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i)
        seconds.push_back(slowestOf(ranks, secondsOf(work))); // from where all begin together
    return timingOf(seconds);
}

} // namespace gridhelm::bench
