// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/maximum.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
#include <memory>
#include <span>

namespace gridhelm::kriging {

namespace {

struct Climb
{
    const Likelihood *likelihood = nullptr;
    FitWatch *watch = nullptr;
    nlopt_opt optimizer = nullptr;
    std::vector<double> best;
    double bestValue = std::numeric_limits<double>::infinity();
    double lastFinite = 0;
    int evaluations = 0;
    std::exception_ptr exception{};
};

/// NLopt's callback: no exception may leave it.
double evaluate(unsigned count, const double *logarithms, double *gradient, void *data)
{
    auto &climb = *static_cast<Climb *>(data);
    if (climb.exception)
        return 0; // a line search asks on, some way
    try {
        ++climb.evaluations;
        climb.watch->add(1);
        const std::span<const double> place(logarithms, count);
        const double value = climb.likelihood->value(
            place, gradient == nullptr ? std::span<double>() : std::span<double>(gradient, count));
        if (std::isfinite(value)) {
            climb.lastFinite = std::max(climb.lastFinite, std::abs(value));
            if (value < climb.bestValue) {
                climb.bestValue = value;
                climb.best.assign(place.begin(), place.end());
            }
            return value;
        }
        return 1e3 + 10 * climb.lastFinite; // a step back, without numbers that line searches fear
    } catch (...) {
        climb.exception = std::current_exception();
        nlopt_force_stop(climb.optimizer);
        return 0;
    }
}

struct Bounds
{
    std::vector<double> lower, upper;
};

Bounds boundsOf(const Likelihood &likelihood, std::size_t dimension)
{
    const double warping = 3 * warpingPriorDeviation;
    Bounds bounds{std::vector<double>(likelihood.parameters(), -warping),
                  std::vector<double>(likelihood.parameters(), warping)};
    std::fill_n(bounds.lower.begin(), dimension, std::log(shortestLength));
    std::fill_n(bounds.upper.begin(), dimension, std::log(longestLength));
    bounds.lower[dimension] = std::log(smallestNugget(likelihood.form().smoothness));
    bounds.upper[dimension] = 0;
    return bounds;
}

} // namespace

double smallestNugget(Smoothness smoothness)
{
    return smoothness == Smoothness::gaussian ? 1e-9 : 1e-11;
}

Maximum climb(const Likelihood &likelihood, const Hyperparameters &start, int evaluations,
              FitWatch &watch)
{
    const auto bounds = boundsOf(likelihood, start.lengths.size());
    auto logarithms = likelihood.logarithms(start);
    for (std::size_t k = 0; k < logarithms.size(); ++k)
        logarithms[k] = std::clamp(logarithms[k], bounds.lower[k], bounds.upper[k]);

    const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimizer(
        nlopt_create(NLOPT_LD_LBFGS, static_cast<unsigned>(logarithms.size())), &nlopt_destroy);
    Climb climb{.likelihood = &likelihood,
                .watch = &watch,
                .optimizer = optimizer.get(),
                .best = logarithms};
    nlopt_set_min_objective(optimizer.get(), &evaluate, &climb);
    nlopt_set_lower_bounds(optimizer.get(), bounds.lower.data());
    nlopt_set_upper_bounds(optimizer.get(), bounds.upper.data());
    nlopt_set_ftol_abs(optimizer.get(), 1e-3);
    nlopt_set_maxeval(optimizer.get(), evaluations);
    double value = 0;
    // Its result says why it stopped; the best place seen counts in any case.
    nlopt_optimize(optimizer.get(), logarithms.data(), &value);
    if (climb.exception)
        std::rethrow_exception(climb.exception);
    watch.add(std::max(0, evaluations - climb.evaluations));
    return {likelihood.hyperparameters(climb.best), climb.bestValue, climb.evaluations};
}

} // namespace gridhelm::kriging
