// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/sor/red_black_team.h"

#include "core/execution/team.h"
#include "core/solvers/poisson/team.h"
#include "gpu/poisson/block_reduction.h"
#include "gpu/poisson/cuda_shares.h"
#include "gpu/poisson/sor/red_black_share.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gridhelm::gpu {
namespace {

using solvers::PoissonProblem;
using solvers::Slab;

template <typename T>
class RedBlackTeam final : public solvers::SorSweeper<T>
{
public:
    /// Made while the first GPU is current.
    RedBlackTeam(const PoissonProblem &problem, const std::vector<Slab> &slabs,
                 const std::vector<GpuDevice> &gpus, PeerRoute route)
        : m_layer(solvers::unknownsOfLayer(problem))
        , m_shares(problem, slabs, gpus, route)
    {
    }

    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        const OnGpu scope(m_shares.first());
        for (const auto &share : m_shares.all())
            share->setRelaxation(w);
        std::uint64_t done = 0;
        while (done < iterations && !stop.stop_requested()) {
            const auto portion = std::min(m_shares.portion(), iterations - done);
            m_shares.update(2 * portion);
            done += portion;
            m_shares.queue().waitForRoom();
        }
        m_shares.queue().waitForAll();
        return done;
    }

    void setValues(std::span<const double> values) override
    {
        for (const auto &share : m_shares.all())
            share->setValues(values);
    }

    void copyValues(std::span<T> values) const override
    {
        for (const auto &share : m_shares.all()) {
            const auto &slab = share->slab();
            share->copyValues(values.subspan(slab.begin * m_layer, slab.size() * m_layer));
        }
    }

    void setScaledSource(std::span<const double> scaled) override
    {
        for (const auto &share : m_shares.all())
            share->setScaledSource(scaled);
    }

    void setSides(const std::array<solvers::SideCondition, 6> &sides) override
    {
        for (const auto &share : m_shares.all())
            share->setSides(sides);
    }

    /// Summed up as on one GPU.
    double scaledResidualNorm() const override
    {
        const OnGpu scope(m_shares.first());
        const auto stream = m_shares.queue().stream();
        const auto slots = m_reduction.begin(m_shares.blocks(), stream);
        m_shares.begin();
        m_shares.gather([&](auto &share, std::size_t, PeerCopy &copy, std::size_t before) {
            share.findResiduals(copy, slots.blockSums + before);
        });
        m_shares.end();
        return std::sqrt(m_reduction.read(true, stream).squaredResidual);
    }

private:
    std::size_t m_layer;
    mutable BlockReduction m_reduction;
    mutable CudaShares<sor::RedBlackShare<T>> m_shares; ///< the last: waits before others end
};

} // namespace

template <typename T>
std::unique_ptr<solvers::SorSweeper<T>>
makeRedBlackTeam(const PoissonProblem &problem, const ExecutionContext &context, PeerRoute route)
{
    const auto gpus = gpusOf(context.team());
    const std::vector<double> equal(gpus.size(), 1);
    // The residual is that of Jacobi's tiles. Both are powers of two.
    const auto grid = gridViewOf<T>(problem);
    const auto tile = std::max(jacobi::tunedTiles(grid).thickness,
                               static_cast<std::size_t>(sor::redBlackThickness(grid)));
    const auto slabs = solvers::dividedAmongTeam(problem, tile, equal, context);
    const OnGpu scope(gpus.front());
    return std::make_unique<RedBlackTeam<T>>(problem, slabs, gpus, route);
}

template std::unique_ptr<solvers::SorSweeper<float>>
makeRedBlackTeam(const PoissonProblem &, const ExecutionContext &, PeerRoute);
template std::unique_ptr<solvers::SorSweeper<double>>
makeRedBlackTeam(const PoissonProblem &, const ExecutionContext &, PeerRoute);

} // namespace gridhelm::gpu
