// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/sparse_grid_surrogate.h"

#include "core/sparse/weight_evaluator.h"
#include "core/support/error.h"
#include "core/surrogate/place.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::sparse {

namespace {

/// The value at a coordinate outside [0, 1], or its derivative, as a combination of the values at
/// two coordinates inside, between which the interpolant is linear: the end, and the next grid line
/// of the finest level.
struct LinePiece
{
    std::size_t dimension;
    std::array<double, 2> places;
    std::array<double, 2> weights;
};

LinePiece continuation(std::size_t dimension, double x, int highestLevel, bool derived)
{
    const double width = std::ldexp(1.0, -(std::max(highestLevel, 0) + 1));
    const double beyond = (x < 0 ? -x : x - 1) / width;
    const double slope = (x < 0 ? -1 : 1) / width; // of `beyond`
    const std::array<double, 2> places{x < 0 ? 0.0 : 1.0, x < 0 ? width : 1 - width};
    if (derived)
        return {dimension, places, {slope, -slope}};
    return {dimension, places, {1 + beyond, -beyond}};
}

} // namespace

SparseGridSurrogate::SparseGridSurrogate(std::shared_ptr<const SparseGrid> grid)
    : m_grid(std::move(grid))
{
}

SparseWeights SparseGridSurrogate::weights(std::span<const double> x, int groups,
                                           OutOfRange outOfRange) const
{
    return combination(x, none, groups, outOfRange);
}

SparseWeights SparseGridSurrogate::derivativeWeights(std::span<const double> x, int t, int groups,
                                                     OutOfRange outOfRange) const
{
    requireParameter(t, dimension());
    return combination(x, t, groups, outOfRange);
}

SparseWeights SparseGridSurrogate::combination(std::span<const double> x, int derived, int groups,
                                               OutOfRange outOfRange) const
{
    const auto d = static_cast<std::size_t>(dimension());
    if (x.size() != d)
        throw Error(std::to_string(x.size()) + " coordinates for a grid of " + std::to_string(d)
                    + " dimensions: give one for each");
    constexpr double roundOff = 1e-12;
    WeightEvaluator evaluator(*m_grid);
    std::vector<LinePiece> outside;
    int derivedInside = derived;
    for (std::size_t t = 0; t < d; ++t) {
        const int index = static_cast<int>(t);
        const bool isNear = x[t] >= -roundOff && x[t] <= 1 + roundOff; // false for NaN
        if (isNear || outOfRange == OutOfRange::refused || !std::isfinite(x[t])) {
            evaluator.setCoordinate(index, isNear ? std::clamp(x[t], 0.0, 1.0) : x[t]);
            continue;
        }
        if (!hasHats(m_grid->basis(index))) {
            evaluator.setCoordinateOutside(index, x[t]);
            continue;
        }
        outside.push_back(continuation(t, x[t], m_grid->highestLevel(index), index == derived));
        if (index == derived)
            derivedInside = none;
    }
    const auto weightsInside = [&] {
        return derivedInside == none ? evaluator.weights(groups)
                                     : evaluator.derivativeWeights(derivedInside, groups);
    };
    if (outside.empty())
        return weightsInside();

    // The product over the dimensions outside: 2^k points inside. Weights of one row are added up.
    constexpr std::size_t maxOutside = 12;
    if (outside.size() > maxOutside)
        throw Error(std::to_string(outside.size())
                    + " parameters are out of range: extrapolate in at most "
                    + std::to_string(maxOutside) + " at once");
    std::map<std::uint64_t, double> weightOf;
    for (std::size_t choice = 0; choice < std::size_t{1} << outside.size(); ++choice) {
        double factor = 1;
        for (std::size_t k = 0; k < outside.size(); ++k) {
            const auto place = (choice >> k) & 1U;
            evaluator.setCoordinate(static_cast<int>(outside[k].dimension),
                                    outside[k].places.at(place));
            factor *= outside[k].weights.at(place);
        }
        const auto weights = weightsInside();
        for (std::size_t i = 0; i < weights.rows.size(); ++i)
            weightOf[weights.rows[i]] += factor * weights.weights[i];
    }
    SparseWeights result;
    const auto lastGroupFirstRow =
        m_grid->groupFirstPoint(std::clamp(groups, 1, m_grid->groups()) - 1);
    for (const auto &[row, weight] : weightOf) {
        if (weight == 0)
            continue;
        if (row < lastGroupFirstRow)
            result.lastGroupBegin = result.rows.size() + 1;
        result.rows.push_back(row);
        result.weights.push_back(weight);
    }
    return result;
}

} // namespace gridhelm::sparse
