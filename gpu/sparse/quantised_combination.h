// SPDX-License-Identifier: GPL-3.0-or-later
//
// Weighted sums of quantised rows on the device (core/codec/quantised_row.h). Device pointers
// throughout.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace gridhelm::gpu {

/// Of a group of 32 blocks: bit b of the three words is the number of block b's width (0, 4, 8, 16
/// or 32 bits: 0 to 4), and where the group's codes begin, in units of 16 bytes.
struct GroupHeader
{
    std::uint32_t widths[3];
    std::uint32_t codes;
};
static_assert(sizeof(GroupHeader) == 16);

/// `factor`: the weight times the row's step, for what is no float32.
struct RowFactors
{
    float weight = 0;
    float factor = 0;
};

struct WeightedQuantisedRow
{
    const GroupHeader *headers = nullptr; ///< of each group
    const std::byte *codes = nullptr;     ///< multiples of 16 bytes, as on the CPU
    RowFactors inner;
    RowFactors last; ///< of the same row in the last group, where rows stand on both sides of it
};
static_assert(sizeof(WeightedQuantisedRow) == 32);

struct QuantisedCombination
{
    const WeightedQuantisedRow *rows = nullptr;
    std::uint32_t count = 0;
    std::uint32_t lastGroupBegin = 0; ///< rows from here on belong to the last group
    bool isTwice = false;             ///< then all rows do, with RowFactors of their own
};

/// y[i] = sum of weights * decoded rows at column firstColumn + i, for i < count. indicator, unless
/// null: |the part of the last group|. Each code is read once.
void combineQuantised(const QuantisedCombination &combination, std::size_t firstColumn,
                      std::size_t count, float *y, float *indicator, cudaStream_t stream);

/// The same for a list of columns.
void combineQuantisedColumns(const QuantisedCombination &combination, const std::uint32_t *columns,
                             std::size_t count, float *y, float *indicator, cudaStream_t stream);

} // namespace gridhelm::gpu
