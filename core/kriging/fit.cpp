// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/fit.h"

#include "core/execution/parallel_for.h"
#include "core/kriging/leave_one_out.h"
#include "core/kriging/maximum.h"
#include "core/kriging/mix_forms.h"
#include "core/kriging/trend.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace gridhelm::kriging {

namespace {

constexpr int firstClimb = 80; // evaluations
constexpr int laterClimb = 40; // from where a similar form ended
/// Warping has many hyperparameters, and takes some of its gain from luck: it has to gain this
/// much.
constexpr double warpingMargin = 1.2;

/// A form that is to be fitted, and from where.
struct Task
{
    Form form;
    std::vector<Hyperparameters> starts;
};

/// Several climbs for each task, all at once; the best of each.
std::vector<Candidate> fitForms(const Runs &runs, const std::vector<Task> &tasks, int evaluations,
                                const ExecutionContext &context, FitWatch &watch, long &count)
{
    struct Start
    {
        std::size_t task;
        const Hyperparameters *from;
        Maximum reached;
    };
    std::vector<Likelihood> likelihoods;
    std::vector<Start> starts;
    for (std::size_t k = 0; k < tasks.size(); ++k) {
        likelihoods.emplace_back(runs, tasks[k].form);
        for (const auto &from : tasks[k].starts)
            starts.push_back({k, &from, {}});
    }
    parallelFor(starts.size(), context.cpu(), 1, [&](std::size_t i) {
        starts[i].reached = climb(likelihoods[starts[i].task], *starts[i].from, evaluations, watch);
    });
    std::vector<Candidate> result;
    for (const auto &task : tasks)
        result.push_back({task.form,
                          {},
                          std::numeric_limits<double>::infinity(),
                          std::numeric_limits<double>::infinity()});
    for (const auto &start : starts) {
        auto &candidate = result[start.task];
        count += start.reached.evaluations;
        if (start.reached.negativeLogLikelihood < candidate.negativeLogLikelihood) {
            candidate.negativeLogLikelihood = start.reached.negativeLogLikelihood;
            candidate.hyperparameters = start.reached.hyperparameters;
        }
    }
    std::erase_if(result, [](const Candidate &candidate) {
        return !std::isfinite(candidate.negativeLogLikelihood);
    });
    parallelFor(result.size(), context.cpu(), 1, [&](std::size_t k) {
        result[k].leaveOneOut =
            relativeLeaveOneOut(runs, result[k].form, result[k].hyperparameters);
    });
    return result;
}

/// Lengths from short to long; of parameters that do not vary so long that nothing depends on them
/// (the likelihood does not move those).
std::vector<Hyperparameters> firstStarts(const Runs &runs)
{
    const auto dimension = static_cast<std::size_t>(runs.dimension);
    const double diagonal = std::sqrt(static_cast<double>(dimension)); // the cube's
    std::vector<Hyperparameters> result;
    for (const double share : {0.25, 1.0, 4.0}) {
        result.push_back({std::vector<double>(dimension, longestLength), 1e-6, {}, {}});
        for (const int t : varyingParameters(runs))
            result.back().lengths[static_cast<std::size_t>(t)] = share * diagonal;
    }
    return result;
}

/// The same candidates' forms, changed, beginning where they ended.
template <typename Change>
std::vector<Task> changed(const std::vector<Candidate> &candidates, Change change)
{
    std::vector<Task> tasks;
    for (const auto &candidate : candidates) {
        tasks.push_back({candidate.form, {candidate.hyperparameters}});
        change(tasks.back().form);
    }
    return tasks;
}

bool isWarpingTried(const Runs &runs, const FitOptions &options)
{
    constexpr std::size_t runsPerWarping = 5; // with fewer for each parameter all errors look small
    const bool areEnough = runs.runs >= runsPerWarping * static_cast<std::size_t>(runs.dimension);
    return options.warping == Use::always || (options.warping == Use::chosen && areEnough);
}

/// Each form of the options, fitted to all outputs of the runs. One smoothness is fitted from
/// several starts, and all else from where that ended.
std::vector<Candidate> fitAllForms(const Runs &runs, const FitOptions &options,
                                   const std::vector<int> &linear, const ExecutionContext &context,
                                   FitWatch &watch, long &count)
{
    const bool linearFirst = options.linearMean == Use::always;
    const Form first{options.smoothnesses[options.smoothnesses.size() / 2],
                     linearFirst ? linear : std::vector<int>{}, false};
    auto candidates =
        fitForms(runs, {{first, firstStarts(runs)}}, firstClimb, context, watch, count);
    const auto append = [&](const std::vector<Task> &tasks) {
        for (auto &candidate : fitForms(runs, tasks, laterClimb, context, watch, count))
            candidates.push_back(std::move(candidate));
    };
    std::vector<Task> others;
    for (const Smoothness smoothness : options.smoothnesses) {
        if (smoothness == first.smoothness || candidates.empty())
            continue;
        others.push_back({first, {candidates.front().hyperparameters}});
        others.back().form.smoothness = smoothness;
    }
    append(others);
    if (!linear.empty() && options.linearMean == Use::chosen)
        append(changed(candidates, [&](Form &form) { form.linear = linear; }));
    if (isWarpingTried(runs, options))
        append(changed(candidates, [](Form &form) { form.isWarped = true; }));
    if (options.warping == Use::always)
        std::erase_if(candidates,
                      [](const Candidate &candidate) { return !candidate.form.isWarped; });
    return candidates;
}

struct Part
{
    std::size_t first, end; ///< outputs
};

/// Which outputs share hyperparameters.
std::vector<Part> partsOf(std::size_t outputs, const FitOptions &options)
{
    std::vector<Part> parts;
    const std::size_t refined = std::min(outputs, options.refined);
    for (std::size_t m = 0; m < refined; ++m)
        parts.push_back({m, m + 1});
    const std::size_t rest = outputs - refined;
    const std::size_t groups = std::min(rest, std::max<std::size_t>(options.sharedGroups, 1));
    for (std::size_t k = 0; k < groups; ++k)
        parts.push_back({refined + rest * k / groups, refined + rest * (k + 1) / groups});
    return parts;
}

/// The hyperparameters of each part, from where the leading outputs ended; those stay where others
/// do not lower the leave-one-out error.
std::vector<Hyperparameters> refine(const Runs &runs, const std::vector<Part> &parts,
                                    const Candidate &leading, const ExecutionContext &context,
                                    FitWatch &watch, long &count)
{
    constexpr std::size_t manyOutputs = 16; // more of a group add little to what they say together
    std::vector<Hyperparameters> result(parts.size(), leading.hyperparameters);
    std::vector<int> evaluations(parts.size());
    parallelFor(parts.size(), context.cpu(), 1, [&](std::size_t k) {
        const auto end = std::min(parts[k].end, parts[k].first + manyOutputs);
        const Runs outputs = onlyOutputs(runs, parts[k].first, end);
        const auto reached =
            climb(Likelihood(outputs, leading.form).around(leading.hyperparameters),
                  leading.hyperparameters, laterClimb, watch);
        evaluations[k] = reached.evaluations;
        if (!std::isfinite(reached.negativeLogLikelihood))
            return;
        if (relativeLeaveOneOut(outputs, leading.form, reached.hyperparameters)
            < relativeLeaveOneOut(outputs, leading.form, leading.hyperparameters))
            result[k] = reached.hyperparameters;
    });
    count = std::accumulate(evaluations.begin(), evaluations.end(), count);
    return result;
}

/// Outputs side by side without forms of their own.
std::vector<Component> together(const std::vector<Part> &parts, const Form &form,
                                const std::vector<Hyperparameters> &hyperparameters)
{
    std::vector<Component> components;
    for (std::size_t k = 0; k < parts.size(); ++k)
        components.push_back(
            {form, hyperparameters[k], parts[k].first, parts[k].end - parts[k].first});
    return components;
}

std::vector<int> linearParameters(const Runs &runs, const FitOptions &options)
{
    if (options.linearMean == Use::never)
        return {};
    constexpr std::size_t runsPerTerm = 3; // fewer are luck
    auto linear = varyingParameters(runs);
    const bool isDetermined = !linear.empty() && trendIsDetermined(placesOf(runs), linear);
    if (isDetermined
        && (options.linearMean == Use::always || runs.runs >= runsPerTerm * (linear.size() + 1)))
        return linear;
    if (options.linearMean == Use::always)
        throw Error("a linear mean is not determined by these runs, because they are too few or do "
                    "not vary all parameters alone: choose a constant mean, or run more");
    return {};
}

/// Evaluations of likelihoods, at most.
double evaluationsToCome(const Runs &runs, const FitOptions &options, bool isLinearTried,
                         std::size_t parts)
{
    const std::size_t forms = options.smoothnesses.size() * (isLinearTried ? 2 : 1)
                              * (isWarpingTried(runs, options) ? 2 : 1);
    const auto starts = firstStarts(runs).size();
    const auto mixed = std::min(runs.outputs, options.mixed) * evaluationsOfMixture;
    return static_cast<double>(starts * firstClimb + (forms - 1 + parts) * laterClimb + mixed);
}

/// Whoever is told hears of the part of a fit that is `from` .. `to` of all.
FitWatch::Tell partOf(const FitWatch::Tell &tell, double from, double to)
{
    if (!tell)
        return {};
    return [tell, from, to](double share) { return tell(from + (to - from) * share); };
}

} // namespace

