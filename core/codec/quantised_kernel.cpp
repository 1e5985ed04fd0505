// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/codec/quantised_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/codec/quantised_kernel.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::codec {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// 16 values are half a block: the low, or the high halves of bytes of two codes.
using Floats = hn::CappedTag<float, quantisedBlock / 2>;
using Ints = hn::RebindToSigned<Floats>;
constexpr std::size_t lanes = hn::MaxLanes(Floats());
static_assert(quantisedBlock / 2 % lanes == 0);

/// Factors of codes, or of values, and where their products are added.
struct Sum
{
    hn::Vec<Floats> factor;
    float *HWY_RESTRICT target;

    HWY_INLINE void add(std::size_t i, hn::Vec<Floats> values) const
    {
        const Floats d;
        hn::StoreU(hn::MulAdd(factor, values, hn::LoadU(d, target + i)), d, target + i);
    }
};

template <typename Code>
HWY_INLINE hn::Vec<Ints> load(const std::byte *codes, std::size_t first)
{
    const hn::Rebind<Code, Floats> narrow;
    return hn::PromoteTo(Ints(), hn::LoadU(narrow, reinterpret_cast<const Code *>(codes) + first));
}

template <typename Code, typename... Sums>
HWY_INLINE void addCodes(const std::byte *codes, const Sums &...sums)
{
    for (std::size_t i = 0; i < quantisedBlock; i += lanes) {
        const auto values = hn::ConvertTo(Floats(), load<Code>(codes, i));
        (sums.add(i, values), ...);
    }
}

template <typename... Sums>
HWY_INLINE void addHalfBytes(const std::byte *codes, const Sums &...sums)
{
    for (std::size_t i = 0; i < quantisedBlock / 2; i += lanes) {
        const auto both = load<std::int8_t>(codes, i);
        const auto low = hn::ConvertTo(Floats(), hn::ShiftRight<28>(hn::ShiftLeft<28>(both)));
        const auto high = hn::ConvertTo(Floats(), hn::ShiftRight<4>(both));
        (sums.add(i, low), ...);
        (sums.add(quantisedBlock / 2 + i, high), ...);
    }
}

template <typename... Sums>
HWY_INLINE void addRaw(const std::byte *values, const Sums &...sums)
{
    const Floats d;
    for (std::size_t i = 0; i < quantisedBlock; i += lanes) {
        const auto some = hn::LoadU(d, reinterpret_cast<const float *>(values) + i);
        (sums.add(i, some), ...);
    }
}

/// A weight and where it adds: in a group, of codes or of values.
struct Weighted
{
    float weight;
    float *target;

    HWY_INLINE Weighted group(std::size_t number) const
    {
        return {weight, target + number * groupValues};
    }
    HWY_INLINE Weighted times(float step) const { return {weight * step, target}; }
    HWY_INLINE Sum at(std::uint8_t block) const
    {
        return {hn::Set(Floats(), weight), target + block * quantisedBlock};
    }
};

/// Codes are so dense that the CPU's own fetching ahead comes too late: a page, which is a fifth to
/// a third faster from memory (measured on Zen 5).
constexpr std::size_t bytesAhead = 4096;

/// To the next block; its codes are asked for.
HWY_INLINE void advance(const std::byte *&codes, CodeWidth width)
{
    codes += codeBytes(width);
    hwy::Prefetch(codes + bytesAhead);
}

template <typename... Weights>
HWY_INLINE void addGroup(const WidthCounts &counts, const std::uint8_t *&order,
                         const std::byte *&codes, float step, const Weights &...weights)
{
    for (std::size_t i = 0; i < counts[0]; ++i, advance(codes, CodeWidth::nibble))
        addHalfBytes(codes, weights.times(step).at(order[i])...);
    order += counts[0];
    for (std::size_t i = 0; i < counts[1]; ++i, advance(codes, CodeWidth::byte))
        addCodes<std::int8_t>(codes, weights.times(step).at(order[i])...);
    order += counts[1];
    for (std::size_t i = 0; i < counts[2]; ++i, advance(codes, CodeWidth::word))
        addCodes<std::int16_t>(codes, weights.times(step).at(order[i])...);
    order += counts[2];
    for (std::size_t i = 0; i < counts[3]; ++i, advance(codes, CodeWidth::raw))
        addRaw(codes, weights.at(order[i])...);
    order += counts[3];
}

template <typename... Weights>
HWY_INLINE void addAll(const QuantisedGroups &groups, const Weights &...weights)
{
    const std::uint8_t *order = groups.order;
    const std::byte *codes = groups.codes;
    for (std::size_t g = 0; g < groups.groups; ++g)
        addGroup(groups.counts[g], order, codes, groups.step, weights.group(g)...);
}

void addOnce(const QuantisedGroups &groups, float weight, float *target)
{
    addAll(groups, Weighted{weight, target});
}
void addTwice(const QuantisedGroups &groups, float weight, float *target, float otherWeight,
              float *otherTarget)
{
    addAll(groups, Weighted{weight, target}, Weighted{otherWeight, otherTarget});
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::codec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::codec {

HWY_EXPORT(addOnce);
HWY_EXPORT(addTwice);

void addQuantised(const QuantisedGroups &groups, float weight, float *target)
{
    HWY_DYNAMIC_DISPATCH(addOnce)(groups, weight, target);
}

void addQuantisedTwice(const QuantisedGroups &groups, float weight, float *target,
                       float otherWeight, float *otherTarget)
{
    HWY_DYNAMIC_DISPATCH(addTwice)(groups, weight, target, otherWeight, otherTarget);
}

} // namespace gridhelm::codec
#endif
