// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the coefficients of a node are looked up at the positions of one vector of points: of small
// nodes by permuting registers, of large ones by single loads.
// Included once for each SIMD instruction set, in the way of Highway: no #pragma once.
#if defined(GRIDHELM_CORE_SPARSE_OMP_NODE_TABLES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDHELM_CORE_SPARSE_OMP_NODE_TABLES_INL_H
#undef GRIDHELM_CORE_SPARSE_OMP_NODE_TABLES_INL_H
#else
#define GRIDHELM_CORE_SPARSE_OMP_NODE_TABLES_INL_H
#endif

#include "core/sparse/omp/lanes-inl.h"

#include <hwy/highway.h>

#include <cstddef>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::sparse::omp {
namespace HWY_NAMESPACE {

constexpr int log2(std::size_t n)
{
    return n <= 1 ? 0 : 1 + log2(n / 2);
}

/// Looks up block[index] in a node of Registers * lanes coefficients held in registers.
template <typename T, int Registers>
class RegisterTable
{
    using D = Lanes<T>;
    using DI = IndexLanes<T>;

public:
    HWY_INLINE explicit RegisterTable(const T *HWY_RESTRICT block)
    {
        for (int i = 0; i < Registers; ++i)
            m_parts[i] = hn::LoadU(D(), block + static_cast<std::size_t>(i) * laneCount<T>);
    }

    HWY_INLINE hn::Vec<D> operator[](hn::Vec<DI> index) const { return at<0, Registers>(index); }

private:
    template <int First, int Count>
    HWY_INLINE hn::Vec<D> at(hn::Vec<DI> index) const
    {
        if constexpr (Count == 1) {
            return hn::TableLookupLanes(m_parts[First], hn::IndicesFromVec(D(), index));
#if HWY_TARGET <= HWY_AVX3
        } else if constexpr (Count == 2) {
            // The low bits of each index select among both registers; higher bits are ignored.
            if constexpr (sizeof(T) == 8)
                return hn::Vec<D>{
                    _mm512_permutex2var_pd(m_parts[First].raw, index.raw, m_parts[First + 1].raw)};
            else
                return hn::Vec<D>{
                    _mm512_permutex2var_ps(m_parts[First].raw, index.raw, m_parts[First + 1].raw)};
        } else {
            constexpr auto half = static_cast<Index<T>>(Count / 2 * laneCount<T>);
            const auto upper = hn::TestBit(index, hn::Set(DI(), half));
            return hn::IfThenElse(hn::RebindMask(D(), upper),
                                  at<First + Count / 2, Count / 2>(index),
                                  at<First, Count / 2>(index));
#endif
        }
    }

    hn::Vec<D> m_parts[Registers];
};

/// The same from memory, for any size. Single loads: on the CPUs measured (Zen 5) twice as
/// fast as the gather instructions.
template <typename T>
class GatherTable
{
public:
    HWY_INLINE explicit GatherTable(const T *HWY_RESTRICT block)
        : m_block(block)
    {
    }
    HWY_INLINE hn::Vec<Lanes<T>> operator[](hn::Vec<IndexLanes<T>> index) const
    {
        constexpr auto N = laneCount<T>;
        HWY_ALIGN Index<T> at[N];
        hn::Store(index, IndexLanes<T>(), at);
        return load(at, std::make_index_sequence<N>());
    }

private:
    template <std::size_t... I>
    HWY_INLINE hn::Vec<Lanes<T>> load(const Index<T> *at, std::index_sequence<I...>) const
    {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
        HWY_ALIGN const T gathered[] = {m_block[at[I]]...};
        return hn::Load(Lanes<T>(), gathered);
#else
        using Raw = decltype(hn::Vec<Lanes<T>>::raw); // the compiler's vector type
        return hn::Vec<Lanes<T>>{Raw{m_block[at[I]]...}};
#endif
    }

    const T *m_block;
};

/// A node with a single function.
template <typename T>
class SingleValue
{
public:
    HWY_INLINE explicit SingleValue(const T *HWY_RESTRICT block)
        : m_value(hn::Set(Lanes<T>(), *block))
    {
    }
    HWY_INLINE hn::Vec<Lanes<T>> operator[](hn::Vec<IndexLanes<T>>) const { return m_value; }

private:
    hn::Vec<Lanes<T>> m_value;
};

#if HWY_TARGET <= HWY_AVX3
/// Up to this many registers a look-up by permutation beats a gather.
template <typename T>
constexpr int maxRegisters = 16;
#else
template <typename T>
constexpr int maxRegisters = HWY_TARGET == HWY_SCALAR ? 0 : 1;
#endif

/// Calls use(table type tag) with the cheapest look-up for nodes of 2^bits functions.
template <typename T, typename Use>
HWY_INLINE void withTable(int bits, Use use)
{
    constexpr int laneBits = log2(laneCount<T>);
    const int registerBits = bits - laneBits;
    if (bits == 0)
        use.template operator()<SingleValue<T>>();
    else if (maxRegisters<T> >= 1 && registerBits <= 0)
        use.template operator()<RegisterTable<T, 1>>();
#if HWY_TARGET <= HWY_AVX3
    else if (registerBits == 1)
        use.template operator()<RegisterTable<T, 2>>();
    else if (maxRegisters<T> >= 4 && registerBits == 2)
        use.template operator()<RegisterTable<T, 4>>();
    else if (maxRegisters<T> >= 8 && registerBits == 3)
        use.template operator()<RegisterTable<T, 8>>();
    else if (maxRegisters<T> >= 16 && registerBits == 4)
        use.template operator()<RegisterTable<T, 16>>();
#endif
    else
        use.template operator()<GatherTable<T>>();
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::sparse::omp
HWY_AFTER_NAMESPACE();

#endif
