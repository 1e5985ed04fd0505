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

/// Columns begin .. end - 1, whole vectors, of `Rows` rows side by side; if the vectors are
/// `Partial`, columns from first.count on keep the values of `centre`. The pointers are passed by
/// value: a vector store might change any that is in memory, for all the compiler knows.
template <typename T, bool Is3D, bool HasSource, bool Compares, std::ptrdiff_t Rows, bool Streams,
          bool Partial = false>
HWY_INLINE hn::Vec<Lanes<T>> updateColumns(const StencilRow<T> first, const RowStrides strides,
                                           std::size_t begin, std::size_t end,
                                           hn::Vec<Lanes<T>> largest)
{
    const Lanes<T> d;
    const auto scale = hn::Set(d, Is3D ? T(1) / T(6) : T(1) / T(4));
    // Side by side are rows one above the other in 2D, one behind the other in 3D.
    const T *before = Is3D ? first.front : first.below;
    const T *behind = (Is3D ? first.back : first.above) + (Rows - 1) * strides.values;
    for (auto i = begin; i < end; i += hn::Lanes(d)) {
        const auto inside = hn::FirstN(d, Partial && i < first.count ? first.count - i : 0);
        auto previous = hn::LoadU(d, before + i);
        auto centre = hn::LoadU(d, first.centre + i);
        for (std::ptrdiff_t r = 0; r < Rows; ++r) {
            const auto at = r * strides.values + static_cast<std::ptrdiff_t>(i);
            const T *row = first.centre + at;
            const auto next = hn::LoadU(d, r + 1 < Rows ? row + strides.values : behind + i);
            const auto pair = hn::Add(previous, next);
            auto sum = hn::Add(hn::LoadU(d, row - 1), hn::LoadU(d, row + 1));
            if constexpr (Is3D)
                sum = hn::Add(
                    sum, hn::Add(hn::LoadU(d, first.below + at), hn::LoadU(d, first.above + at)));
            sum = hn::Add(sum, pair);
            if constexpr (HasSource)
                sum = hn::Add(sum, hn::LoadU(d, first.source + r * strides.source + i));
            auto value = hn::Mul(sum, scale);
            if constexpr (Partial)
                value = hn::IfThenElse(inside, value, centre);
            if constexpr (Compares)
                largest = hn::Max(largest, hn::Abs(hn::Sub(value, centre)));
            if constexpr (Streams)
                hn::Stream(value, d, first.target + r * strides.target + i);
            else
                hn::Store(value, d, first.target + r * strides.target + i);
            previous = centre;
            centre = next;
        }
    }
    return largest;
}

template <typename T, bool Is3D, bool HasSource, bool Compares, std::ptrdiff_t Rows>
HWY_INLINE T update(const StencilRow<T> &first, const RowStrides &strides, Store store)
{
    const Lanes<T> d;
    const auto N = hn::Lanes(d);
    const auto whole = first.count / N * N;
    auto largest = hn::Zero(d);
    const auto ends = store == Store::streamedButForEnds ? std::min(N, whole) : 0;
    const auto streamBegin = store == Store::cached ? whole : ends;
    const auto streamEnd = std::max(streamBegin, whole - ends);
    largest = updateColumns<T, Is3D, HasSource, Compares, Rows, false>(first, strides, 0,
                                                                       streamBegin, largest);
    largest = updateColumns<T, Is3D, HasSource, Compares, Rows, true>(first, strides, streamBegin,
                                                                      streamEnd, largest);
    largest = updateColumns<T, Is3D, HasSource, Compares, Rows, false>(first, strides, streamEnd,
                                                                       whole, largest);
    if (first.fillsLine && store == Store::streamed) {
        constexpr auto line = 64 / sizeof(T);
        const auto lineEnd = (first.count + line - 1) / line * line;
        largest = updateColumns<T, Is3D, HasSource, Compares, Rows, true, true>(
            first, strides, whole, lineEnd, largest);
        return Compares ? hn::GetLane(hn::MaxOfLanes(d, largest)) : T(0);
    }
    T change = Compares ? hn::GetLane(hn::MaxOfLanes(d, largest)) : T(0);
    for (std::ptrdiff_t r = 0; r < Rows && whole < first.count; ++r) {
        auto row = first;
        row.centre += r * strides.values;
        row.below += r * strides.values;
        row.above += r * strides.values;
        if constexpr (Is3D) {
            row.front += r * strides.values;
            row.back += r * strides.values;
        }
        row.target += r * strides.target;
        for (auto i = whole; i < first.count; ++i) {
            const auto at = static_cast<std::ptrdiff_t>(i);
            const T f = HasSource ? first.source[r * strides.source + at] : T(0);
            const T value = updatedValue(row, at, f);
            if constexpr (Compares)
                change = std::max(change, std::abs(value - row.centre[i]));
            row.target[i] = value;
        }
    }
    return change;
}

template <typename T, bool Compares, std::ptrdiff_t Rows>
HWY_INLINE T updateAny(const StencilRow<T> &first, const RowStrides &strides, Store store)
{
    const bool hasSource = first.source != nullptr;
    if (first.is3D())
        return hasSource ? update<T, true, true, Compares, Rows>(first, strides, store)
                         : update<T, true, false, Compares, Rows>(first, strides, store);
    return hasSource ? update<T, false, true, Compares, Rows>(first, strides, store)
                     : update<T, false, false, Compares, Rows>(first, strides, store);
}

template <typename T>
T updateRowsOf(const StencilRow<T> &first, const RowStrides *strides, Store store, bool compares)
{
    if (strides == nullptr)
        return compares ? updateAny<T, true, 1>(first, {}, store)
                        : updateAny<T, false, 1>(first, {}, store);
    return compares ? updateAny<T, true, rowsSideBySide>(first, *strides, store)
                    : updateAny<T, false, rowsSideBySide>(first, *strides, store);
}

float updateFloat(const StencilRow<float> &first, const RowStrides *strides, Store store,
                  bool compares)
{
    return updateRowsOf(first, strides, store, compares);
}
double updateDouble(const StencilRow<double> &first, const RowStrides *strides, Store store,
                    bool compares)
{
    return updateRowsOf(first, strides, store, compares);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::solvers::jacobi
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::solvers::jacobi {

HWY_EXPORT(updateFloat);
HWY_EXPORT(updateDouble);

template <>
float update<float>(const StencilRow<float> &first, const RowStrides *strides, Store store,
                    bool compares)
{
    return HWY_DYNAMIC_DISPATCH(updateFloat)(first, strides, store, compares);
}
template <>
double update<double>(const StencilRow<double> &first, const RowStrides *strides, Store store,
                      bool compares)
{
    return HWY_DYNAMIC_DISPATCH(updateDouble)(first, strides, store, compares);
}

void finishStreaming()
{
    hwy::FlushStream();
}

} // namespace gridhelm::solvers::jacobi
#endif
