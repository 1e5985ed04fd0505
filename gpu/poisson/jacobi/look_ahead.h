// SPDX-License-Identifier: GPL-3.0-or-later
//
// Iterations that are made before they are asked for, because whoever wants the residual of each
// would otherwise wait for the GPU after each: on small grids that takes longer than the iteration.
#pragma once

#include "gpu/poisson/block_reduction.h"
#include "gpu/poisson/device_values.h"
#include "gpu/poisson/jacobi/kernels.h"
#include "gpu/poisson/recorded_work.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace gridhelm::gpu::jacobi {

/// An iteration finds the residual of the values that it begins with for hardly more than its own
/// time, so one is always ahead of what was asked for. If all that was made was asked for, one
/// after the other, the next time it is twice as many, up to `most`. The values that they begin
/// with are kept: what turns out not to be wanted is undone by making the others again.
template <typename T>
class LookAhead
{
public:
    explicit LookAhead(std::uint64_t most)
        : m_most(most)
    {
    }

    /// Whether an iteration is ahead.
    bool has() const { return m_taken < m_made; }
    /// The 2-norm of the residual of the values before it.
    double residual() const { return std::sqrt(m_series.found(m_taken).squaredResidual); }

    struct Taken
    {
        double largestChange;
        double seconds;
    };
    /// The iteration that is ahead; has() before.
    Taken take(DeviceValues<T> &present, DeviceValues<T> &next)
    {
        const Taken taken{m_series.found(m_taken).largestChange, m_secondsOfEach};
        if (++m_taken == m_made) {
            arrive(m_made, present, next);
            m_wereAllTaken = true;
        }
        return taken;
    }

    /// Begins with the present values; none is ahead. Waits for them.
    void make(const GridView<T> &grid, DeviceValues<T> &present, DeviceValues<T> &next,
              cudaStream_t stream)
    {
        const auto count = m_wereAllTaken ? std::min(2 * m_made, m_most) : 1;
        m_made = m_taken = 0; // if it fails, nothing is ahead
        m_wereAllTaken = false;
        try {
            makeSome(count, grid, present, next, stream);
        } catch (const DeviceError &error) {
            if (count == 1 || !error.isOutOfMemory())
                throw;
            // One at a time is ahead, as on large grids.
            cudaStreamSynchronize(stream);
            m_recorded.clear(); // the third grid stays: others have recorded work that uses it
            m_most = 1;
            makeSome(1, grid, present, next, stream);
        }
    }

    /// The present values are those of the iterations that were taken, and none is ahead. Nothing
    /// else may use them before.
    void settle(const GridView<T> &grid, DeviceValues<T> &present, DeviceValues<T> &next,
                cudaStream_t stream)
    {
        m_wereAllTaken = false;
        if (has() && m_taken > 0) {
            for (std::uint64_t i = 0; i < m_taken; ++i)
                iterateTuned(grid, valuesAfter(i, present, next), valuesAfter(i + 1, present, next),
                             nullptr, stream);
            arrive(m_taken, present, next);
        }
        m_made = m_taken = 0;
    }

    /// The grid's parameters have changed, after settle().
    void forget() { m_recorded.clear(); }

private:
    /// The values that the iterations begin with are never written to.
    T *valuesAfter(std::uint64_t iterations, const DeviceValues<T> &present,
                   const DeviceValues<T> &next) const
    {
        return iterations == 0       ? present.data()
               : iterations % 2 == 1 ? next.data()
                                     : m_third.data();
    }

    void makeSome(std::uint64_t count, const GridView<T> &grid, const DeviceValues<T> &present,
                  const DeviceValues<T> &next, cudaStream_t stream)
    {
        const auto begin = std::chrono::steady_clock::now();
        if (count > 1 && m_third.isEmpty())
            m_third = DeviceValues<T>(grid, stream);
        m_series.reserve(count, tunedBlocks(grid));
        if (count == m_most && m_most > 1) {
            auto &recorded = m_recorded[{present.data(), next.data()}];
            if (!recorded.isThere())
                recorded =
                    RecordedWork(stream, [&] { enqueue(count, grid, present, next, stream); });
            recorded.enqueue(stream);
        } else {
            enqueue(count, grid, present, next, stream);
        }
        check(cudaStreamSynchronize(stream), "finish its iterations");
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        m_secondsOfEach = seconds.count() / static_cast<double>(count);
        m_made = count;
    }

    void enqueue(std::uint64_t count, const GridView<T> &grid, const DeviceValues<T> &present,
                 const DeviceValues<T> &next, cudaStream_t stream)
    {
        m_series.begin(count, stream);
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto slots = m_series.slots(i);
            iterateTuned(grid, valuesAfter(i, present, next), valuesAfter(i + 1, present, next),
                         &slots, stream);
        }
        m_series.enqueueRead(count, true, stream);
    }

    /// Three grids in turns: after a full series a recorded one begins with each of them.
    void arrive(std::uint64_t iterations, DeviceValues<T> &present, DeviceValues<T> &next)
    {
        std::swap(present, next);
        if (iterations % 2 == 0)
            std::swap(present, m_third);
    }

    std::uint64_t m_most;
    std::uint64_t m_made = 0;
    std::uint64_t m_taken = 0;
    bool m_wereAllTaken = false;
    double m_secondsOfEach = 0;
    ReductionSeries m_series;
    DeviceValues<T> m_third;
    std::map<std::pair<const T *, const T *>, RecordedWork> m_recorded; ///< by present and next
};

} // namespace gridhelm::gpu::jacobi
