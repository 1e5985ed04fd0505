// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/jacobi/cuda_shares.h"

#include "core/solvers/poisson/team.h"
#include "gpu/poisson/block_reduction.h"
#include "gpu/poisson/jacobi/cuda_share.h"
#include "gpu/poisson/work_queue.h"
#include "gpu/support/on_gpu.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gridhelm::gpu {
namespace {

using solvers::PoissonProblem;
using solvers::Slab;

/// Enqueues iterations portion by portion; a portion begins after the one before on all GPUs, so
/// that the first GPU's queue knows when all are done.
template <typename T>
class CudaShares final : public solvers::jacobi::Shares<T>
{
public:
    /// Made while the first GPU is current.
    CudaShares(const PoissonProblem &problem, const std::vector<Slab> &slabs,
               const std::vector<GpuDevice> &gpus, PeerRoute route)
        : m_layer(solvers::unknownsOfLayer(problem))
        , m_portion(WorkQueue::portion(problem.count() / slabs.size()))
        , m_first(gpus.front())
        , m_changes(slabs.size())
    {
        for (std::size_t i = 0; i < slabs.size(); ++i) {
            const OnGpu scope(gpus[i]);
            m_shares.push_back(std::make_unique<CudaShare<T>>(problem, slabs[i], gpus[i]));
            m_blocks += m_shares.back()->blocks();
            m_gathers.emplace_back(gpus[i], m_first, m_shares.back()->blocks() * sizeof(double),
                                   route);
        }
        for (std::size_t i = 1; i < m_shares.size(); ++i)
            CudaShare<T>::connect(*m_shares[i - 1], *m_shares[i], route);
    }

    ~CudaShares() override
    {
        for (const auto &share : m_shares)
            share->waitUntilIdle();
    }

    std::uint64_t portion() const override { return m_portion; }

    double iterate(std::uint64_t iterations, bool compares) override
    {
        const OnGpu scope(m_first);
        if (const auto plain = compares ? iterations - 1 : iterations; plain > 0) {
            begin();
            for (std::uint64_t done = 0; done < plain; ++done) {
                for (const auto &share : m_shares)
                    share->update(false);
                turn();
            }
            end();
        }
        if (!compares) {
            m_queue.waitForRoom();
            return solvers::StepReport::none;
        }
        const auto found = examine(false);
        turn();
        return found.largestChange;
    }

    using Ahead = typename solvers::jacobi::Shares<T>::Ahead;
    bool iteratesAhead() const override { return true; }
    Ahead iterateAhead() override
    {
        const OnGpu scope(m_first);
        return examine(true);
    }
    void acceptAhead() override { turn(); }

    double scaledResidual() override { return std::sqrt(iterateAhead().squaredResidual); }

    void copyValues(std::span<T> values) override
    {
        const OnGpu scope(m_first);
        m_queue.waitForAll();
        for (const auto &share : m_shares) {
            const auto &slab = share->slab();
            share->copyValues(values.subspan(slab.begin * m_layer, slab.size() * m_layer));
        }
    }

    void setParameters(const PoissonProblem &problem) override
    {
        for (const auto &share : m_shares)
            share->setParameters(problem);
    }

private:
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

    void turn()
    {
        for (const auto &share : m_shares)
            share->turn();
    }

    /// One iteration, and what it finds. The residual is summed up as on one GPU.
    Ahead examine(bool withResidual)
    {
        const auto slots = m_reduction.begin(m_blocks, m_queue.stream());
        begin();
        for (const auto &share : m_shares) {
            share->clearChange();
            share->update(true);
        }
        std::size_t before = 0;
        for (std::size_t i = 0; i < m_shares.size(); ++i) {
            m_shares[i]->returnFound(m_gathers[i],
                                     withResidual ? slots.blockSums + before : nullptr,
                                     m_changes.data() + i);
            before += m_shares[i]->blocks();
        }
        end();
        const double sum = m_reduction.read(withResidual, m_queue.stream()).squaredResidual;
        return {sum, *std::ranges::max_element(m_changes.values())};
    }

    std::size_t m_layer;
    std::uint64_t m_portion;
    GpuDevice m_first;
    WorkQueue m_queue; ///< of the first GPU
    Event m_begin = Event::untimed();
    BlockReduction m_reduction;
    PinnedBuffer<double> m_changes;
    std::size_t m_blocks = 0;
    std::vector<PeerCopy> m_gathers; ///< to the first GPU
    std::vector<std::unique_ptr<CudaShare<T>>> m_shares;
};

} // namespace

template <typename T>
std::unique_ptr<solvers::jacobi::Shares<T>>
makeCudaShares(const PoissonProblem &problem, const ExecutionContext &context, PeerRoute route)
{
    std::vector<GpuDevice> gpus;
    for (const auto &device : context.team())
        gpus.push_back(std::get<GpuDevice>(device));
    const std::vector<double> equal(gpus.size(), 1);
    const auto tile = jacobi::tunedTiles(gridViewOf<T>(problem)).thickness;
    const auto slabs = solvers::dividedAmongTeam(problem, tile, equal, context);
    const OnGpu scope(gpus.front());
    return std::make_unique<CudaShares<T>>(problem, slabs, gpus, route);
}

template std::unique_ptr<solvers::jacobi::Shares<float>>
makeCudaShares(const PoissonProblem &, const ExecutionContext &, PeerRoute);
template std::unique_ptr<solvers::jacobi::Shares<double>>
makeCudaShares(const PoissonProblem &, const ExecutionContext &, PeerRoute);

} // namespace gridhelm::gpu
