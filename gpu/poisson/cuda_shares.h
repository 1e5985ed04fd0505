// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/poisson/team.h"
#include "core/solvers/poisson_problem.h"
#include "gpu/poisson/cuda_share.h"
#include "gpu/poisson/work_queue.h"
#include "gpu/support/on_gpu.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gridhelm::gpu {

/// The shares of one grid that this process has, which updates are enqueued for. Work begins after
/// that before on all GPUs, so that the first GPU's queue knows when all is done. `One` is a
/// CudaShare, made from (problem, slab, GPU, options), which says how many blocks() its reductions
/// have.
template <typename One>
class CudaShares
{
public:
    /// Made while the first GPU is current.
    template <typename... Options>
    CudaShares(const solvers::PoissonProblem &problem, solvers::GpuSlabs slabs, PeerRoute route,
               const Options &...options)
        : m_portion(WorkQueue::portion(problem.count() / slabs.shares))
        , m_first(slabs.gpus.front())
        , m_ranks(std::move(slabs.ranks))
    {
        const auto &gpus = slabs.gpus;
        for (std::size_t i = 0; i < slabs.here.size(); ++i) {
            const OnGpu scope(gpus[i]);
            m_shares.push_back(std::make_unique<One>(problem, slabs.here[i], gpus[i], options...));
            m_blocks += m_shares.back()->blocks();
            m_gathers.emplace_back(gpus[i], m_first, m_shares.back()->blocks() * sizeof(double),
                                   route);
        }
        for (std::size_t i = 1; i < m_shares.size(); ++i)
            One::connect(*m_shares[i - 1], *m_shares[i], route);
        if (!m_ranks)
            return;
        if constexpr (requires { m_shares.front()->connect(m_ranks->shared(), nullptr); }) {
            if (route == PeerRoute::best) {
                const OnGpu scope(m_first);
                m_link = NcclLink::between(m_ranks->ranks(), m_first);
            }
            if (!m_shares.empty())
                m_shares.front()->connect(m_ranks->shared(), m_link);
        }
        for (const double blocks : m_ranks->ranks().numbersOfAll(static_cast<double>(m_blocks)))
            m_blocksBefore.push_back(m_blocksBefore.back() + static_cast<std::size_t>(blocks));
    }

    ~CudaShares()
    {
        // A rank that has failed waits for no other; they end with it.
        if (m_link && std::uncaught_exceptions() > 0)
            m_link->abort();
        for (const auto &share : m_shares)
            share->waitUntilIdle();
    }
    CudaShares(const CudaShares &) = delete;
    CudaShares &operator=(const CudaShares &) = delete;

    const GpuDevice &first() const { return m_first; }
    WorkQueue &queue() { return m_queue; }
    /// Updates that take some milliseconds.
    std::uint64_t portion() const { return m_portion; }
    const std::vector<std::unique_ptr<One>> &all() const { return m_shares; }

    /// Enqueued while the first GPU is current, as all below. One by one: a graph of 64 of them,
    /// over all GPUs, was no faster (two H100, 37 us an update of 1024^2 and 4096^2, 54 us of
    /// 2048^2).
    void update(std::uint64_t updates)
    {
        const bool samples = m_callsUntilSample == 0 && updates > 1;
        if (m_callsUntilSample > 0)
            --m_callsUntilSample;
        begin();
        for (std::uint64_t done = 0; done < updates; ++done) {
            if (samples)
                sample(updates - done);
            for (const auto &share : m_shares)
                share->update(false);
            turn();
        }
        end();
        if (samples)
            sample(0);
    }

    /// Of one update since this was called last, if there was one that is over.
    std::vector<ShareTimes> takeTimes()
    {
        std::vector<ShareTimes> all;
        for (const auto &share : m_shares) {
            if (const auto times = share->sampledTimes())
                all.push_back(*times);
        }
        if (all.size() < m_shares.size())
            return {};
        m_callsUntilSample = 0;
        return all;
    }

    void turn()
    {
        for (const auto &share : m_shares)
            share->turn();
    }

    /// What is enqueued for the shares between them begins after all before, and ends before all
    /// that follows in the queue.
    void begin()
    {
        m_begin.record(m_queue.stream());
        for (const auto &share : m_shares)
            share->begin(m_begin);
    }
    void end()
    {
        for (const auto &share : m_shares)
            share->end(m_queue.stream());
    }

    /// Null unless the grid is divided among ranks.
    const solvers::RankSlabs *ranks() const { return m_ranks ? &*m_ranks : nullptr; }
    /// The first layer of a grid of what copyValues() returns.
    std::size_t firstLayer() const { return m_ranks ? m_ranks->here().begin : 0; }

    /// Of the reductions of all shares, those of other ranks included.
    std::size_t blocks() const { return m_ranks ? m_blocksBefore.back() : m_blocks; }
    /// visit(share, its number, copy to the first GPU, number of blocks before its own).
    template <typename Visitor>
    void gather(const Visitor &visit)
    {
        std::size_t before = blocksBefore();
        for (std::size_t i = 0; i < m_shares.size(); ++i) {
            visit(*m_shares[i], i, m_gathers[i], before);
            before += m_shares[i]->blocks();
        }
    }

    /// Of block sums on the first GPU, all blocks(), the shares here have filled in theirs: those
    /// of the other ranks, in the order of the queue.
    void gatherSums(double *blockSums)
    {
        if (!m_ranks)
            return;
        m_sums.resize(blocks());
        const auto stream = m_queue.stream();
        const auto own = m_blocks * sizeof(double);
        if (own > 0)
            check(cudaMemcpyAsync(m_sums.data() + blocksBefore(), blockSums + blocksBefore(), own,
                                  cudaMemcpyDeviceToHost, stream),
                  "return the residual");
        check(cudaStreamSynchronize(stream), "finish its iterations");
        gatherForAll(m_ranks->ranks(), std::span(m_sums), m_blocksBefore);
        check(cudaMemcpyAsync(blockSums, m_sums.data(), m_sums.size() * sizeof(double),
                              cudaMemcpyHostToDevice, stream),
              "take the residual of other processes");
    }
    /// The largest value of all shares, those of the other ranks included.
    double largest(double here) const
    {
        return m_ranks ? largestOfAll(m_ranks->ranks(), here) : here;
    }

private:
    std::size_t blocksBefore() const
    {
        return m_ranks ? m_blocksBefore[static_cast<std::size_t>(m_ranks->ranks().number())] : 0;
    }

    /// The last of the updates that are enqueued, when the GPUs are busy: so many are left.
    void sample(std::uint64_t left)
    {
        using Update = ShareSample::Update;
        const auto update = left == 2 ? Update::before : left == 1 ? Update::sampled : Update::none;
        for (const auto &share : m_shares)
            share->setSample(update);
        if (left == 0)
            m_callsUntilSample = never;
    }

    static constexpr int never = -1;

    std::uint64_t m_portion;
    GpuDevice m_first;
    WorkQueue m_queue; ///< of the first GPU
    Event m_begin = Event::untimed();
    std::size_t m_blocks = 0; ///< of the shares here
    std::optional<solvers::RankSlabs> m_ranks;
    std::shared_ptr<NcclLink> m_link; ///< also of a rank without a share; null: through the hosts
    std::vector<std::size_t> m_blocksBefore{0}; ///< by rank, and all of them
    std::vector<double> m_sums;
    std::vector<PeerCopy> m_gathers; ///< to the first GPU
    int m_callsUntilSample = 1;      ///< of update(): the first one also begins things
    std::vector<std::unique_ptr<One>> m_shares;
};

} // namespace gridhelm::gpu
