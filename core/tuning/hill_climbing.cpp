// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/trials.h"

#include <algorithm>
#include <limits>
#include <set>

namespace gridhelm::tuning {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// The last two results of a climb: it ends when the older one is the better.
class LastTwo
{
public:
    void add(double seconds)
    {
        m_older = m_newer;
        m_newer = seconds;
        ++m_count;
    }
    bool isPastTheTop() const { return m_count >= 2 && m_older <= m_newer; }

private:
    double m_older = never, m_newer = never;
    int m_count = 0;
};

/// The nested loops over some constants; the others stay what they are.
class Nest
{
public:
    Nest(const SearchSpace &space, std::vector<std::size_t> constants, Trials &trials)
        : m_space(space)
        , m_constants(std::move(constants))
        , m_trials(trials)
    {
    }

    void run(Variant variant) { (void)best(0, variant); }

private:
    /// Of the loops from `depth` on.
    double best(std::size_t depth, Variant &variant)
    {
        if (depth == m_constants.size())
            return m_space.isAllowed(variant) ? m_trials.seconds(variant) : never;
        const auto constant = m_constants[depth];
        if (m_space.dimensions[constant].splitsWork && isFilled(variant)) {
            variant[constant] = m_space.start[constant];
            return this->best(depth + 1, variant);
        }
        LastTwo climbed;
        double best = never;
        for (const int value : m_space.dimensions[constant].values) {
            if (m_trials.isOver())
                break;
            variant[constant] = value;
            const double seconds = this->best(depth + 1, variant);
            best = std::min(best, seconds);
            if (seconds == never)
                continue; // cannot go together: no step of the climb
            climbed.add(seconds);
            if (depth > 0 && climbed.isPastTheTop())
                break;
        }
        return best;
    }

    /// By the other constants alone.
    bool isFilled(Variant variant) const
    {
        for (std::size_t i = 0; i < variant.size(); ++i) {
            if (m_space.dimensions[i].splitsWork)
                variant[i] = m_space.start[i];
        }
        return m_space.fills && m_space.fills(variant);
    }

    const SearchSpace &m_space;
    std::vector<std::size_t> m_constants;
    Trials &m_trials;
};

} // namespace

void climb(const SearchSpace &space, bool inPartitions, Trials &trials)
{
    std::set<int> partitions;
    for (const auto &dimension : space.dimensions)
        partitions.insert(inPartitions ? dimension.partition : 0);
    for (const int partition : partitions) {
        std::vector<std::size_t> constants;
        for (std::size_t i = 0; i < space.dimensions.size(); ++i) {
            if (!inPartitions || space.dimensions[i].partition == partition)
                constants.push_back(i);
        }
        Nest(space, std::move(constants), trials).run(trials.best().variant);
    }
}

} // namespace gridhelm::tuning
