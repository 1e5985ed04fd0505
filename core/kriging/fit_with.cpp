// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/parallel_for.h"
#include "core/kriging/bordered_factor.h"
#include "core/kriging/fit.h"
#include "core/kriging/leave_one_out.h"
#include "core/kriging/likelihood.h"
#include "core/kriging/trend.h"
#include "core/support/error.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gridhelm::kriging {

namespace {

using Eigen::Index;

std::vector<double> rowsOfColumns(const Matrix &columns)
{
    return {columns.data(), columns.data() + columns.size()}; // column-major: one after the other
}

/// One group, and its leave-one-out errors, runs x outputs.
OutputGroup solveGroup(const Matrix &places, const Matrix &trend, const Detrended &values,
                       Smoothness smoothness, const Hyperparameters &hyperparameters,
                       Matrix &leaveOneOut)
{
    Matrix correlations;
    fillCorrelations(warpedPlaces(places, hyperparameters), hyperparameters, smoothness,
                     correlations);
    const auto factor = BorderedFactor::of(std::move(correlations), trend);
    if (!factor)
        throw Error("the correlations of the runs are singular: leave out runs with the same "
                    "parameters, or allow a larger nugget");
    auto solution = factor->solve(values.rest);
    solution.trend += values.coefficients;
    leaveOneOut = leaveOneOutErrors(solution.weights, factor->inverse().diagonal());
    OutputGroup group{static_cast<std::size_t>(values.rest.cols()),
                      hyperparameters,
                      rowsOfColumns(solution.trend),
                      rowsOfColumns(solution.weights),
                      {}};
    const auto freedom = static_cast<double>(trend.rows() - trend.cols());
    for (Index m = 0; m < values.rest.cols(); ++m)
        group.variances.push_back(
            std::max(0.0, solution.weights.col(m).dot(values.rest.col(m)) / freedom));
    return group;
}

} // namespace

Fit fitWith(const Runs &runs, const Form &form, const std::vector<Hyperparameters> &groups,
            const std::vector<std::size_t> &outputs, const ExecutionContext &context,
            const FitWatch::Tell &progress)
{
    requireUsable(runs);
    if (groups.empty() || groups.size() != outputs.size()
        || std::accumulate(outputs.begin(), outputs.end(), std::size_t{0}) != runs.outputs)
        throw Error("the groups of a kriging surrogate do not add up to its "
                    + std::to_string(runs.outputs) + " outputs: give each output one group");
    const Matrix places = placesOf(runs), values = valuesOf(runs);
    if (!trendIsDetermined(places, form.linear))
        throw Error("the mean of a kriging surrogate is not determined by these runs: choose a "
                    "constant mean, or run more");
    const Matrix trend = trendAt(places, form.linear);
    std::vector<Index> first(groups.size());
    for (std::size_t k = 1; k < groups.size(); ++k)
        first[k] = first[k - 1] + static_cast<Index>(outputs[k - 1]);

    Fit result;
    result.model = {form, runs.dimension, runs.runs, runs.places,
                    std::vector<OutputGroup>(groups.size())};
    Matrix errors(values.cols(), values.rows());
    FitWatch watch(progress, static_cast<double>(groups.size()));
    parallelFor(groups.size(), context.cpu(), 1, [&](std::size_t k) {
        watch.add(0); // others may have been stopped
        const auto count = static_cast<Index>(outputs[k]);
        Matrix ofGroup;
        result.model.groups[k] =
            solveGroup(places, trend, detrended(values.middleCols(first[k], count), trend),
                       form.smoothness, groups[k], ofGroup);
        errors.middleRows(first[k], count) = ofGroup.transpose();
        watch.add(1);
    });
    result.leaveOneOut = rowsOfColumns(errors);
    return result;
}

} // namespace gridhelm::kriging
