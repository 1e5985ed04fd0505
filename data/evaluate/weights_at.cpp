// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/error.h"
#include "data/evaluate/field_surrogate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace gridhelm::data {

namespace {

/// The value at a coordinate outside [0, 1] as a combination of the values at two coordinates
/// inside, between which the surrogate is linear: the end, and the next grid line of the finest
/// level.
struct LinePiece
{
    double end, inner;
    double endWeight, innerWeight;
};

LinePiece continuation(double x, int highestLevel)
{
    const double width = std::ldexp(1.0, -(std::max(highestLevel, 0) + 1));
    const double beyond = (x < 0 ? -x : x - 1) / width;
    const double end = x < 0 ? 0 : 1;
    return {end, x < 0 ? width : 1 - width, 1 + beyond, -beyond};
}

} // namespace

sparse::SparseWeights weightsAt(const sparse::SparseGrid &grid, std::span<const double> x,
                                int groups, OutOfRange outOfRange)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    if (x.size() != d)
        throw Error(std::to_string(x.size()) + " coordinates for a grid of " + std::to_string(d)
                    + " dimensions: give one for each");
    constexpr double roundOff = 1e-12;
    sparse::WeightEvaluator evaluator(grid);
    std::vector<std::size_t> outside;
    std::vector<LinePiece> pieces;
    for (std::size_t t = 0; t < d; ++t) {
        const int dimension = static_cast<int>(t);
        const bool isNear = x[t] >= -roundOff && x[t] <= 1 + roundOff; // false for NaN
        if (isNear || outOfRange == OutOfRange::refused || !std::isfinite(x[t])) {
            evaluator.setCoordinate(dimension, isNear ? std::clamp(x[t], 0.0, 1.0) : x[t]);
            continue;
        }
        outside.push_back(t);
        pieces.push_back(continuation(x[t], grid.highestLevel(dimension)));
    }
    if (outside.empty())
        return evaluator.weights(groups);

    // The product over the dimensions outside: 2^k points inside. Weights of one row are added up.
    constexpr std::size_t mostOutside = 12;
    if (outside.size() > mostOutside)
        throw Error(std::to_string(outside.size())
                    + " parameters are out of range: extrapolate in at most "
                    + std::to_string(mostOutside) + " at once");
    std::map<std::uint64_t, double> weightOf;
    sparse::SparseWeights result;
    for (std::size_t choice = 0; choice < std::size_t{1} << outside.size(); ++choice) {
        double factor = 1;
        for (std::size_t k = 0; k < outside.size(); ++k) {
            const bool isInner = ((choice >> k) & 1U) != 0;
            evaluator.setCoordinate(static_cast<int>(outside[k]),
                                    isInner ? pieces[k].inner : pieces[k].end);
            factor *= isInner ? pieces[k].innerWeight : pieces[k].endWeight;
        }
        const auto weights = evaluator.weights(groups);
        for (std::size_t i = 0; i < weights.rows.size(); ++i)
            weightOf[weights.rows[i]] += factor * weights.weights[i];
    }
    const auto lastGroupFirstRow = grid.groupFirstPoint(std::clamp(groups, 1, grid.groups()) - 1);
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

} // namespace gridhelm::data
