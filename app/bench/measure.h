// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <vector>

namespace gridhelm::bench {

struct Timing
{
    double median = 0;  ///< seconds a call
    double fastest = 0; ///< seconds of the fastest call
    double spread = 0;  ///< (third quartile - first quartile) / median
    int repeats = 0;
};

double secondsOf(const std::function<void()> &work);

/// Of one call or more.
Timing timingOf(const std::vector<double> &seconds);

struct MeasureOptions
{
    double seconds = 0.5; ///< for each piece of work, after one warm-up
    int minRepeats = 5;
    double longRun = 4; ///< a single run this long, in seconds, is not repeated
};

/// Times pieces of work in turns, so that their ratios suffer least from what else the machine
/// does.
std::vector<Timing> measureInTurns(const std::vector<std::function<void()>> &works,
                                   const MeasureOptions &options);

Timing measure(const std::function<void()> &work, const MeasureOptions &options);

/// {"per_second": amount / median, "seconds": ..., "spread": ..., "repeats": ...}
nlohmann::json rate(double amount, const Timing &timing);

} // namespace gridhelm::bench
