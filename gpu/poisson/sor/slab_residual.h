// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/slab.h"
#include "gpu/poisson/jacobi/kernels.h"
#include "gpu/support/buffer.h"
#include "gpu/support/peer_copy.h"

#include <cstddef>

namespace gridhelm::gpu::sor {

/// The squared residuals of a slab, in the blocks that Jacobi's kernel divides the whole grid into:
/// summed up in the same order, they do not depend on how many slabs there are. The slab begins at
/// a multiple of jacobi::tunedTiles().thickness.
template <typename T>
class SlabResidual
{
public:
    /// Made while the slab's GPU is current. `grid`: the whole one, with rows of all values.
    SlabResidual(const GridView<T> &grid, const solvers::Slab &slab)
        : m_tiles(jacobi::tunedTiles(grid))
        , m_first(static_cast<int>(slab.begin / m_tiles.thickness))
        , m_count(static_cast<int>((slab.size() + m_tiles.thickness - 1) / m_tiles.thickness))
        , m_blockSums(static_cast<std::size_t>(m_count) * m_tiles.blocks)
    {
    }

    std::size_t blocks() const { return m_blockSums.size(); }

    /// Enqueues the block sums and a copy of them to another GPU. `values` and the view's source
    /// are where the whole grid's first value would be; one layer beyond the slab is read, too.
    void find(const GridView<T> &grid, const T *values, PeerCopy &copy, double *blockSums,
              cudaStream_t stream)
    {
        check(cudaMemsetAsync(m_largest.data(), 0, m_largest.bytes(), stream), "clear its memory");
        const ReductionSlots slots{m_blockSums.data(), m_largest.data()};
        jacobi::iterateTunedTiles(grid, {m_first, m_first + m_count}, values,
                                  static_cast<T *>(nullptr), &slots, stream);
        copy.enqueue(m_blockSums.data(), blockSums, m_blockSums.bytes(), stream);
    }

private:
    jacobi::TunedTiles m_tiles;
    int m_first, m_count; ///< tiles
    DeviceBuffer<double> m_blockSums;
    DeviceBuffer<unsigned long long> m_largest{1};
};

} // namespace gridhelm::gpu::sor
