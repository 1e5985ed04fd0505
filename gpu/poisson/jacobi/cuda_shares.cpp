// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/jacobi/cuda_shares.h"

#include "core/solvers/poisson/team.h"
#include "gpu/poisson/block_reduction.h"
#include "gpu/poisson/cuda_shares.h"
#include "gpu/poisson/jacobi/jacobi_share.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gridhelm::gpu {
namespace {

using jacobi::JacobiShare;
using solvers::PoissonProblem;

template <typename T>
class JacobiShares final : public solvers::jacobi::Shares<T>
{
public:
    /// Made while the first GPU is current.
    JacobiShares(const PoissonProblem &problem, const solvers::GpuSlabs &slabs, PeerRoute route,
                 const jacobi::Updates &updates)
        : m_mostDepth(updates.mostDepth)
        , m_full(static_cast<std::uint64_t>(updates.async ? updates.async->alpha + 1
                                                          : updates.mostDepth))
        , m_isAsynchronous(updates.async)
        , m_layer(solvers::unknownsOfLayer(problem))
        , m_changes(slabs.here.size())
        , m_shares(problem, slabs, route, updates)
    {
    }

    std::uint64_t portion() const override
    {
        return (m_shares.portion() + m_full - 1) / m_full * m_full; // no pass or launch is shorter
    }

    /// In the passes, or launches, that one GPU makes of them: other depths round differently.
    double iterate(std::uint64_t iterations, bool compares) override
    {
        const OnGpu scope(m_shares.first());
        if (m_isAsynchronous) {
            launch(iterations / m_full, m_full);
            launch(iterations % m_full > 0 ? 1 : 0, iterations % m_full);
            if (compares) // nothing to compare, but these were all: their time ends here
                m_shares.queue().waitForAll();
            else
                m_shares.queue().waitForRoom();
            return solvers::StepReport::none;
        }
        for (auto left = iterations; left > 0;) {
            const int depth = jacobi::passDepth<T>(
                static_cast<int>(std::min(left, static_cast<std::uint64_t>(m_mostDepth))));
            const auto passes = left / static_cast<std::uint64_t>(depth);
            left -= passes * static_cast<std::uint64_t>(depth);
            const bool isEnd = compares && left == 0;
            update(isEnd ? passes - 1 : passes, depth);
            if (isEnd) {
                const auto found = examine(depth, false);
                m_shares.turn();
                return found.largestChange;
            }
        }
        m_shares.queue().waitForRoom();
        return solvers::StepReport::none;
    }

    const solvers::RankSlabs *ranks() const override { return m_shares.ranks(); }

    /// To a share of another kind of device behind the last one.
    void connectUpper(const std::shared_ptr<Messages> &messages, int party)
    {
        m_shares.all().back()->connectUpper(messages, party);
    }

    using Ahead = typename solvers::jacobi::Shares<T>::Ahead;
    bool iteratesAhead() const override { return !m_isAsynchronous; }
    bool acceptsAhead(std::uint64_t most) const override { return most == 1 || m_mostDepth == 1; }
    Ahead iterateAhead() override
    {
        const OnGpu scope(m_shares.first());
        return examine(1, true);
    }
    void acceptAhead() override { m_shares.turn(); }

    double scaledResidual() override
    {
        const OnGpu scope(m_shares.first());
        return std::sqrt(found(true, [](auto &share) { share.squareResiduals(); }).squaredResidual);
    }

    std::vector<ShareTimes> takeTimes() override
    {
        const OnGpu scope(m_shares.first());
        return m_shares.takeTimes();
    }

    void copyValues(std::span<T> values) override
    {
        const OnGpu scope(m_shares.first());
        m_shares.queue().waitForAll();
        for (const auto &share : m_shares.all()) {
            const auto &slab = share->slab();
            share->copyValues(values.subspan((slab.begin - m_shares.firstLayer()) * m_layer,
                                             slab.size() * m_layer));
        }
    }

    void setParameters(const PoissonProblem &problem) override
    {
        for (const auto &share : m_shares.all())
            share->setParameters(problem);
    }

private:
    void setDepth(int depth)
    {
        for (const auto &share : m_shares.all())
            share->setDepth(depth);
    }

    void update(std::uint64_t passes, int depth)
    {
        setDepth(depth);
        m_shares.update(passes);
    }

    /// Of so many iterations each.
    void launch(std::uint64_t launches, std::uint64_t iterations)
    {
        if (launches == 0)
            return;
        for (const auto &share : m_shares.all())
            share->setAlpha(static_cast<int>(iterations) - 1);
        m_shares.update(launches);
    }

    /// One pass, and what it finds.
    Ahead examine(int depth, bool withResidual)
    {
        setDepth(depth);
        return found(withResidual, [](auto &share) { share.update(true); });
    }

