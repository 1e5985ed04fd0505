// SPDX-License-Identifier: GPL-3.0-or-later
//
// The vectors that one lock-step evaluation works with: of values, and of indices as wide.
// Included once for each SIMD instruction set, in the way of Highway: no #pragma once.
#if defined(GRIDHELM_CORE_SPARSE_OMP_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDHELM_CORE_SPARSE_OMP_LANES_INL_H
#undef GRIDHELM_CORE_SPARSE_OMP_LANES_INL_H
#else
#define GRIDHELM_CORE_SPARSE_OMP_LANES_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::sparse::omp {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Lanes = hn::ScalableTag<T>;
template <typename T>
using IndexLanes = hn::RebindToUnsigned<Lanes<T>>;
template <typename T>
using Index = hn::TFromD<IndexLanes<T>>;

template <typename T>
constexpr std::size_t laneCount = hn::MaxLanes(Lanes<T>());

} // namespace HWY_NAMESPACE
} // namespace gridhelm::sparse::omp
HWY_AFTER_NAMESPACE();

#endif
