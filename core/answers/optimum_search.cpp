// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/optimum_search.h"

#include "core/answers/sample_points.h"
#include "core/execution/parallel_for.h"
#include "core/support/error.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <utility>

namespace gridhelm::answers {

GoalProblem::GoalProblem(const ResponseModel &model, Goal goal)
    : m_model(model)
    , m_goal(std::move(goal))
    , m_spreads(model.responses(), 1.0)
{
    const auto d = static_cast<std::size_t>(model.dimension());
    m_low = m_goal.low.empty() ? std::vector<double>(d, 0.0) : m_goal.low;
    m_high = m_goal.high.empty() ? std::vector<double>(d, 1.0) : m_goal.high;
    if (m_low.size() != d || m_high.size() != d)
        throw Error("there have to be two ends for each parameter; this is a fault of the "
                    "program");
    for (std::size_t t = 0; t < d; ++t) {
        if (!(0 <= m_low[t] && m_low[t] <= m_high[t] && m_high[t] <= 1))
            throw Error("the region to search has to be inside of the parameters' ranges");
        if (m_low[t] < m_high[t])
            m_free.push_back(t);
    }
    auto named = m_goal.constraints;
    named.push_back({m_goal.response, {}, {}});
    for (const auto &constraint : named)
        if (constraint.response >= model.responses())
            throw Error("the goal names a response that is not there; this is a fault of the "
                        "program");
}

std::vector<double> GoalProblem::place(std::span<const double> shares) const
{
    auto x = m_low;
    for (std::size_t i = 0; i < m_free.size(); ++i) {
        const auto t = m_free[i];
        x[t] += std::clamp(shares[i], 0.0, 1.0) * (m_high[t] - m_low[t]);
        x[t] = std::min(x[t], m_high[t]);
    }
    return x;
}

std::vector<double> GoalProblem::values(std::span<const double> shares) const
{
    std::vector<double> out(m_model.responses());
    m_model.values(place(shares), out);
    ++m_evaluations;
    return out;
}

double GoalProblem::objective(const std::vector<double> &values) const
{
    const double value = values[m_goal.response];
    if (std::isnan(value)) // which is better than nothing
        return std::numeric_limits<double>::infinity();
    const double scale = m_spreads[m_goal.response];
    switch (m_goal.aim) {
    case Aim::minimum:
        return value / scale;
    case Aim::maximum:
        return -value / scale;
    case Aim::target:
        return std::abs(value - m_goal.target) / scale;
    }
    return 0;
}

std::vector<double> GoalProblem::constraints(const std::vector<double> &values) const
{
    constexpr double fulfilled = -1;
    std::vector<double> all;
    for (const auto &constraint : m_goal.constraints) {
        const double value = values[constraint.response];
        const double scale = m_spreads[constraint.response];
        all.push_back(constraint.low ? (*constraint.low - value) / scale : fulfilled);
        all.push_back(constraint.high ? (value - *constraint.high) / scale : fulfilled);
    }
    return all;
}

double GoalProblem::violation(const std::vector<double> &values) const
{
    double largest = 0;
    for (const double excess : constraints(values)) {
        if (std::isnan(excess))
            return std::numeric_limits<double>::infinity();
        largest = std::max(largest, excess);
    }
    return largest;
}

namespace {

Candidate candidateAt(const GoalProblem &problem, std::vector<double> shares)
{
    for (auto &share : shares)
        share = std::clamp(share, 0.0, 1.0);
    Candidate candidate;
    candidate.values = problem.values(shares);
    candidate.shares = std::move(shares);
    candidate.objective = problem.objective(candidate.values);
    candidate.violation = problem.violation(candidate.values);
    return candidate;
}

/// What NLopt's callbacks get; the best place of all that it asked for is kept.
struct Search
{
    Search(const GoalProblem *ofProblem, nlopt_opt by, Candidate start)
        : problem(ofProblem)
        , optimizer(by)
        , best(std::move(start))
    {
    }

