// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recognises the pattern of a set of points (dissertation, section 3.7) and chooses the path.
#include "core/sparse/backend.h"

#include <optional>

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

} // namespace

template <typename T>
PointPattern Evaluator<T>::evaluate(PointsView<T> points, EvaluationOutput<T> out) const
{
    // Contracting costs one pass over all coefficients, a random point one look-up per block.
    const auto randomCost =
        static_cast<double>(points.count()) * static_cast<double>(grid().blocks());
    if (points.count() > 1 && randomCost > static_cast<double>(grid().points())) {
        if (const auto product = asCartesian(points)) {
            interpolateCartesian(*product, out);
            return PointPattern::cartesian;
        }
        if (hasSharedColumn(points)) {
            interpolateShared(points, out);
            return PointPattern::sharedDimensions;
        }
    }
    interpolate(points, out);
    return PointPattern::random;
}

template class Evaluator<float>;
template class Evaluator<double>;

} // namespace gridhelm::sparse
