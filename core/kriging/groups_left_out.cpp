// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/groups_left_out.h"

#include "core/execution/parallel_for.h"
#include "core/kriging/bordered_factor.h"
#include "core/kriging/correlations.h"
#include "core/kriging/trend.h"
#include "core/support/error.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace gridhelm::kriging {

namespace {

using Eigen::Index;
using Members = std::vector<Index>;

std::vector<Members> membersOf(std::span<const std::size_t> groupOf)
{
    std::map<std::size_t, Members> members;
    for (std::size_t run = 0; run < groupOf.size(); ++run)
        members[groupOf[run]].push_back(static_cast<Index>(run));
    std::vector<Members> all;
    for (auto &[group, runs] : members)
        all.push_back(std::move(runs));
    return all;
}

/// The runs' block of the inverse of the bordered matrix; its lower triangle.
Matrix inverseOf(const OutputGroup &group, const Matrix &places)
{
    Matrix correlations;
    fillCorrelations(warpedPlaces(places, group.hyperparameters), group.hyperparameters,
                     group.form.smoothness, correlations);
    const auto factor =
        BorderedFactor::of(std::move(correlations), trendAt(places, group.form.linear));
    if (!factor)
        throw Error("the correlations of a kriging surrogate are singular: fit it again");
    return factor->inverse();
}

/// Of these runs, members x outputs.
Matrix errorsOf(const Members &members, const Matrix &inverse, const Matrix &weights)
{
    const auto count = static_cast<Index>(members.size());
    Matrix block(count, count), rows(count, weights.cols());
    for (Index i = 0; i < count; ++i) {
        for (Index j = 0; j <= i; ++j)
            block(i, j) =
                inverse(members[static_cast<std::size_t>(i)], members[static_cast<std::size_t>(j)]);
        rows.row(i) = weights.row(members[static_cast<std::size_t>(i)]);
    }
    const Eigen::LLT<Matrix, Eigen::Lower> factor(block);
    if (factor.info() != Eigen::Success)
        throw Error("without one of the groups of runs the others say nothing of the mean: add "
                    "runs of other groups");
    return factor.solve(rows);
}

} // namespace

std::vector<double> leaveGroupsOut(const Model &model, std::span<const std::size_t> groupOf,
                                   const ExecutionContext &context)
{
    requireSound(model);
    if (groupOf.size() != model.runs)
        throw Error(std::to_string(groupOf.size()) + " groups for " + std::to_string(model.runs)
                    + " runs: give each run one");
    const auto groups = membersOf(groupOf);
    const Matrix places = rowMajorMatrix(model.places, model.runs);
    std::size_t terms = 1;
    for (const auto &group : model.groups)
        terms = std::max(terms, 1 + group.form.linear.size());
    for (const auto &members : groups)
        if (members.size() + terms > model.runs)
            throw Error("without one of the groups of runs too few others are left: add runs of "
                        "other groups");
    std::vector<Matrix> ofGroups(model.groups.size()); // runs x outputs
    parallelFor(model.groups.size(), context.cpu(), 1, [&](std::size_t k) {
        const auto &group = model.groups[k];
        const Matrix inverse = inverseOf(group, places);
        const Matrix weights = rowMajorMatrix(group.weights, group.outputs).transpose();
        ofGroups[k].resize(weights.rows(), weights.cols());
        for (const auto &members : groups) {
            const Matrix ofMembers = errorsOf(members, inverse, weights);
            for (std::size_t i = 0; i < members.size(); ++i)
                ofGroups[k].row(members[i]) = ofMembers.row(static_cast<Index>(i));
        }
    });
    const auto outputs = model.outputs();
    std::vector<double> errors(model.runs * outputs);
    for (std::size_t k = 0; k < ofGroups.size(); ++k)
        for (std::size_t run = 0; run < model.runs; ++run)
            for (std::size_t m = 0; m < model.groups[k].outputs; ++m)
                errors[run * outputs + model.groups[k].first + m] +=
                    ofGroups[k](static_cast<Index>(run), static_cast<Index>(m));
    return errors;
}

} // namespace gridhelm::kriging