    /// By what `look` enqueues for each share. The residual (of one iteration) is summed up as on
    /// one GPU.
    template <typename Look>
    Ahead found(bool withResidual, const Look &look)
    {
        const auto stream = m_shares.queue().stream();
        const auto slots = m_reduction.begin(m_shares.blocks(), stream);
        m_shares.begin();
        for (const auto &share : m_shares.all()) {
            share->clearChange();
            look(*share);
        }
        m_shares.gather([&](auto &share, std::size_t i, PeerCopy &copy, std::size_t before) {
            share.returnFound(copy, withResidual ? slots.blockSums + before : nullptr,
                              m_changes.data() + i);
        });
        m_shares.end();
        if (withResidual)
            m_shares.gatherSums(slots.blockSums);
        const double sum = m_reduction.read(withResidual, stream).squaredResidual;
        double largest = 0;
        for (const double change : m_changes.values())
            largest = std::max(largest, change);
        return {sum, m_shares.largest(largest)};
    }

    int m_mostDepth;
    std::uint64_t m_full; ///< iterations of a pass, or a launch
    bool m_isAsynchronous;
    std::size_t m_layer;
    BlockReduction m_reduction;
    PinnedBuffer<double> m_changes;
    CudaShares<JacobiShare<T>> m_shares; ///< the last: waits for its work before others end
};

template <typename T>
std::unique_ptr<JacobiShares<T>> make(const PoissonProblem &problem, const solvers::GpuSlabs &slabs,
                                      const jacobi::Updates &updates, PeerRoute route)
{
    const OnGpu scope(slabs.gpus.front());
    return std::make_unique<JacobiShares<T>>(problem, slabs, route, updates);
}

template <typename T>
std::unique_ptr<JacobiShares<T>> make(const PoissonProblem &problem,
                                      const ExecutionContext &context,
                                      const jacobi::Updates &updates, PeerRoute route)
{
    const auto tile = updates.thickness(gridViewOf<T>(problem));
    return make<T>(problem, solvers::gpuSlabs(problem, tile, context), updates, route);
}

template <typename T>
int passDepthOf(const PoissonProblem &problem, int wanted)
{
    return jacobi::passDepth<T>(wanted > 0 ? wanted : jacobi::defaultDepth(gridViewOf<T>(problem)));
}

} // namespace

template <typename T>
std::unique_ptr<solvers::jacobi::Shares<T>> makeCudaShares(const PoissonProblem &problem,
                                                           const ExecutionContext &context,
                                                           int depth, PeerRoute route)
{
    return make<T>(problem, context, {passDepthOf<T>(problem, depth)}, route);
}

template <typename T>
CudaPart cudaPart(const PoissonProblem &problem, int depth)
{
    const jacobi::Updates updates{passDepthOf<T>(problem, depth)};
    return {updates.mostDepth, updates.thickness(gridViewOf<T>(problem))};
}

template <typename T>
std::unique_ptr<solvers::jacobi::Shares<T>>
makeCudaPart(const PoissonProblem &problem, const solvers::GpuSlabs &slabs, int depth,
             const std::shared_ptr<Messages> &messages, int party)
{
    auto shares = make<T>(problem, slabs, {depth}, PeerRoute::best);
    if (messages)
        shares->connectUpper(messages, party);
    return shares;
}

template <typename T>
std::unique_ptr<solvers::jacobi::Shares<T>>
makeAsyncCudaShares(const PoissonProblem &problem, const ExecutionContext &context,
                    const jacobi::AsyncChoice &choice, PeerRoute route)
{
    return make<T>(problem, context, {1, choice}, route);
}

template std::unique_ptr<solvers::jacobi::Shares<float>>
makeCudaShares(const PoissonProblem &, const ExecutionContext &, int, PeerRoute);
template std::unique_ptr<solvers::jacobi::Shares<double>>
makeCudaShares(const PoissonProblem &, const ExecutionContext &, int, PeerRoute);

template CudaPart cudaPart<float>(const PoissonProblem &, int);
template CudaPart cudaPart<double>(const PoissonProblem &, int);
template std::unique_ptr<solvers::jacobi::Shares<float>>
makeCudaPart(const PoissonProblem &, const solvers::GpuSlabs &, int,
             const std::shared_ptr<Messages> &, int);
template std::unique_ptr<solvers::jacobi::Shares<double>>
makeCudaPart(const PoissonProblem &, const solvers::GpuSlabs &, int,
             const std::shared_ptr<Messages> &, int);

template std::unique_ptr<solvers::jacobi::Shares<float>>
makeAsyncCudaShares(const PoissonProblem &, const ExecutionContext &, const jacobi::AsyncChoice &,
                    PeerRoute);
template std::unique_ptr<solvers::jacobi::Shares<double>>
makeAsyncCudaShares(const PoissonProblem &, const ExecutionContext &, const jacobi::AsyncChoice &,
                    PeerRoute);

} // namespace gridhelm::gpu
