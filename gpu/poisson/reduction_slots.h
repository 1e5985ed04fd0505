// SPDX-License-Identifier: GPL-3.0-or-later
//
// Also compiled while the program runs (gpu/support/kernel_variant.h).
#pragma once

namespace gridhelm::gpu {

/// Where the blocks of a kernel leave the sums and maxima that they find.
struct ReductionSlots
{
    double *blockSums = nullptr;           ///< of squared h^2 r, one for each block
    unsigned long long *largest = nullptr; ///< bits of the largest |new - old|, a double
};

} // namespace gridhelm::gpu
