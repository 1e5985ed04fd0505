// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search.h"

#include <map>

namespace gridhelm::tuning {

/// What a search has measured: each variant once.
class Trials
{
public:
    Trials(const Measure &measure, const SearchLimits &limits)
        : m_measure(measure)
        , m_limits(limits)
    {
    }

    /// Measured now, or before.
    double seconds(const Variant &variant)
    {
        const auto [place, isNew] = m_seconds.try_emplace(variant, 0);
        if (isNew) {
            place->second = m_measure(variant, m_result.best.seconds);
            m_result.tried.push_back({variant, place->second});
            // One that cannot run is the best as long as there is no other.
            if (m_result.tried.size() == 1 || place->second < m_result.best.seconds)
                m_result.best = m_result.tried.back();
        }
        return place->second;
    }

    bool isOver() const { return m_limits.isOver() || m_result.tried.size() >= m_limits.trials; }
    const SearchLimits &limits() const { return m_limits; }
    const Trial &best() const { return m_result.best; }
    const SearchResult &result() const { return m_result; }

private:
    const Measure &m_measure;
    const SearchLimits &m_limits;
    std::map<Variant, double> m_seconds;
    SearchResult m_result;
};

/// [Murarasu2013], Listing 5.2, for any number of constants: the first of a partition takes all its
/// values, the others climb. All in one partition, or, `inPartitions`, Listing 5.3.
void climb(const SearchSpace &space, bool inPartitions, Trials &trials);
void anneal(const SearchSpace &space, Trials &trials);
void drawAtRandom(const SearchSpace &space, Trials &trials);

} // namespace gridhelm::tuning
