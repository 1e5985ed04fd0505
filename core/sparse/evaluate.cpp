// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks what evaluators are handed, recognises the pattern of a set of points ([Murarasu2013],
// section 3.7) and chooses the path.
#include "core/sparse/backend.h"

#include "core/sparse/slices.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

namespace gridhelm::sparse {

namespace {

/// The axes of a row-major Cartesian product, if the points are one. O(m d).
template <typename T>
std::optional<CartesianPoints<T>> asCartesian(PointsView<T> points)
{
    const auto d = static_cast<std::size_t>(points.dimension);
    const auto count = points.count();
    CartesianPoints<T> product;
    product.axes.resize(d);
    std::size_t step = 1; // points from one value of the axis to the next
    for (std::size_t t = d; t-- > 0;) {
        auto &axis = product.axes[t];
        axis.push_back(points.point(0)[t]);
        for (auto j = step; j < count && points.point(j)[t] != axis.front(); j += step)
            axis.push_back(points.point(j)[t]);
        step *= axis.size();
        if (count % step != 0)
            return std::nullopt;
    }
    if (step != count)
        return std::nullopt;
    for (std::size_t j = 0; j < count; ++j) {
        auto remaining = j;
        for (std::size_t t = d; t-- > 0;) {
            const auto &axis = product.axes[t];
            if (points.point(j)[t] != axis[remaining % axis.size()])
                return std::nullopt;
            remaining /= axis.size();
        }
    }
    return product;
}

template <typename T>
bool hasSharedColumn(PointsView<T> points)
{
    const auto d = static_cast<std::size_t>(points.dimension);
    for (std::size_t t = 0; t < d; ++t) {
        std::size_t j = 1;
        while (j < points.count() && points.point(j)[t] == points.point(0)[t])
            ++j;
        if (j == points.count())
            return true;
    }
    return false;
}

/// Contractions that the Cartesian path makes: one for each combination of coordinates of all but
/// the three longest axes.
template <typename T>
double contractions(const CartesianPoints<T> &product)
{
    std::vector<std::size_t> lengths;
    for (const auto &axis : product.axes)
        lengths.push_back(axis.size());
    std::ranges::sort(lengths, std::greater());
    double count = 1;
    for (std::size_t i = 3; i < lengths.size(); ++i)
        count *= static_cast<double>(lengths[i]);
    return count;
}

void requireDimension(int given, int dimension)
{
    if (given != dimension)
        throw Error("points of " + std::to_string(given) + " dimensions for a grid of "
                    + std::to_string(dimension));
}

template <typename T>
void requireWholePoints(PointsView<T> points, int dimension)
{
    requireDimension(points.dimension, dimension);
    if (points.coordinates.size() % static_cast<std::size_t>(dimension) != 0)
        throw Error(std::to_string(points.coordinates.size())
                    + " coordinates are not a whole number "
                      "of points of "
                    + std::to_string(dimension) + " dimensions");
}

void requireRoom(std::size_t room, std::size_t needed, const char *what)
{
    if (room != needed)
        throw Error("room for " + std::to_string(room) + " " + what + " where there are "
                    + std::to_string(needed));
}

template <typename T>
void requireRoom(EvaluationOutput<T> out, std::size_t needed)
{
    requireRoom(out.values.size(), needed, "values");
    if (!out.indicator.empty())
        requireRoom(out.indicator.size(), needed, "indicators");
}

} // namespace

template <typename T>
ComputedOn Evaluator<T>::interpolate(PointsView<T> points, EvaluationOutput<T> out) const
{
    requireWholePoints(points, grid().dimension());
    requireRoom(out, points.count());
    return doInterpolate(points, out);
}

template <typename T>
ComputedOn Evaluator<T>::interpolatePortions(PointsView<T> points, PortionSource &source,
                                             EvaluationOutput<T> out) const
{
    requireWholePoints(points, grid().dimension());
    requireRoom(out, points.count());
    return doInterpolatePortions(points, source, out);
}

template <typename T>
ComputedOn Evaluator<T>::doInterpolatePortions(PointsView<T> points, PortionSource &source,
                                               EvaluationOutput<T> out) const
{
    ComputedOn where;
    std::size_t finished = 0;
    for (auto portion = source.next(points.count(), finished); portion.size() > 0;
         portion = source.next(points.count(), finished)) {
        where |= doInterpolate(pointsOf(points, portion), partOf(out, portion));
        finished += portion.size();
    }
    return where;
}

template <typename T>
ComputedOn Evaluator<T>::interpolateShared(PointsView<T> points, EvaluationOutput<T> out) const
{
    requireWholePoints(points, grid().dimension());
    requireRoom(out, points.count());
    if (points.count() == 0)
        return doInterpolate(points, out);
    return interpolateShared(points, sharedColumns(points), out);
}

template <typename T>
ComputedOn Evaluator<T>::interpolateShared(PointsView<T> points, const std::vector<bool> &isFixed,
                                           EvaluationOutput<T> out) const
{
    requireWholePoints(points, grid().dimension());
    requireRoom(isFixed.size(), static_cast<std::size_t>(points.dimension), "columns");
    requireRoom(out, points.count());
    if (std::ranges::find(isFixed, false) == isFixed.end())
        throw Error("all columns of the points are said to be shared: one must stay free");
    if (points.count() == 0 || std::ranges::find(isFixed, true) == isFixed.end())
        return doInterpolate(points, out);
    return doInterpolateShared(points, isFixed, out);
}

template <typename T>
ComputedOn Evaluator<T>::interpolateCartesian(const CartesianPoints<T> &points,
                                              EvaluationOutput<T> out) const
{
    requireDimension(static_cast<int>(points.axes.size()), grid().dimension());
    return interpolateCartesian(points, wholeOf(points), out);
}

template <typename T>
ComputedOn Evaluator<T>::interpolateCartesian(const CartesianPoints<T> &points, CartesianPart part,
                                              EvaluationOutput<T> out) const
{
    requireDimension(static_cast<int>(points.axes.size()), grid().dimension());
    const auto length = wholeOf(points).end;
    if (part.begin > part.end || part.end > length)
        throw Error("there are no coordinates " + std::to_string(part.begin) + " to "
                    + std::to_string(part.end) + " of an axis of " + std::to_string(length));
    const auto count = countOf(points, part);
    requireRoom(out, count);
    if (count == 0)
        return {};
    return doInterpolateCartesian(points, part, out);
}

template <typename T>
ComputedOn Evaluator<T>::gradient(PointsView<T> points, std::span<T> values,
                                  std::span<T> gradients) const
{
    requireWholePoints(points, grid().dimension());
    requireRoom(values.size(), points.count(), "values");
    requireRoom(gradients.size(), points.coordinates.size(), "derivatives");
    return doGradient(points, values, gradients);
}

template <typename T>
Combination Evaluator<T>::combine(const SparseWeights &weights) const
{
    linalg::requireRows(weights, grid().points());
    if (!std::ranges::is_sorted(weights.rows))
        throw Error("weights are given by ascending rows, and these are in another order");
    return doCombine(weights);
}

template <typename T>
Combination combineCoefficients(const SparseWeights &weights, std::span<const T> coefficients)
{
    double inner = 0, last = 0;
    for (std::size_t i = 0; i < weights.rows.size(); ++i)
        (i < weights.lastGroupBegin ? inner : last) +=
            weights.weights[i] * static_cast<double>(coefficients[weights.rows[i]]);
    return {inner + last, std::abs(last), ComputedOn::cpu()};
}

template <typename T>
PointEvaluation Evaluator<T>::evaluate(PointsView<T> points, EvaluationOutput<T> out) const
{
    requireWholePoints(points, grid().dimension());
    // Contracting costs one pass over all coefficients, a random point one look-up per block.
    const auto contraction = static_cast<double>(grid().points());
    const auto randomCost =
        static_cast<double>(points.count()) * static_cast<double>(grid().blocks());
    if (points.count() > 1 && randomCost > contraction) {
        const auto product = asCartesian(points);
        if (product && randomCost > contraction * contractions(*product))
            return {PointPattern::cartesian, interpolateCartesian(*product, out)};
        if (hasSharedColumn(points))
            return {PointPattern::sharedDimensions, interpolateShared(points, out)};
    }
    return {PointPattern::random, interpolate(points, out)};
}

template class Evaluator<float>;
template class Evaluator<double>;
template Combination combineCoefficients<float>(const SparseWeights &, std::span<const float>);
template Combination combineCoefficients<double>(const SparseWeights &, std::span<const double>);

} // namespace gridhelm::sparse
