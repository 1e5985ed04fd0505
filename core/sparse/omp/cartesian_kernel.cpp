// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/cartesian_kernel.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/sparse/omp/cartesian_kernel.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::sparse::omp {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Lanes = hn::ScalableTag<T>;

/// Calls whole(i) for every full vector of a row, rest(i) for every value behind the last one.
template <typename T, typename Whole, typename Rest>
HWY_INLINE void forRow(std::size_t width, Whole whole, Rest rest)
{
    constexpr std::size_t N = hn::MaxLanes(Lanes<T>());
    std::size_t i = 0;
    for (; i + N <= width; i += N)
        whole(i);
    for (; i < width; ++i)
        rest(i);
}

/// own += (left + right) / 2
template <typename T>
HWY_INLINE void addMean(T *HWY_RESTRICT own, const T *left, const T *right, std::size_t width)
{
    const Lanes<T> d;
    const auto half = hn::Set(d, T(0.5));
    forRow<T>(
        width,
        [&](std::size_t i) HWY_ATTR {
            const auto both = hn::Add(hn::LoadU(d, left + i), hn::LoadU(d, right + i));
            hn::StoreU(hn::MulAdd(half, both, hn::LoadU(d, own + i)), d, own + i);
        },
        [&](std::size_t i) HWY_ATTR { own[i] += T(0.5) * (left[i] + right[i]); });
}

/// own += (end + inner) / 2, and the old own is extrapolated to the end: end += 2 own.
template <typename T>
HWY_INLINE void addOutermost(T *HWY_RESTRICT own, const T *inner, T *HWY_RESTRICT end,
                             std::size_t width)
{
    const Lanes<T> d;
    const auto half = hn::Set(d, T(0.5));
    const auto two = hn::Set(d, T(2));
    forRow<T>(
        width,
        [&](std::size_t i) HWY_ATTR {
            const auto coefficient = hn::LoadU(d, own + i), e = hn::LoadU(d, end + i);
            const auto both = hn::Add(e, hn::LoadU(d, inner + i));
            hn::StoreU(hn::MulAdd(half, both, coefficient), d, own + i);
            hn::StoreU(hn::MulAdd(two, coefficient, e), d, end + i);
        },
        [&](std::size_t i) HWY_ATTR {
            const T coefficient = own[i];
            own[i] += T(0.5) * (end[i] + inner[i]);
            end[i] += T(2) * coefficient;
        });
}

template <typename T>
void toNodal(const PoleShape &shape, T *rows, std::size_t width)
{
    const auto row = [&](std::size_t node) { return rows + node * width; };
    T *first = row(0);
    T *last = row(shape.nodes() - 1);
    int level = 0;
    switch (shape.treatment) {
    case BoundaryTreatment::zero:
        std::fill_n(first, width, T(0));
        std::fill_n(last, width, T(0));
        break;
    case BoundaryTreatment::boundary:
        for (std::size_t i = 0; i < width; ++i) {
            const T constant = first[i];
            const T linear = shape.hasLinear ? last[i] : T(0);
            first[i] = constant - linear;
            last[i] = constant + linear;
        }
        break;
    case BoundaryTreatment::modified:
        std::copy_n(row(shape.node(0, 0)), width, first);
        std::copy_n(row(shape.node(0, 0)), width, last);
        level = 1;
        break;
    }
    const bool extrapolates = shape.treatment == BoundaryTreatment::modified;
    for (; level <= shape.highestLevel; ++level) {
        const auto step = std::size_t{1} << (shape.highestLevel - level);
        const auto points = std::size_t{1} << level;
        for (std::size_t i = 0; i < points; ++i) {
            const auto own = (2 * i + 1) * step;
            if (extrapolates && i == 0)
                addOutermost(row(own), row(own + step), first, width);
            else if (extrapolates && i + 1 == points)
                addOutermost(row(own), row(own - step), last, width);
            else
                addMean(row(own), row(own - step), row(own + step), width);
        }
    }
}

template <typename T>
void interpolate(const T *rows, std::span<const AxisPoint<T>> axis, T *target,
                 std::size_t targetStride, std::size_t width)
{
    const Lanes<T> d;
    for (const auto &at : axis) {
        const T *HWY_RESTRICT left = rows + at.cell * width;
        const T *HWY_RESTRICT right = left + width;
        const auto fraction = hn::Set(d, at.fraction);
        forRow<T>(
            width,
            [&](std::size_t i) HWY_ATTR {
                const auto l = hn::LoadU(d, left + i);
                const auto slope = hn::Sub(hn::LoadU(d, right + i), l);
                hn::StoreU(hn::MulAdd(fraction, slope, l), d, target + i);
            },
            [&](std::size_t i) HWY_ATTR {
                target[i] = left[i] + at.fraction * (right[i] - left[i]);
            });
        target += targetStride;
    }
}

void toNodalFloat(const PoleShape &shape, float *rows, std::size_t width)
{
    toNodal<float>(shape, rows, width);
}
void toNodalDouble(const PoleShape &shape, double *rows, std::size_t width)
{
    toNodal<double>(shape, rows, width);
}
void interpolateFloat(const float *rows, std::span<const AxisPoint<float>> axis, float *target,
                      std::size_t targetStride, std::size_t width)
{
    interpolate<float>(rows, axis, target, targetStride, width);
}
void interpolateDouble(const double *rows, std::span<const AxisPoint<double>> axis, double *target,
                       std::size_t targetStride, std::size_t width)
{
    interpolate<double>(rows, axis, target, targetStride, width);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::sparse::omp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::sparse::omp {

HWY_EXPORT(toNodalFloat);
HWY_EXPORT(toNodalDouble);
HWY_EXPORT(interpolateFloat);
HWY_EXPORT(interpolateDouble);

template <>
void hierarchicalToNodal<float>(const PoleShape &shape, float *rows, std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(toNodalFloat)(shape, rows, width);
}
template <>
void hierarchicalToNodal<double>(const PoleShape &shape, double *rows, std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(toNodalDouble)(shape, rows, width);
}
template <>
void interpolateRows<float>(const float *rows, std::span<const AxisPoint<float>> axis,
                            float *target, std::size_t targetStride, std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(interpolateFloat)(rows, axis, target, targetStride, width);
}
template <>
void interpolateRows<double>(const double *rows, std::span<const AxisPoint<double>> axis,
                             double *target, std::size_t targetStride, std::size_t width)
{
    HWY_DYNAMIC_DISPATCH(interpolateDouble)(rows, axis, target, targetStride, width);
}

} // namespace gridhelm::sparse::omp
#endif
