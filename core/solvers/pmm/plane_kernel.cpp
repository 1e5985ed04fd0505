// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/plane_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/solvers/pmm/plane_kernel.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

#include "core/solvers/pmm/media.h" // once for each target, after Highway

HWY_BEFORE_NAMESPACE();
namespace gridhelm::solvers {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// At most a cache line, the padding of rows.
template <typename T>
using Lanes = hn::CappedTag<T, 64 / sizeof(T)>;

/// A value for each of some neighbouring nodes.
template <typename T>
struct Values
{
    hn::Vec<Lanes<T>> lanes;
};

template <typename T>
HWY_INLINE Values<T> operator+(Values<T> a, Values<T> b)
{
    return {hn::Add(a.lanes, b.lanes)};
}
template <typename T>
HWY_INLINE Values<T> operator-(Values<T> a, Values<T> b)
{
    return {hn::Sub(a.lanes, b.lanes)};
}
template <typename T>
HWY_INLINE Values<T> operator*(Values<T> a, Values<T> b)
{
    return {hn::Mul(a.lanes, b.lanes)};
}
template <typename T>
HWY_INLINE Values<T> operator/(Values<T> a, Values<T> b)
{
    return {hn::Div(a.lanes, b.lanes)};
}
template <typename T>
HWY_INLINE Values<T> operator-(Values<T> a)
{
    return {hn::Neg(a.lanes)};
}
template <typename T>
HWY_INLINE hn::Mask<Lanes<T>> operator>=(Values<T> a, Values<T> b)
{
    return hn::Ge(a.lanes, b.lanes);
}
template <typename T>
HWY_INLINE hn::Mask<Lanes<T>> operator<=(Values<T> a, Values<T> b)
{
    return hn::Le(a.lanes, b.lanes);
}

/// As ScalarMath, for vectors.
template <typename T>
struct VectorMath
{
    using Value = T;
    using Number = Values<T>;
    using D = Lanes<T>;

    static HWY_INLINE Number number(double value) { return {hn::Set(D(), static_cast<T>(value))}; }
    static HWY_INLINE Number load(const T *values) { return {hn::LoadU(D(), values)}; }

    static HWY_INLINE Number mulAdd(Number a, Number b, Number c)
    {
        return {hn::MulAdd(a.lanes, b.lanes, c.lanes)};
    }
    static HWY_INLINE Number negMulAdd(Number a, Number b, Number c)
    {
        return {hn::NegMulAdd(a.lanes, b.lanes, c.lanes)};
    }
    static HWY_INLINE Number mulSub(Number a, Number b, Number c)
    {
        return {hn::MulSub(a.lanes, b.lanes, c.lanes)};
    }
    static HWY_INLINE Number root(Number a) { return {hn::Sqrt(a.lanes)}; }
    static HWY_INLINE Number min(Number a, Number b) { return {hn::Min(a.lanes, b.lanes)}; }
    static HWY_INLINE Number max(Number a, Number b) { return {hn::Max(a.lanes, b.lanes)}; }

