// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums and maxima that a kernel finds while it iterates.
#pragma once

#include "gpu/poisson/reduction_slots.h"
#include "gpu/support/buffer.h"

#include <cstddef>

namespace gridhelm::gpu {

struct ReducedValues
{
    double squaredResidual = 0;
    double largestChange = 0;
};

/// Of several kernels, one after the other, which are read together.
class ReductionSeries
{
public:
    /// For so many kernels of so many blocks each, while the GPU is current.
    void reserve(std::size_t kernels, std::size_t blocks);

    /// The largest changes are 0 from here on in the stream.
    void begin(std::size_t kernels, cudaStream_t stream);
    ReductionSlots slots(std::size_t kernel) const;
    /// After the kernels; found() once the stream is there. Without block sums only the changes.
    void enqueueRead(std::size_t kernels, bool withSums, cudaStream_t stream);
    ReducedValues found(std::size_t kernel) const;

private:
    std::size_t m_blocks = 0;
    DeviceBuffer<double> m_blockSums; ///< by kernel and block
    DeviceBuffer<double> m_results;   ///< by kernel: sum, largest
    PinnedBuffer<double> m_host;
};

/// Of one kernel.
class BlockReduction
{
public:
    /// For a kernel of so many blocks; the largest change is 0 from here on in the stream.
    ReductionSlots begin(std::size_t blocks, cudaStream_t stream);

    using Values = ReducedValues;
    /// After the kernel; waits for it. Without block sums only the change.
    Values read(bool withSums, cudaStream_t stream);

private:
    ReductionSeries m_series;
};

} // namespace gridhelm::gpu
