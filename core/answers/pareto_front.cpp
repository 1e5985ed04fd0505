// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/pareto_front.h"

#include "core/answers/optimum_search.h"
#include "core/execution/parallel_for.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace gridhelm::answers {
namespace {

constexpr std::size_t fewestStarts = 2;
constexpr std::size_t gapsAtOnce = 8;   ///< split side by side, whatever the number of threads
constexpr std::size_t gapsForPlace = 4; ///< that is found; over jumps there is none
constexpr double sameTo = 1e-6;         ///< share of the front's height and width

/// A place, and how far from what is wanted it is in both goals, in units of the responses.
struct Found
{
    Candidate candidate;
    double first = 0, second = 0;
};

/// Goals in which a gap was halved already: there is nothing between, as over a jump of the front.
struct Halved
{
    bool first = false, second = false;
};
/// Of gaps, by the first goal's values at both sides.
using HalvedGaps = std::map<std::pair<double, double>, Halved>;

struct Gap
{
    std::size_t left = 0; ///< the right side is the next place
    bool isFirst = true;  ///< whether it is wider in the first goal
    double width = 0;     ///< in that goal, as a share of the front's width or height
};

class FrontSearch
{
public:
    FrontSearch(const ResponseModel &model, const Goal &first, const Goal &second,
                const FrontOptions &options)
        : m_model(model)
        , m_first(first)
        , m_second(second)
        , m_options(options)
        , m_problem(model, first)
    {
        m_second.constraints = first.constraints;
        m_second.low = first.low;
        m_second.high = first.high;
        const GoalProblem other(model, m_second); // whether it names what is there
        m_places = firstPlaces(m_problem, options.search);
    }

    std::vector<TradeOff> front();

private:
    static double distanceOf(const Goal &goal, const std::vector<double> &values)
    {
        const double value = values[goal.response];
        return goal.aim == Aim::minimum   ? value
               : goal.aim == Aim::maximum ? -value
                                          : std::abs(value - goal.target);
    }
    /// That this goal is missed by no more than that.
    static Constraint atMost(const Goal &goal, double distance)
    {
        switch (goal.aim) {
        case Aim::minimum:
            return {goal.response, {}, distance};
        case Aim::maximum:
            return {goal.response, -distance, {}};
        case Aim::target:
            break;
        }
        return {goal.response, goal.target - distance, goal.target + distance};
    }
    Found found(Candidate candidate) const
    {
        const double first = distanceOf(m_first, candidate.values);
        const double second = distanceOf(m_second, candidate.values);
        return {std::move(candidate), first, second};
    }

    /// The best place of `wanted` while `other` is missed by no more than that, if it is said;
    /// then, of all that are as good, the best for the other one.
    std::optional<Found> best(const Goal &wanted, const Goal &other, std::optional<double> most,
                              std::vector<Candidate> starts) const;
    std::optional<Found> middleOf(const Gap &gap) const;
    void keepBestOnly();
    Gap gapAt(std::size_t left, const HalvedGaps &halved) const;
    std::vector<Gap> widestGaps(const HalvedGaps &halved) const;

