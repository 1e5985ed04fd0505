// SPDX-License-Identifier: GPL-3.0-or-later
//
// Searching for the fastest variant. How a variant is timed is the caller's.
#pragma once

#include "core/tuning/search_space.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace gridhelm::tuning {

enum class Strategy {
    partitions, ///< hill climbing, partition by partition ([Murarasu2013], Listing 5.3)
    climbing,   ///< hill climbing over all constants at once ([Murarasu2013], Listing 5.2)
    annealing,  ///< simulated annealing
    random,     ///< variants drawn without repetition
    exhaustive  ///< all of them: the yardstick
};

std::string_view nameOf(Strategy strategy);
std::optional<Strategy> strategyNamed(std::string_view name);

struct Trial
{
    Variant variant;
    double seconds = std::numeric_limits<double>::infinity();
};

struct SearchResult
{
    Trial best;
    std::vector<Trial> tried; ///< each variant once, in the order in which they were measured
};

/// The seconds of a variant, infinite if it cannot be used. One that is certainly slower than
/// `best` need not be measured well.
using Measure = std::function<double(const Variant &variant, double best)>;

struct SearchLimits
{
    std::size_t trials = std::numeric_limits<std::size_t>::max(); ///< of annealing and random
    std::uint64_t seed = 1;                                       ///< likewise
    /// Asked between trials, as the stop is: the result is the best until then.
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::stop_token stop{};

    bool isOver() const
    {
        return stop.stop_requested() || std::chrono::steady_clock::now() >= deadline;
    }
};

/// Measures the compiled-in variant first, so that no result is slower than it by the same
/// measure. Whatever `measure` throws ends the search.
SearchResult search(Strategy strategy, const SearchSpace &space, const Measure &measure,
                    const SearchLimits &limits = {});

} // namespace gridhelm::tuning
