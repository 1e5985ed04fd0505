// SPDX-License-Identifier: GPL-3.0-or-later
//
// What transforms do with vectors of rows that are shorter than a vector: take rows from two
// vectors in turns, and change values of which there may be fewer than a vector has. Included once
// for each SIMD instruction set, in the way of Highway: no #pragma once.
#if defined(GRIDHELM_CORE_SPARSE_OMP_SHORT_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDHELM_CORE_SPARSE_OMP_SHORT_ROWS_INL_H
#undef GRIDHELM_CORE_SPARSE_OMP_SHORT_ROWS_INL_H
#else
#define GRIDHELM_CORE_SPARSE_OMP_SHORT_ROWS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/sparse/omp/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gridhelm::sparse::omp {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET <= HWY_AVX3

/// Index patterns that interleave two vectors in rows of 2^c values.
template <typename T>
struct InterleavePatterns
{
    static constexpr std::size_t N = laneCount<T>;
    static constexpr std::size_t rowSizes = 5;
    HWY_ALIGN std::array<std::array<Index<T>, 2 * N>, rowSizes> indices{};

    constexpr InterleavePatterns()
    {
        for (std::size_t c = 0; c < rowSizes; ++c) {
            const auto row = std::size_t{1} << c;
            for (std::size_t i = 0; i < 2 * N; ++i) {
                const auto pair = i / (2 * row), inPair = i % (2 * row);
                indices[c][i] = static_cast<Index<T>>(inPair < row ? pair * row + inPair
                                                                   : N + pair * row + inPair - row);
            }
        }
    }
};

#endif

/// to = a[0] b[0] a[1] b[1] ..., where a[i] and b[i] are rows of 2^strideBits values, fewer than a
/// vector has; two vectors are stored, aligned.
template <typename T>
HWY_INLINE void interleave([[maybe_unused]] std::size_t strideBits, hn::Vec<Lanes<T>> a,
                           hn::Vec<Lanes<T>> b, T *HWY_RESTRICT to)
{
    const Lanes<T> d;
    constexpr std::size_t N = laneCount<T>;
#if HWY_TARGET <= HWY_AVX3
    static constexpr InterleavePatterns<T> patterns;
    const IndexLanes<T> di;
    const auto *pattern = patterns.indices[strideBits].data();
    const auto lower = hn::LoadU(di, pattern).raw, upper = hn::LoadU(di, pattern + N).raw;
    if constexpr (sizeof(T) == 8) {
        hn::Store(hn::Vec<Lanes<T>>{_mm512_permutex2var_pd(a.raw, lower, b.raw)}, d, to);
        hn::Store(hn::Vec<Lanes<T>>{_mm512_permutex2var_pd(a.raw, upper, b.raw)}, d, to + N);
    } else {
        hn::Store(hn::Vec<Lanes<T>>{_mm512_permutex2var_ps(a.raw, lower, b.raw)}, d, to);
        hn::Store(hn::Vec<Lanes<T>>{_mm512_permutex2var_ps(a.raw, upper, b.raw)}, d, to + N);
    }
#elif HWY_TARGET == HWY_SCALAR
    hn::Store(a, d, to);
    hn::Store(b, d, to + N);
#else
    // Inside of blocks of 16 bytes first.
    auto even = a, odd = b;
    const auto bytes = sizeof(T) << strideBits;
    if (bytes == sizeof(T)) {
        even = hn::InterleaveLower(d, a, b);
        odd = hn::InterleaveUpper(d, a, b);
    } else if (bytes == 8) {
        const hn::Repartition<double, Lanes<T>> pairs;
        const auto ofA = hn::BitCast(pairs, a), ofB = hn::BitCast(pairs, b);
        even = hn::BitCast(d, hn::InterleaveLower(pairs, ofA, ofB));
        odd = hn::BitCast(d, hn::InterleaveUpper(pairs, ofA, ofB));
    }
    if constexpr (N * sizeof(T) == 16) {
        hn::Store(even, d, to);
        hn::Store(odd, d, to + N);
    } else {
        hn::Store(hn::ConcatLowerLower(d, odd, even), d, to);
        hn::Store(hn::ConcatUpperUpper(d, odd, even), d, to + N);
    }
#endif
}

/// own += factor * prediction, of blocks of `size` values, which may be fewer than a vector.
template <typename T>
class AddPrediction
{
    using D = Lanes<T>;
    using V = hn::Vec<D>;
    static constexpr std::size_t N = laneCount<T>;

public:
    HWY_INLINE AddPrediction(T factor, std::size_t size)
        : m_factor(hn::Set(D(), factor))
#if HWY_TARGET <= HWY_AVX3
        , m_mask(hn::FirstN(D(), std::min(size, N)))
#else
        , m_size(size)
#endif
        , m_returnsBefore(factor < 0)
    {
    }

    /// Of one vector. Returns what is nodal of both, the values before or after: before they become
    /// coefficients (a negative factor), or after they were some.
    HWY_INLINE V operator()(T *HWY_RESTRICT own, V prediction) const
    {
        const D d;
#if HWY_TARGET <= HWY_AVX3
        const auto before = hn::MaskedLoad(m_mask, d, own);
        const auto after = hn::MulAdd(m_factor, prediction, before);
        hn::BlendedStore(after, m_mask, d, own);
#else
        HWY_ALIGN std::array<T, N> few{};
        T *values = own;
        if (m_size < N) {
            std::copy_n(own, m_size, few.data());
            values = few.data();
        }
        const auto before = hn::LoadU(d, values);
        const auto after = hn::MulAdd(m_factor, prediction, before);
        hn::StoreU(after, d, values);
        if (m_size < N)
            std::copy_n(few.data(), m_size, own);
#endif
        return m_returnsBefore ? before : after;
    }

private:
    V m_factor;
#if HWY_TARGET <= HWY_AVX3
    hn::Mask<D> m_mask;
#else
    std::size_t m_size;
#endif
    bool m_returnsBefore;
};

} // namespace HWY_NAMESPACE
} // namespace gridhelm::sparse::omp
HWY_AFTER_NAMESPACE();

#endif
