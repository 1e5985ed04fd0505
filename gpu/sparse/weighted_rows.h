// SPDX-License-Identifier: GPL-3.0-or-later
//
// Also compiled while the program runs (gpu/support/kernel_variant.h).
#pragma once

#include <cstdint>

namespace gridhelm::gpu {

inline constexpr unsigned mostRowThreads = 512; ///< of a block

struct WeightedRow
{
    const float *row;
    float weight;
    float unused;
};
static_assert(sizeof(WeightedRow) == 16);

/// Rows begin at multiples of 16 bytes and may be read up to the next multiple of four columns.
struct RowCombination
{
    const WeightedRow *rows = nullptr;
    std::uint32_t count = 0;
    std::uint32_t lastGroupBegin = 0; ///< rows from here on belong to the last group
};

} // namespace gridhelm::gpu
