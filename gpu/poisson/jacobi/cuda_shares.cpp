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
                 const std::vector<GpuDevice> &gpus, PeerRoute route)
        : m_layer(solvers::unknownsOfLayer(problem))
        , m_changes(slabs.size())
        , m_shares(problem, slabs, gpus, route)
    {
    }

    std::uint64_t portion() const override { return m_shares.portion(); }

    double iterate(std::uint64_t iterations, bool compares) override
    {
        const OnGpu scope(m_shares.first());
        if (const auto plain = compares ? iterations - 1 : iterations; plain > 0)
            m_shares.update(plain);
        if (!compares) {
            m_shares.queue().waitForRoom();
            return solvers::StepReport::none;
        }
        const auto found = examine(false);
        m_shares.turn();
        return found.largestChange;
    }

    using Ahead = typename solvers::jacobi::Shares<T>::Ahead;
    bool iteratesAhead() const override { return true; }
    Ahead iterateAhead() override
    {
        const OnGpu scope(m_shares.first());
        return examine(true);
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
    /// One iteration, and what it finds. The residual is summed up as on one GPU.
    Ahead examine(bool withResidual)
    {
        const auto stream = m_shares.queue().stream();
        const auto slots = m_reduction.begin(m_shares.blocks(), stream);
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

    std::size_t m_layer;
    BlockReduction m_reduction;
    PinnedBuffer<double> m_changes;
    CudaShares<JacobiShare<T>> m_shares; ///< the last: waits for its work before others end
};

} // namespace

template <typename T>
std::unique_ptr<solvers::jacobi::Shares<T>>
makeCudaShares(const PoissonProblem &problem, const ExecutionContext &context, PeerRoute route)
{
    const auto gpus = gpusOf(context.team());
    const std::vector<double> equal(gpus.size(), 1);
    const auto tile = jacobi::tunedTiles(gridViewOf<T>(problem)).thickness;
    const auto slabs = solvers::dividedAmongTeam(problem, tile, equal, context);
    const OnGpu scope(gpus.front());
    return std::make_unique<JacobiShares<T>>(problem, slabs, gpus, route);
}

template std::unique_ptr<solvers::jacobi::Shares<float>>
makeCudaShares(const PoissonProblem &, const ExecutionContext &, PeerRoute);
template std::unique_ptr<solvers::jacobi::Shares<double>>
makeCudaShares(const PoissonProblem &, const ExecutionContext &, PeerRoute);

} // namespace gridhelm::gpu
