// SPDX-License-Identifier: GPL-3.0-or-later
//
// What evaluations of rows in memory and in a file share. Private to data.
#pragma once

#include "core/surrogate/sparse_weights.h"
#include "data/evaluate/evaluation_work.h"
#include "data/study/study.h"

#include <cstddef>
#include <cstdint>

namespace gridhelm::data {

inline constexpr std::size_t rowAlignment = 64; ///< bytes: a cache line

/// Values from row to row: whole cache lines, and no multiple of 4 KiB, at which rows would compete
/// for the same places in the cache.
std::uint64_t strideOf(std::uint64_t columns);

/// Throws gridhelm::Error for a scalar study.
void requireVectorStudy(const Study &study);

/// Rows that are named on both sides of lastGroupBegin.
std::uint64_t rowsAgain(const SparseWeights &weights);

/// Takes away all modes but the leading ones, and says in `work` what that leaves: modes are
/// orthonormal, so energies are added.
void keepLeading(SparseWeights &weights, std::uint64_t modes, EvaluationWork &work);

} // namespace gridhelm::data
