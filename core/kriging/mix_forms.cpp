// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/mix_forms.h"

#include "core/execution/parallel_for.h"
#include "core/kriging/leave_one_out.h"
#include "core/kriging/maximum.h"
#include "core/kriging/mixture.h"
#include "core/support/error.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace gridhelm::kriging {

namespace {

constexpr std::size_t mostForms = 4;            // of the candidates, for one output
constexpr std::size_t hyperparameterRuns = 200; // more do not make one output's better
constexpr int narrowClimb = 40, freeClimb = 60; // evaluations
static_assert(mostForms * narrowClimb + 2 * freeClimb == evaluationsOfMixture);
constexpr double worthMixing = 4e-3;      ///< share of all squared errors
constexpr double ownWarpingMargin = 1.05; ///< warping has many hyperparameters
// Luck in the errors of a form that was chosen for one output, in runs: by narrow priors around
// what the leading outputs have, and by none.
constexpr double narrowLuck = 12, freeLuck = 24;
/// What factoring matrices of runs x runs may cost, as the number of them times runs^3.
constexpr double mostWork = 1e11;

/// All that can be mixed for one output.
class FormsOfOutput
{
public:
    FormsOfOutput(const Runs &one, const std::vector<std::size_t> &subset)
        : m_runs(one)
        , m_fewer(subset.size() < one.runs ? onlyRuns(one, subset) : one)
    {
    }

    /// Nothing where the correlations are singular.
    void add(const Component &component, double luck)
    {
        if (auto part = partOf(component, luck))
            keep(component, std::move(*part));
    }

    /// Climbs from there with narrow priors around it; the better one of both ends is kept.
    void climbAround(const Candidate &candidate, FitWatch &watch)
    {
        const auto reached =
            climb(Likelihood(m_fewer, candidate.form).around(candidate.hyperparameters),
                  candidate.hyperparameters, narrowClimb, watch);
        evaluations += reached.evaluations;
        const Component start{candidate.form, candidate.hyperparameters};
        auto best = partOf(start, narrowLuck);
        auto component = start;
        if (std::isfinite(reached.negativeLogLikelihood)) {
            const Component end{candidate.form, reached.hyperparameters};
            auto part = partOf(end, narrowLuck);
            if (part && (!best || normOf(*part) < normOf(*best))) {
                best = std::move(part);
                component = end;
            }
        }
        if (best)
            keep(component, std::move(*best));
    }

    /// From the likeliest of a few lengths.
    void climbFreely(const Form &form, FitWatch &watch)
    {
        const Likelihood likelihood(m_fewer, form);
        const auto dimension = static_cast<std::size_t>(m_runs.dimension);
        Hyperparameters best;
        double least = std::numeric_limits<double>::infinity();
        for (const double share : {0.25, 0.7, 2.0}) {
            const std::vector<double> ones(form.isWarped ? dimension : 0, 1.0);
            Hyperparameters start{std::vector<double>(dimension, longestLength), 1e-6, ones, ones};
            for (const int t : varyingParameters(m_runs))
                start.lengths[static_cast<std::size_t>(t)] =
                    share * std::sqrt(static_cast<double>(dimension));
            const double value = likelihood.value(likelihood.logarithms(start), {});
            ++evaluations;
            if (value < least) {
                least = value;
                best = start;
            }
        }
        if (!std::isfinite(least)) {
            watch.add(freeClimb);
            return;
        }
        const auto reached = climb(likelihood, best, freeClimb, watch);
        evaluations += reached.evaluations;
        if (std::isfinite(reached.negativeLogLikelihood))
            add({form, reached.hyperparameters}, freeLuck);
    }

    /// The candidates' numbers, the one with the least error at this output first.
    std::vector<std::size_t> inOrder(const std::vector<Candidate> &candidates) const
    {
        std::vector<std::pair<double, std::size_t>> errors;
        for (std::size_t k = 0; k < candidates.size(); ++k) {
            const auto &of = candidates[k];
            errors.emplace_back(relativeLeaveOneOut(m_fewer, of.form, of.hyperparameters)
                                    * (of.form.isWarped ? ownWarpingMargin : 1),
                                k);
        }
        std::ranges::sort(errors);
        std::vector<std::size_t> order;
        for (const auto &[error, k] : errors)
            if (std::isfinite(error))
                order.push_back(k);
        return order;
    }

    /// One or two, for the output of this number; none if there is none.
    std::vector<Component> mixture(std::size_t output) const
    {
        if (m_parts.empty())
            return {};
        const auto shares = mixtureShares(m_parts);
        std::vector<Component> mixed;
        for (std::size_t k = 0; k < shares.size(); ++k)
            if (shares[k] > 0) {
                mixed.push_back(m_components[k]);
                mixed.back().first = output;
                mixed.back().share = shares[k];
            }
        return mixed;
    }