    const ResponseModel &m_model;
    Goal m_first, m_second;
    FrontOptions m_options;
    GoalProblem m_problem;
    std::vector<Candidate> m_places;
    std::vector<Found> m_found; ///< ascending in the first goal, descending in the second
    double m_firstRange = 0, m_secondRange = 0;
};

std::optional<Found> FrontSearch::best(const Goal &wanted, const Goal &other,
                                       std::optional<double> most,
                                       std::vector<Candidate> starts) const
{
    auto goal = wanted;
    if (most)
        goal.constraints.push_back(atMost(other, *most));
    GoalProblem problem(m_model, goal);
    problem.setSpreads(m_problem.spreads());
    const auto wantedStarts = most ? std::max(fewestStarts, m_options.search.starts / 4)
                                   : std::max<std::size_t>(1, m_options.search.starts);
    for (auto &start : startsOf(rankedFor(problem, m_places), wantedStarts))
        starts.push_back(std::move(start));
    starts = rankedFor(problem, std::move(starts));
    // Ends have many starts and nothing beside them; what is between has other gaps beside it.
    auto cpu = m_options.search.cpu;
    if (most)
        cpu.threads = 1;
    parallelFor(starts.size(), cpu, 1,
                [&](std::size_t i) { starts[i] = polished(problem, std::move(starts[i])); });
    auto winner = *std::ranges::min_element(
        starts, [](const Candidate &a, const Candidate &b) { return a.isBetterThan(b); });
    if (!(winner.violation <= fulfilledTo) || !std::isfinite(winner.objective))
        return std::nullopt;

    auto then = other;
    then.constraints.push_back(atMost(wanted, distanceOf(wanted, winner.values)));
    GoalProblem rest(m_model, then);
    rest.setSpreads(m_problem.spreads());
    auto refined = polished(rest, rankedFor(rest, {winner}).front());
    if (refined.violation <= fulfilledTo && std::isfinite(refined.objective))
        winner = std::move(refined);
    return found(std::move(winner));
}

std::optional<Found> FrontSearch::middleOf(const Gap &gap) const
{
    const auto &left = m_found[gap.left];
    const auto &right = m_found[gap.left + 1];
    const std::vector starts{left.candidate, right.candidate};
    return gap.isFirst ? best(m_second, m_first, (left.first + right.first) / 2, starts)
                       : best(m_first, m_second, (left.second + right.second) / 2, starts);
}

/// Sorted by the first goal, and without those that another one is better than, or as good as.
void FrontSearch::keepBestOnly()
{
    std::ranges::stable_sort(m_found, [](const Found &a, const Found &b) {
        return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    std::vector<Found> kept;
    for (auto &place : m_found) {
        if (kept.empty()) {
            kept.push_back(std::move(place));
            continue;
        }
        auto &last = kept.back();
        const double gain = last.second - place.second;
        if (gain <= sameTo * m_secondRange)
            continue;
        if (place.first <= last.first + sameTo * m_firstRange)
            last = std::move(place); // costs all but nothing
        else
            kept.push_back(std::move(place));
    }
    m_found = std::move(kept);
}

/// The goal in which the gap is wider is the one to halve: steep parts and flat ones are split
/// alike.
Gap FrontSearch::gapAt(std::size_t left, const HalvedGaps &halved) const
{
    const auto &a = m_found[left];
    const auto &b = m_found[left + 1];
    const auto known = halved.find({a.first, b.first});
    const auto done = known == halved.end() ? Halved{} : known->second;
    const double first = done.first ? 0 : (b.first - a.first) / m_firstRange;
    const double second = done.second ? 0 : (a.second - b.second) / m_secondRange;
    return {left, first > second, std::max(first, second)};
}

/// At most as many as places are missing, the widest first; none of less than half of its width.
std::vector<Gap> FrontSearch::widestGaps(const HalvedGaps &halved) const
{
    std::vector<Gap> gaps;
    for (std::size_t i = 0; i + 1 < m_found.size(); ++i)
        if (const auto gap = gapAt(i, halved); gap.width > sameTo)
            gaps.push_back(gap);
    std::ranges::stable_sort(gaps, std::ranges::greater(), &Gap::width);
    std::size_t count = 0;
    while (count < gaps.size() && count < gapsAtOnce && m_found.size() + count < m_options.places
           && gaps[count].width >= gaps[0].width / 2)
        ++count;
    gaps.resize(count);
    return gaps;
}

std::vector<TradeOff> FrontSearch::front()
{
    for (const bool isFirst : {true, false}) {
        auto end = isFirst ? best(m_first, m_second, {}, {}) : best(m_second, m_first, {}, {});
        if (!end)
            return {};
        m_found.push_back(std::move(*end));
    }
    m_firstRange = m_found[1].first - m_found[0].first;
    m_secondRange = m_found[0].second - m_found[1].second;
    const auto isSame = [&](double range, const Goal &goal) {
        return !(range > sameTo * m_problem.spreads()[goal.response]);
    };
    if (isSame(m_firstRange, m_first)) // the best of both at once
        m_found.erase(m_found.begin());
    else if (isSame(m_secondRange, m_second))
        m_found.pop_back();
    keepBestOnly();

    HalvedGaps halved;
    while (halved.size() < gapsForPlace * m_options.places) {
        const auto gaps = widestGaps(halved);
        if (gaps.empty())
            break;
        std::vector<std::optional<Found>> middles(gaps.size());
        parallelFor(gaps.size(), m_options.search.cpu, 1,
                    [&](std::size_t i) { middles[i] = middleOf(gaps[i]); });
        for (const auto &gap : gaps) {
            auto &done = halved[{m_found[gap.left].first, m_found[gap.left + 1].first}];
            (gap.isFirst ? done.first : done.second) = true;
        }
        for (auto &middle : middles)
            if (middle)
                m_found.push_back(std::move(*middle));
        keepBestOnly();
    }

    std::vector<TradeOff> front;
    for (const auto &place : m_found)
        front.push_back({m_problem.place(place.candidate.shares), place.candidate.values,
                         place.candidate.values[m_first.response],
                         place.candidate.values[m_second.response]});
    return front;
}

} // namespace

std::vector<TradeOff> paretoFront(const ResponseModel &model, const Goal &first, const Goal &second,
                                  const FrontOptions &options)
{
    if (options.places < 2)
        throw Error("a trade-off has two ends: ask for 2 points at least");
    return FrontSearch(model, first, second, options).front();
}

} // namespace gridhelm::answers
