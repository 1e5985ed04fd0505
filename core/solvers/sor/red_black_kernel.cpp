// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/sor/red_black_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/solvers/sor/red_black_kernel.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::solvers {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// One vector of a row of `count` values, from value i on.
template <bool Is3D, bool HasSource, typename D, typename T>
HWY_INLINE void relaxValues(D d, const ColouredRows<T> &rows, T *HWY_RESTRICT own,
                            const T *HWY_RESTRICT other, const T *HWY_RESTRICT source,
                            std::ptrdiff_t besides, std::size_t i, std::size_t count, T keep,
                            T weight)
{
    auto sum = hn::Add(hn::LoadU(d, other + i), hn::LoadU(d, other + i + besides));
    const T *HWY_RESTRICT low = other - rows.rowStride;
    const T *HWY_RESTRICT high = other + rows.rowStride;
    sum = hn::Add(sum, hn::Add(hn::LoadU(d, low + i), hn::LoadU(d, high + i)));
    if constexpr (Is3D) {
        const T *HWY_RESTRICT front = other - rows.planeStride;
        const T *HWY_RESTRICT back = other + rows.planeStride;
        sum = hn::Add(sum, hn::Add(hn::LoadU(d, front + i), hn::LoadU(d, back + i)));
    }
    if constexpr (HasSource)
        sum = hn::Add(sum, hn::LoadU(d, source + i));
    const auto kept = hn::Mul(hn::Set(d, keep), hn::LoadU(d, own + i));
    const auto relaxed = hn::MulAdd(hn::Set(d, weight), sum, kept);
    if (i + hn::Lanes(d) <= count)
        hn::StoreU(relaxed, d, own + i);
    else
        hn::BlendedStore(relaxed, hn::FirstN(d, count - i), d, own + i);
}

template <bool Is3D, bool HasSource, typename T>
HWY_INLINE void relaxRows(const ColouredRows<T> &rows, T keep, T weight)
{
    const hn::ScalableTag<T> d;
    constexpr std::size_t N = hn::MaxLanes(hn::ScalableTag<T>());
    bool isOdd = rows.beginsOdd;
    for (std::size_t r = 0; r < rows.rows; ++r, isOdd = !isOdd) {
        const auto offset = static_cast<std::ptrdiff_t>(r) * rows.rowStride;
        T *own = rows.own + offset;
        const T *other = rows.other + offset;
        const T *source = HasSource ? rows.source + offset : nullptr;
        const std::ptrdiff_t besides = isOdd ? 1 : -1;
        const std::size_t count = (rows.points + (isOdd ? 0 : 1)) / 2;
        for (std::size_t i = 0; i < count; i += N)
            relaxValues<Is3D, HasSource>(d, rows, own, other, source, besides, i, count, keep,
                                         weight);
    }
}

template <typename T>
HWY_INLINE void relaxAny(const ColouredRows<T> &rows, T keep, T weight)
{
    const bool is3D = rows.planeStride != 0;
    if (is3D && rows.source)
        relaxRows<true, true>(rows, keep, weight);
    else if (is3D)
        relaxRows<true, false>(rows, keep, weight);
    else if (rows.source)
        relaxRows<false, true>(rows, keep, weight);
    else
        relaxRows<false, false>(rows, keep, weight);
}

void relaxFloat(const ColouredRows<float> &rows, float keep, float weight)
{
    relaxAny(rows, keep, weight);
}
void relaxDouble(const ColouredRows<double> &rows, double keep, double weight)
{
    relaxAny(rows, keep, weight);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::solvers
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::solvers {

HWY_EXPORT(relaxFloat);
HWY_EXPORT(relaxDouble);

template <>
void relaxColour<float>(const ColouredRows<float> &rows, float keep, float weight)
{
    HWY_DYNAMIC_DISPATCH(relaxFloat)(rows, keep, weight);
}
template <>
void relaxColour<double>(const ColouredRows<double> &rows, double keep, double weight)
{
    HWY_DYNAMIC_DISPATCH(relaxDouble)(rows, keep, weight);
}

} // namespace gridhelm::solvers
#endif
