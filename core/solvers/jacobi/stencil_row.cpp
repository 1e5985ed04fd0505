// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/jacobi/stencil_row.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/solvers/jacobi/stencil_row.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::solvers::jacobi {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// No more than a cache line, to which rows are aligned.
template <typename T>
using Lanes = hn::CappedTag<T, 64 / sizeof(T)>;

template <typename T, bool Is3D, bool HasSource>
HWY_INLINE hn::Vec<Lanes<T>> updated(const StencilRow<T> &row, std::size_t i)
{
    const Lanes<T> d;
    const auto inRow = hn::Add(hn::LoadU(d, row.centre + i - 1), hn::LoadU(d, row.centre + i + 1));
    auto sum = hn::Add(inRow, hn::Add(hn::LoadU(d, row.below + i), hn::LoadU(d, row.above + i)));
    if constexpr (Is3D)
        sum = hn::Add(sum, hn::Add(hn::LoadU(d, row.front + i), hn::LoadU(d, row.back + i)));
    if constexpr (HasSource)
        sum = hn::Add(sum, hn::LoadU(d, row.source + i));
    return hn::Mul(sum, hn::Set(d, Is3D ? T(1) / T(6) : T(1) / T(4)));
}

template <typename T, bool Is3D, bool HasSource, bool Compares>
HWY_INLINE T update(const StencilRow<T> &row, Store store)
{
    const Lanes<T> d;
    const auto N = hn::Lanes(d);
    const auto whole = row.count / N * N;
    auto largest = hn::Zero(d);
    const auto compare = [&](auto value, std::size_t i) HWY_ATTR {
        if constexpr (Compares)
            largest = hn::Max(largest, hn::Abs(hn::Sub(value, hn::LoadU(d, row.centre + i))));
        else
            (void)i;
        return value;
    };
    const auto plainly = [&](std::size_t begin, std::size_t end) HWY_ATTR {
        for (auto i = begin; i < end; i += N)
            hn::Store(compare(updated<T, Is3D, HasSource>(row, i), i), d, row.target + i);
    };
    if (store == Store::cached) {
        plainly(0, whole);
    } else {
        const auto ends = store == Store::streamedButForEnds ? std::min(N, whole) : 0;
        plainly(0, ends);
        const auto streamEnd = std::max(ends, whole - ends);
        for (auto i = ends; i < streamEnd; i += N)
            hn::Stream(compare(updated<T, Is3D, HasSource>(row, i), i), d, row.target + i);
        plainly(streamEnd, whole);
    }
    T change = Compares ? hn::GetLane(hn::MaxOfLanes(d, largest)) : T(0);
    for (auto i = whole; i < row.count; ++i) {
        const auto at = static_cast<std::ptrdiff_t>(i);
        const T value = updatedValue(row, at, HasSource ? row.source[i] : T(0));
        if constexpr (Compares)
            change = std::max(change, std::abs(value - row.centre[i]));
        row.target[i] = value;
    }
    return change;
}

template <typename T, bool Compares>
T updateAny(const StencilRow<T> &row, Store store)
{
    const bool hasSource = row.source != nullptr;
    if (row.is3D())
        return hasSource ? update<T, true, true, Compares>(row, store)
                         : update<T, true, false, Compares>(row, store);
    return hasSource ? update<T, false, true, Compares>(row, store)
                     : update<T, false, false, Compares>(row, store);
}

void updateFloat(const StencilRow<float> &row, Store store)
{
    updateAny<float, false>(row, store);
}
void updateDouble(const StencilRow<double> &row, Store store)
{
    updateAny<double, false>(row, store);
}
float compareFloat(const StencilRow<float> &row, Store store)
{
    return updateAny<float, true>(row, store);
}
double compareDouble(const StencilRow<double> &row, Store store)
{
    return updateAny<double, true>(row, store);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::solvers::jacobi
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::solvers::jacobi {

HWY_EXPORT(updateFloat);
HWY_EXPORT(updateDouble);
HWY_EXPORT(compareFloat);
HWY_EXPORT(compareDouble);

template <>
void updateRow<float>(const StencilRow<float> &row, Store store)
{
    HWY_DYNAMIC_DISPATCH(updateFloat)(row, store);
}
template <>
void updateRow<double>(const StencilRow<double> &row, Store store)
{
    HWY_DYNAMIC_DISPATCH(updateDouble)(row, store);
}
template <>
float updateRowAndCompare<float>(const StencilRow<float> &row, Store store)
{
    return HWY_DYNAMIC_DISPATCH(compareFloat)(row, store);
}
template <>
double updateRowAndCompare<double>(const StencilRow<double> &row, Store store)
{
    return HWY_DYNAMIC_DISPATCH(compareDouble)(row, store);
}

void finishStreaming()
{
    hwy::FlushStream();
}

} // namespace gridhelm::solvers::jacobi
#endif
