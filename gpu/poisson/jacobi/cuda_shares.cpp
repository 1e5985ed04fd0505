// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/jacobi/cuda_shares.h"

#include "core/execution/team.h"
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
using solvers::Slab;

template <typename T>
class JacobiShares final : public solvers::jacobi::Shares<T>
{
public:
    /// Made while the first GPU is current.
    JacobiShares(const PoissonProblem &problem, const std::vector<Slab> &slabs,
                 const std::vector<GpuDevice> &gpus, PeerRoute route, int mostDepth)
        : m_mostDepth(mostDepth)
        , m_layer(solvers::unknownsOfLayer(problem))
        , m_changes(slabs.size())
        , m_shares(problem, slabs, gpus, route, mostDepth)
    {
    }

    std::uint64_t portion() const override
    {
        const auto depth = static_cast<std::uint64_t>(m_mostDepth);
        return (m_shares.portion() + depth - 1) / depth * depth; // passes of full depth
    }

    /// In the passes that one GPU makes of them: other depths round differently.
    double iterate(std::uint64_t iterations, bool compares) override
    {
        const OnGpu scope(m_shares.first());
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

    using Ahead = typename solvers::jacobi::Shares<T>::Ahead;
    bool iteratesAhead() const override { return true; }
    bool acceptsAhead(std::uint64_t most) const override { return most == 1 || m_mostDepth == 1; }
    Ahead iterateAhead() override
    {
        const OnGpu scope(m_shares.first());
        return examine(1, true);
    }
    void acceptAhead() override { m_shares.turn(); }

    double scaledResidual() override { return std::sqrt(iterateAhead().squaredResidual); }

    void copyValues(std::span<T> values) override
    {
        const OnGpu scope(m_shares.first());
        m_shares.queue().waitForAll();
        for (const auto &share : m_shares.all()) {
            const auto &slab = share->slab();
            share->copyValues(values.subspan(slab.begin * m_layer, slab.size() * m_layer));
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

    /// One pass, and what it finds. The residual (of one iteration) is summed up as on one GPU.
    Ahead examine(int depth, bool withResidual)
    {
        const auto stream = m_shares.queue().stream();
        const auto slots = m_reduction.begin(m_shares.blocks(), stream);
        setDepth(depth);
        m_shares.begin();
        for (const auto &share : m_shares.all()) {
            share->clearChange();
            share->update(true);
        }
        m_shares.gather([&](auto &share, std::size_t i, PeerCopy &copy, std::size_t before) {
            share.returnFound(copy, withResidual ? slots.blockSums + before : nullptr,
                              m_changes.data() + i);
        });
        m_shares.end();
        const double sum = m_reduction.read(withResidual, stream).squaredResidual;
        return {sum, *std::ranges::max_element(m_changes.values())};
    }

    int m_mostDepth;
    std::size_t m_layer;
    BlockReduction m_reduction;
    PinnedBuffer<double> m_changes;
    CudaShares<JacobiShare<T>> m_shares; ///< the last: waits for its work before others end
};

} // namespace

template <typename T>
std::unique_ptr<solvers::jacobi::Shares<T>> makeCudaShares(const PoissonProblem &problem,
                                                           const ExecutionContext &context,
                                                           int depth, PeerRoute route)
{
    const auto gpus = gpusOf(context.team());
    const std::vector<double> equal(gpus.size(), 1);
    const auto grid = gridViewOf<T>(problem);
    const int mostDepth = jacobi::passDepth<T>(depth > 0 ? depth : jacobi::defaultDepth(grid));
    const auto tile = JacobiShare<T>::thickness(grid, mostDepth);
    const auto slabs = solvers::dividedAmongTeam(problem, tile, equal, context);
    const OnGpu scope(gpus.front());
    return std::make_unique<JacobiShares<T>>(problem, slabs, gpus, route, mostDepth);
}

template std::unique_ptr<solvers::jacobi::Shares<float>>
makeCudaShares(const PoissonProblem &, const ExecutionContext &, int, PeerRoute);
template std::unique_ptr<solvers::jacobi::Shares<double>>
makeCudaShares(const PoissonProblem &, const ExecutionContext &, int, PeerRoute);

} // namespace gridhelm::gpu