Fit fit(const Runs &runs, const FitOptions &options, const ExecutionContext &context)
{
    requireUsable(runs);
    if (options.smoothnesses.empty() || options.leading < 1)
        throw Error("kriging has no smoothness or no leading output to choose by: allow one");
    const bool fewer = runs.runs > options.hyperparameterRuns;
    const Runs fewerRuns =
        fewer ? onlyRuns(runs,
                         spreadSubset(runs, std::max<std::size_t>(options.hyperparameterRuns, 2)))
              : Runs{};
    const Runs &fitted = fewer ? fewerRuns : runs;

    const auto linear = linearParameters(fitted, options);
    const auto parts = partsOf(runs.outputs, options);
    const double toCome = evaluationsToCome(
        fitted, options, !linear.empty() && options.linearMean == Use::chosen, parts.size());
    // Both factor matrices of so many runs.
    const double more =
        std::pow(static_cast<double>(runs.runs) / static_cast<double>(fitted.runs), 3);
    const double climbs = toCome / (toCome + more * static_cast<double>(parts.size()));
    FitWatch watch(partOf(options.progress, 0, climbs), toCome);

    long evaluations = 0;
    auto candidates = fitAllForms(onlyOutputs(fitted, 0, std::min(runs.outputs, options.leading)),
                                  options, linear, context, watch, evaluations);
    if (candidates.empty())
        throw Error("no correlation can be fitted to these runs, because they are too close to "
                    "each other: leave out runs with the same parameters");
    const auto &best = *std::ranges::min_element(candidates, {}, [](const Candidate &candidate) {
        return candidate.leaveOneOut * (candidate.form.isWarped ? warpingMargin : 1);
    });
    auto components =
        together(parts, best.form, refine(fitted, parts, best, context, watch, evaluations));
    if (options.mixed > 0)
        components = mixForms(fitted, runs.runs, components, candidates, options, context, watch,
                              evaluations);
    Fit result = fitWith(runs, components, context, partOf(options.progress, climbs, 1));
    result.candidates = std::move(candidates);
    result.evaluations = evaluations;
    return result;
}

} // namespace gridhelm::kriging