    long evaluations = 0;

private:
    static double normOf(const MixturePart &part)
    {
        double sum = 0;
        for (const double error : part.leaveOneOut)
            sum += error * error;
        return sum;
    }

    std::optional<MixturePart> partOf(const Component &component, double luck) const
    {
        try {
            const ExecutionContext one(CpuDevice{1});
            return MixturePart{fitWith(m_runs, {component}, one).leaveOneOut,
                               1 + luck / static_cast<double>(m_runs.runs)};
        } catch (const Error &) {
            return std::nullopt; // its correlations are singular
        }
    }

    void keep(const Component &component, MixturePart part)
    {
        m_components.push_back(component);
        m_parts.push_back(std::move(part));
    }

    const Runs &m_runs;
    Runs m_fewer;
    std::vector<Component> m_components;
    std::vector<MixturePart> m_parts; ///< of each of them
};

/// That has the output of this number, alone.
Component componentOf(const std::vector<Component> &components, std::size_t output)
{
    for (const auto &component : components)
        if (output >= component.first && output < component.first + component.outputs)
            return {component.form, component.hyperparameters};
    throw Error("an output has no group: fit it again");
}

/// Whether a plain correlation may be tried beside the candidates'.
bool allowsPlain(const FitOptions &options)
{
    return std::ranges::find(options.smoothnesses, Smoothness::matern52)
               != options.smoothnesses.end()
           && options.linearMean != Use::always && options.warping != Use::always;
}

/// Squares of the errors of runs that are left out, of each output.
std::vector<double> errorsOf(const Runs &runs, const std::vector<Component> &components,
                             const ExecutionContext &context)
{
    const auto errors = fitWith(runs, components, context).leaveOneOut;
    std::vector<double> sums(runs.outputs);
    for (std::size_t i = 0; i < errors.size(); ++i)
        sums[i % runs.outputs] += errors[i] * errors[i];
    return sums;
}

/// Of outputs that have components of their own, these; of all others what they have.
std::vector<Component> composed(const std::vector<Component> &components,
                                const std::vector<std::vector<Component>> &own)
{
    std::vector<Component> all;
    for (const auto &component : components)
        for (auto output = component.first; output < component.first + component.outputs;
             ++output) {
            const auto &mixed = own[output];
            all.insert(all.end(), mixed.begin(), mixed.end());
            if (!mixed.empty())
                continue;
            const bool goesOn = output > component.first && own[output - 1].empty();
            if (goesOn) {
                ++all.back().outputs;
                continue;
            }
            all.push_back(component);
            all.back().first = output;
            all.back().outputs = 1;
        }
    return all;
}

} // namespace

std::vector<Component> mixForms(const Runs &fitted, std::size_t runs,
                                const std::vector<Component> &components,
                                const std::vector<Candidate> &candidates, const FitOptions &options,
                                const ExecutionContext &context, FitWatch &watch, long &evaluations)
{
    const auto errors = errorsOf(fitted, components, context);
    double sum = 0;
    for (const double error : errors)
        sum += error;
    const auto most = std::min(fitted.outputs, options.mixed);
    std::vector<std::size_t> outputs;
    for (std::size_t k = 0; k < most; ++k)
        if (errors[k] > 0 && errors[k] >= worthMixing * sum)
            outputs.push_back(k);
    // Those with the largest errors first.
    std::ranges::stable_sort(outputs, std::ranges::greater{},
                             [&](std::size_t k) { return errors[k]; });
    const double works = mostWork / std::pow(static_cast<double>(runs), 3);
    const auto room = works > static_cast<double>(components.size())
                          ? static_cast<std::size_t>(works) - components.size()
                          : 0;
    outputs.resize(std::min(outputs.size(), room));
    watch.add(static_cast<double>((most - outputs.size()) * evaluationsOfMixture));

    const auto subset = spreadSubset(fitted, hyperparameterRuns);
    std::vector<std::vector<Component>> own(fitted.outputs);
    std::atomic<long> made = 0;
    parallelFor(outputs.size(), context.cpu(), 1, [&](std::size_t i) {
        const auto output = outputs[i];
        const Runs one = onlyOutputs(fitted, output, output + 1);
        FormsOfOutput forms(one, subset);
        forms.add(componentOf(components, output), 0);
        const auto order = forms.inOrder(candidates);
        for (std::size_t k = 0; k < mostForms; ++k)
            if (k < order.size())
                forms.climbAround(candidates[order[k]], watch);
            else
                watch.add(narrowClimb);
        const Form plain;
        if (allowsPlain(options))
            forms.climbFreely(plain, watch);
        if (!order.empty() && !(allowsPlain(options) && candidates[order[0]].form == plain))
            forms.climbFreely(candidates[order[0]].form, watch);
        own[output] = forms.mixture(output);
        made += forms.evaluations;
    });
    evaluations += made;
    return composed(components, own);
}

} // namespace gridhelm::kriging
