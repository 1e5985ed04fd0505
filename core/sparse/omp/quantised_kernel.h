// SPDX-License-Identifier: GPL-3.0-or-later
//
// Blocks of a quantised row, decoded in registers and added to sums.
#pragma once

#include "core/sparse/quantised_row.h"

#include <cstddef>

namespace gridhelm::sparse::omp {

/// Neighbouring blocks of a row.
struct QuantisedBlocks
{
    const CodeWidth *widths;
    const std::byte *codes;
    std::size_t count;
    float step;
};

/// target[i] += weight * value i of the blocks, for whole blocks: codes are multiplied by weight
/// times step.
void addQuantised(const QuantisedBlocks &blocks, float weight, float *target);

/// The same with two weights into two targets, each block read once.
void addQuantisedTwice(const QuantisedBlocks &blocks, float weight, float *target,
                       float otherWeight, float *otherTarget);

} // namespace gridhelm::sparse::omp
