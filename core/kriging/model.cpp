// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/model.h"

#include "core/support/error.h"

#include <algorithm>
#include <cmath>

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
    for (const int t : model.form.linear)
        if (t < 0 || t >= model.dimension)
            return false;
    const std::size_t terms = 1 + model.form.linear.size();
    return std::ranges::all_of(model.groups, [&](const OutputGroup &group) {
        return group.outputs > 0 && isSound(group.hyperparameters, dimension, model.form.isWarped)
               && areFinite(group.trend, group.outputs * terms)
               && areFinite(group.weights, group.outputs * model.runs)
               && areFinite(group.variances, group.outputs)
               && std::ranges::all_of(group.variances, [](double value) { return value >= 0; });
    });
}

} // namespace

std::size_t Model::outputs() const
{
    std::size_t sum = 0;
    for (const auto &group : groups)
        sum += group.outputs;
    return sum;
}

void requireSound(const Model &model)
{
    if (!isSound(model))
        throw Error("the numbers of a kriging surrogate do not fit each other: fit it again");
}

} // namespace gridhelm::kriging
