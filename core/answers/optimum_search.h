// SPDX-License-Identifier: GPL-3.0-or-later
//
// How optimum.cpp and pareto_front.cpp look for the best place: a sample of places, the best ones
// that are apart, and a polish of each by NLopt.
#pragma once

#include "core/answers/optimum.h"

#include <atomic>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace gridhelm::answers {

/// What optimizers see: free parameters alone, as shares of the goal's box, and numbers of the size
/// of 1. Thread-safe, but for setSpreads().
class GoalProblem
{
public:
    /// Throws gridhelm::Error for a goal that names what is not there. The model must outlive it.
    GoalProblem(const ResponseModel &model, Goal goal);

    bool isInSingle() const { return m_model.isInSingle(); }
    std::size_t freeParameters() const { return m_free.size(); }
    std::size_t evaluations() const { return m_evaluations; }
    /// Of each response, what differences of it are measured by.
    const std::vector<double> &spreads() const { return m_spreads; }
    void setSpreads(std::vector<double> spreads) { m_spreads = std::move(spreads); }

    std::vector<double> place(std::span<const double> shares) const;
    std::vector<double> values(std::span<const double> shares) const;
    /// To be made small.
    double objective(const std::vector<double> &values) const;
    /// At most 0 where it is fulfilled; two for each constraint.
    std::vector<double> constraints(const std::vector<double> &values) const;
    double violation(const std::vector<double> &values) const;
    std::size_t constraintCount() const { return 2 * m_goal.constraints.size(); }

private:
    const ResponseModel &m_model;
    Goal m_goal;
    std::vector<double> m_low, m_high, m_spreads;
    std::vector<std::size_t> m_free;
    mutable std::atomic<std::size_t> m_evaluations{0};
};

constexpr double fulfilledTo = 1e-9; ///< share of a spread by which a constraint may be missed

/// A place, and how good it is: less violation first, then the objective.
struct Candidate
{
    std::vector<double> shares;
    std::vector<double> values;
    double objective = std::numeric_limits<double>::infinity();
    double violation = std::numeric_limits<double>::infinity();

    bool isBetterThan(const Candidate &other) const
    {
        const double mine = violation <= fulfilledTo ? 0 : violation;
        const double others = other.violation <= fulfilledTo ? 0 : other.violation;
        return mine != others ? mine < others : objective < other.objective;
    }
};

/// The options' places over the box, the best ones first; sets the problem's spreads.
std::vector<Candidate> firstPlaces(GoalProblem &problem, const OptimumOptions &options);
/// The same places as another goal over the same box sees them.
std::vector<Candidate> rankedFor(const GoalProblem &problem, std::vector<Candidate> all);
/// Of ranked ones the best that are not beside a better one: basins, not one basin many times.
std::vector<Candidate> startsOf(const std::vector<Candidate> &all, std::size_t wanted);
/// No worse than the candidate.
Candidate polished(const GoalProblem &problem, Candidate candidate);

} // namespace gridhelm::answers
