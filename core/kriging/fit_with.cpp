// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/parallel_for.h"
#include "core/kriging/bordered_factor.h"
#include "core/kriging/fit.h"
#include "core/kriging/leave_one_out.h"
#include "core/kriging/likelihood.h"
#include "core/kriging/trend.h"
#include "core/support/error.h"

#include <algorithm>
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
                       const Component &component, Matrix &leaveOneOut)
{
    const auto &of = component.hyperparameters;
    Matrix correlations;
    fillCorrelations(warpedPlaces(places, of), of, component.form.smoothness, correlations);
    const auto factor = BorderedFactor::of(std::move(correlations), trend);
    if (!factor)
        throw Error("the correlations of the runs are singular: leave out runs with the same "
                    "parameters, or allow a larger nugget");
    auto solution = factor->solve(values.rest);
    solution.trend += values.coefficients;
    const double share = component.share;
    leaveOneOut = share * leaveOneOutErrors(solution.weights, factor->inverse().diagonal());
    OutputGroup group{component.first,
                      component.outputs,
                      component.form,
                      of,
                      share,
                      rowsOfColumns(share * solution.trend),
                      rowsOfColumns(share * solution.weights),
                      {}};
    const auto freedom = static_cast<double>(trend.rows() - trend.cols());
    for (Index m = 0; m < values.rest.cols(); ++m)
        group.variances.push_back(
            share * std::max(0.0, solution.weights.col(m).dot(values.rest.col(m)) / freedom));
    return group;
}

} // namespace

std::vector<Component> componentsOf(const Model &model)
{
    std::vector<Component> components;
    for (const auto &group : model.groups)
        components.push_back(
            {group.form, group.hyperparameters, group.first, group.outputs, group.share});
    return components;
}

Fit fitWith(const Runs &runs, const std::vector<Component> &components,
            const ExecutionContext &context, const FitWatch::Tell &progress)
{
    requireUsable(runs);
    if (coveredOutputs(components) != runs.outputs)
        throw Error("the groups of a kriging surrogate do not add up to its "
                    + std::to_string(runs.outputs) + " outputs: give each output one group");
    const Matrix places = placesOf(runs), values = valuesOf(runs);
    for (const auto &component : components)
        if (!trendIsDetermined(places, component.form.linear))
            throw Error("the mean of a kriging surrogate is not determined by these runs: choose a "
                        "constant mean, or run more");

    Fit result;
    result.model = {runs.dimension, runs.runs, runs.places,
                    std::vector<OutputGroup>(components.size())};
    std::vector<Matrix> errors(components.size());
    FitWatch watch(progress, static_cast<double>(components.size()));
    parallelFor(components.size(), context.cpu(), 1, [&](std::size_t k) {
        watch.add(0); // others may have been stopped
        const auto &component = components[k];
        const Matrix trend = trendAt(places, component.form.linear);
        const auto own = values.middleCols(static_cast<Index>(component.first),
                                           static_cast<Index>(component.outputs));
        result.model.groups[k] =
            solveGroup(places, trend, detrended(own, trend), component, errors[k]);
        watch.add(1);
    });
    Matrix sum = Matrix::Zero(values.cols(), values.rows());
    for (std::size_t k = 0; k < components.size(); ++k)
        sum.middleRows(static_cast<Index>(components[k].first),
                       static_cast<Index>(components[k].outputs)) += errors[k].transpose();
    result.leaveOneOut = rowsOfColumns(sum);
    return result;
}

} // namespace gridhelm::kriging