    template <typename Mask>
    static HWY_INLINE Mask all(Mask last)
    {
        return last;
    }
    /// The first one enters last: it may be the last to be known.
    template <typename Mask, typename... Masks>
    static HWY_INLINE Mask all(Mask first, Masks... others)
    {
        return hn::And(first, all(others...));
    }
    template <typename Mask>
    static HWY_INLINE Number minWhere(Mask condition, Number candidate, Number best)
    {
        return {hn::IfThenElse(condition, hn::Min(best.lanes, candidate.lanes), best.lanes)};
    }
};

/// The update of a vector of nodes that are `offset` behind the first node of the rows.
template <typename T, typename Medium>
HWY_INLINE Values<T> updated(const PlaneRows<T> &rows, const Medium &medium, std::ptrdiff_t offset,
                             Values<T> old)
{
    using Math = VectorMath<T>;
    Values<T> neighbours[9];
    for (int v = 0; v < 3; ++v) {
        for (int u = 0; u < 3; ++u)
            neighbours[3 * v + u] =
                Math::load(rows.previous + offset + (v - 1) * rows.rowStride + (u - 1));
    }
    auto earliest = neighbours[0];
    for (int i = 1; i < 9; ++i)
        earliest = Math::min(earliest, neighbours[i]);
    const auto isEarly = medium.noEarlierThan(earliest) >= old;
    if (hn::AllTrue(Lanes<T>(), isEarly))
        return old;
    if constexpr (Medium::isAnisotropic) {
        const auto isNoEarlier = medium.isNoEarlierThan(neighbours, old, offset);
        if (hn::AllTrue(Lanes<T>(), hn::Or(isEarly, isNoEarlier)))
            return old;
    }
    return Math::min(old, medium.arrival(neighbours, offset));
}

template <typename T, typename Medium>
HWY_INLINE T updateRows(const PlaneRows<T> &rows, const Medium &medium)
{
    const Lanes<T> d;
    const std::size_t lanes = hn::Lanes(d);
    auto largest = hn::Zero(d);
    for (std::size_t r = 0; r < rows.rows; ++r) {
        const auto rowOffset = static_cast<std::ptrdiff_t>(r) * rows.rowStride;
        for (std::size_t i = 0; i < rows.width; i += lanes) {
            const auto offset = rowOffset + static_cast<std::ptrdiff_t>(i);
            T *HWY_RESTRICT node = rows.node + offset;
            const auto old = hn::LoadU(d, node);
            auto result = updated(rows, medium, offset, Values<T>{old}).lanes;
            if (i + lanes > rows.width) // ghosts stay as they are
                result = hn::IfThenElse(hn::FirstN(d, rows.width - i), result, old);
            largest = hn::Max(largest, hn::Sub(old, result));
            hn::StoreU(result, d, node);
        }
    }
    return hn::GetLane(hn::MaxOfLanes(d, largest));
}

template <typename T>
HWY_INLINE T isotropic(const PlaneRows<T> &rows)
{
    using Math = VectorMath<T>;
    if (rows.coefficients[0])
        return updateRows(rows, VaryingIsotropicMedium<Math>(rows.coefficients[0]));
    const auto slowness = Math::number(rows.constant[0]);
    return updateRows(rows, ConstantIsotropicMedium<Math>(slowness));
}

template <typename T>
HWY_INLINE T anisotropic(const PlaneRows<T> &rows)
{
    using Math = VectorMath<T>;
    const T *a = rows.direction.data();
    if (rows.coefficients[0])
        return updateRows(
            rows, VaryingAnisotropicMedium<Math>(rows.coefficients[0], rows.coefficients[1], a));
    const auto g = Math::number(rows.constant[0]), b = Math::number(rows.constant[1]);
    return updateRows(rows, ConstantAnisotropicMedium<Math>(g, b, a));
}

float isotropicFloat(const PlaneRows<float> &rows)
{
    return isotropic(rows);
}
double isotropicDouble(const PlaneRows<double> &rows)
{
    return isotropic(rows);
}
float anisotropicFloat(const PlaneRows<float> &rows)
{
    return anisotropic(rows);
}
double anisotropicDouble(const PlaneRows<double> &rows)
{
    return anisotropic(rows);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::solvers
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::solvers {

HWY_EXPORT(isotropicFloat);
HWY_EXPORT(isotropicDouble);
HWY_EXPORT(anisotropicFloat);
HWY_EXPORT(anisotropicDouble);

template <>
float updateIsotropic<float>(const PlaneRows<float> &rows)
{
    return HWY_DYNAMIC_DISPATCH(isotropicFloat)(rows);
}
template <>
double updateIsotropic<double>(const PlaneRows<double> &rows)
{
    return HWY_DYNAMIC_DISPATCH(isotropicDouble)(rows);
}
template <>
float updateAnisotropic<float>(const PlaneRows<float> &rows)
{
    return HWY_DYNAMIC_DISPATCH(anisotropicFloat)(rows);
}
template <>
double updateAnisotropic<double>(const PlaneRows<double> &rows)
{
    return HWY_DYNAMIC_DISPATCH(anisotropicDouble)(rows);
}

} // namespace gridhelm::solvers
#endif