    const GoalProblem *problem = nullptr;
    nlopt_opt optimizer = nullptr;
    Candidate best{};
    std::exception_ptr exception{};

    const Candidate *at(unsigned count, const double *shares)
    {
        if (exception)
            return nullptr;
        try {
            if (m_last.shares.size() != count
                || !std::equal(shares, shares + count, m_last.shares.begin())) {
                m_last = candidateAt(*problem, {shares, shares + count});
                if (m_last.isBetterThan(best))
                    best = m_last;
            }
            return &m_last;
        } catch (...) {
            exception = std::current_exception();
            nlopt_force_stop(optimizer);
            return nullptr;
        }
    }

private:
    Candidate m_last;
};

double evaluateObjective(unsigned count, const double *shares, double *, void *data)
{
    const auto *candidate = static_cast<Search *>(data)->at(count, shares);
    return candidate ? candidate->objective : 0;
}

void evaluateConstraints(unsigned constraints, double *result, unsigned count, const double *shares,
                         double *, void *data)
{
    auto *search = static_cast<Search *>(data);
    std::fill(result, result + constraints, 0.0);
    if (const auto *candidate = search->at(count, shares)) {
        const auto all = search->problem->constraints(candidate->values);
        std::ranges::copy(all, result);
    }
}

/// Below this, shares of the box make no difference that the model's precision has.
double nearestStep(const GoalProblem &problem)
{
    return problem.isInSingle() ? 1e-6 : 1e-9;
}

Candidate byOptimizer(const GoalProblem &problem, Candidate start, nlopt_algorithm algorithm,
                      double step)
{
    const auto count = static_cast<unsigned>(problem.freeParameters());
    const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimizer(
        nlopt_create(algorithm, count), &nlopt_destroy);
    if (!optimizer)
        throw Error("there is not enough memory for an optimizer");
    Search search(&problem, optimizer.get(), start);
    nlopt_set_min_objective(optimizer.get(), &evaluateObjective, &search);
    nlopt_set_lower_bounds1(optimizer.get(), 0);
    nlopt_set_upper_bounds1(optimizer.get(), 1);
    if (problem.constraintCount() > 0) {
        const std::vector<double> tolerances(problem.constraintCount(), 0.0);
        nlopt_add_inequality_mconstraint(optimizer.get(),
                                         static_cast<unsigned>(problem.constraintCount()),
                                         &evaluateConstraints, &search, tolerances.data());
    }
    nlopt_set_initial_step1(optimizer.get(), step);
    nlopt_set_xtol_abs1(optimizer.get(), nearestStep(problem));
    nlopt_set_ftol_abs(optimizer.get(), problem.isInSingle() ? 1e-8 : 1e-13);
    nlopt_set_maxeval(optimizer.get(), static_cast<int>(500 * count));
    auto shares = start.shares;
    double value = 0;
    nlopt_optimize(optimizer.get(), shares.data(), &value);
    if (search.exception)
        std::rethrow_exception(search.exception);
    return search.best;
}

/// Steps along the axes that halve: ends in corners of cells, where simplexes creep.
Candidate alongAxes(const GoalProblem &problem, Candidate best)
{
    for (double step = 0x1p-4; step > nearestStep(problem) / 10;) {
        bool isBetter = false;
        for (std::size_t i = 0; i < best.shares.size(); ++i)
            for (const double sign : {1.0, -1.0}) {
                auto shares = best.shares;
                shares[i] += sign * step;
                auto next = candidateAt(problem, std::move(shares));
                if (next.isBetterThan(best)) {
                    best = std::move(next);
                    isBetter = true;
                }
            }
        if (!isBetter)
            step /= 2;
    }
    return best;
}

/// With the shares that lie beside an end of the box at the end, where that is as good but for what
/// values are rounded by: optimizers stop short of it, and people would read y = 0.2500001.
Candidate atTheEnds(const GoalProblem &problem, Candidate best)
{
    const double near = 100 * nearestStep(problem);
    const double rounding = problem.isInSingle() ? 1e-6 : 1e-9; // of objectives, in spreads
    for (std::size_t i = 0; i < best.shares.size(); ++i) {
        const double end = std::round(best.shares[i]);
        if (best.shares[i] == end || std::abs(best.shares[i] - end) > near)
            continue;
        auto shares = best.shares;
        shares[i] = end;
        auto there = candidateAt(problem, std::move(shares));
        if (there.objective <= best.objective + rounding
            && there.violation <= std::max(best.violation, fulfilledTo))
            best = std::move(there);
    }
    return best;
}

} // namespace

Candidate polished(const GoalProblem &problem, Candidate candidate)
{
    if (problem.freeParameters() == 0)
        return candidate;
    const auto algorithm = problem.constraintCount() > 0 ? NLOPT_LN_COBYLA : NLOPT_LN_SBPLX;
    // A simplex that has shrunk in a kink finds its way when it starts anew.
    for (const double step : {0.05, 0.01, 0.001}) {
        if (problem.isInSingle() && step < 0.01)
            break; // that is for the last digits
        candidate = byOptimizer(problem, std::move(candidate), algorithm, step);
    }
    return atTheEnds(problem, alongAxes(problem, std::move(candidate)));
}

std::vector<Candidate> firstPlaces(GoalProblem &problem, const OptimumOptions &options)
{
    const auto free = problem.freeParameters();
    const std::size_t count = free == 0 ? 1 : std::max<std::size_t>(options.places, 16);
    const auto points = free == 0 ? std::vector<double>()
                                  : scrambledPoints(count, static_cast<int>(free), options.seed);
    std::vector<Candidate> all(count);
    const auto sharesOf = [&](std::size_t i) {
        return std::vector<double>(points.begin() + static_cast<std::ptrdiff_t>(i * free),
                                   points.begin() + static_cast<std::ptrdiff_t>((i + 1) * free));
    };
    parallelFor(count, options.cpu, 16,
                [&](std::size_t i) { all[i].values = problem.values(sharesOf(i)); });
    auto spreads = problem.spreads();
    for (std::size_t k = 0; k < spreads.size(); ++k) {
        const auto [low, high] = std::ranges::minmax(
            all, {}, [k](const Candidate &candidate) { return candidate.values[k]; });
        const double spread = high.values[k] - low.values[k];
        spreads[k] = spread > 0 ? spread : std::max(1e-300, std::abs(high.values[k]));
        if (!(spreads[k] > 1e-300))
            spreads[k] = 1;
    }
    problem.setSpreads(spreads);
    for (std::size_t i = 0; i < count; ++i)
        all[i].shares = sharesOf(i);
    return rankedFor(problem, std::move(all));
}

std::vector<Candidate> rankedFor(const GoalProblem &problem, std::vector<Candidate> all)
{
    for (auto &candidate : all) {
        candidate.objective = problem.objective(candidate.values);
        candidate.violation = problem.violation(candidate.values);
    }
    std::ranges::stable_sort(
        all, [](const Candidate &a, const Candidate &b) { return a.isBetterThan(b); });
    return all;
}

std::vector<Candidate> startsOf(const std::vector<Candidate> &all, std::size_t wanted)
{
    std::vector<Candidate> starts;
    for (const double apart : {0.1, 0.03, 0.0})
        for (const auto &candidate : all) {
            if (starts.size() >= wanted)
                return starts;
            const auto isNear = [&](const Candidate &start) {
                double distance = 0;
                for (std::size_t i = 0; i < start.shares.size(); ++i)
                    distance = std::max(distance, std::abs(start.shares[i] - candidate.shares[i]));
                return distance <= apart;
            };
            if (std::ranges::none_of(starts, isNear))
                starts.push_back(candidate);
        }
    return starts;
}

} // namespace gridhelm::answers
