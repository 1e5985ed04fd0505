// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums and maxima that a kernel finds while it iterates.
#pragma once

#include "gpu/support/buffer.h"

#include <cstddef>

namespace gridhelm::gpu {

/// Where the blocks of a kernel leave them.
struct ReductionSlots
{
    double *blockSums = nullptr;           ///< of squared h^2 r, one for each block
    unsigned long long *largest = nullptr; ///< bits of the largest |new - old|, a double
};

class BlockReduction
{
public:
    /// For a kernel of so many blocks; the largest change is 0 from here on in the stream.
    ReductionSlots begin(std::size_t blocks, cudaStream_t stream);

    struct Values
    {
        double squaredResidual = 0;
        double largestChange = 0;
    };
    /// After the kernel; waits for it. Without block sums only the change.
    Values read(bool withSums, cudaStream_t stream);

private:
    DeviceBuffer<double> m_blockSums;
    std::size_t m_blocks = 0;
    DeviceBuffer<double> m_results{2}; ///< sum, largest
    PinnedBuffer<double> m_host{2};
};

} // namespace gridhelm::gpu
