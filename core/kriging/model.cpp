// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/model.h"

#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::kriging {

namespace {

using Values = std::vector<double>;

bool areFinite(const Values &values, std::size_t count)
{
    return values.size() == count
           && std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

bool arePositive(const Values &values, std::size_t count)
{
    return areFinite(values, count)
           && std::ranges::all_of(values, [](double value) { return value > 0; });
}

bool isSound(const Hyperparameters &hyperparameters, std::size_t dimension, bool isWarped)
{
    const std::size_t warps = isWarped ? dimension : 0;
    return arePositive(hyperparameters.lengths, dimension) && areFinite({hyperparameters.nugget}, 1)
           && hyperparameters.nugget >= 0 && arePositive(hyperparameters.warpA, warps)
           && arePositive(hyperparameters.warpB, warps);
}

bool isSound(const Model &model)
{
    if (model.dimension < 1 || model.runs < 1 || model.groups.empty())
        return false;
    const auto dimension = static_cast<std::size_t>(model.dimension);
    if (!areFinite(model.places, model.runs * dimension))
        return false;
    if (coveredOutputs(model.groups) == 0)
        return false;
    return std::ranges::all_of(model.groups, [&](const OutputGroup &group) {
        const bool isLinear = std::ranges::all_of(
            group.form.linear, [&](int t) { return t >= 0 && t < model.dimension; });
        const std::size_t terms = 1 + group.form.linear.size();
        return isLinear && arePositive({group.share}, 1)
               && isSound(group.hyperparameters, dimension, group.form.isWarped)
               && areFinite(group.trend, group.outputs * terms)
               && areFinite(group.weights, group.outputs * model.runs)
               && areFinite(group.variances, group.outputs)
               && std::ranges::all_of(group.variances, [](double value) { return value >= 0; });
    });
}

} // namespace

std::size_t Model::outputs() const
{
    std::size_t end = 0;
    for (const auto &group : groups)
        end = std::max(end, group.first + group.outputs);
    return end;
}

Form Model::mainForm() const
{
    std::vector<std::pair<Form, double>> shares;
    for (const auto &group : groups) {
        auto known = std::ranges::find(shares, group.form, &std::pair<Form, double>::first);
        if (known == shares.end())
            known = shares.insert(known, {group.form, 0});
        known->second += group.share * static_cast<double>(group.outputs);
    }
    return std::ranges::max_element(shares, {}, &std::pair<Form, double>::second)->first;
}

bool Model::hasOneForm() const
{
    return std::ranges::all_of(
        groups, [this](const OutputGroup &group) { return group.form == groups[0].form; });
}

void requireSound(const Model &model)
{
    if (!isSound(model))
        throw Error("the numbers of a kriging surrogate do not fit each other: fit it again");
}

} // namespace gridhelm::kriging
