// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/sor/red_black_team.h"

#include "core/solvers/poisson/team.h"
#include "gpu/poisson/sor/red_black_share.h"
#include "gpu/poisson/sor/sor_team.h"

#include <algorithm>
#include <cstdint>

namespace gridhelm::gpu {
namespace {

using solvers::PoissonProblem;

template <typename T>
class RedBlackTeam final : public sor::SorTeam<T, sor::RedBlackShare<T>>
{
public:
    using sor::SorTeam<T, sor::RedBlackShare<T>>::SorTeam;

    std::vector<ShareTimes> takeShareTimes() override
    {
        const OnGpu scope(this->shares().first());
        return this->shares().takeTimes();
    }

    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        auto &shares = this->shares();
        const OnGpu scope(shares.first());
        for (const auto &share : shares.all())
            share->setRelaxation(w);
        std::uint64_t done = 0;
        while (done < iterations && !stop.stop_requested()) {
            const auto portion = std::min(shares.portion(), iterations - done);
            shares.update(2 * portion);
            done += portion;
            shares.queue().waitForRoom();
        }
        shares.queue().waitForAll();
        return done;
    }
};

} // namespace

template <typename T>
std::unique_ptr<solvers::SorSweeper<T>>
makeRedBlackTeam(const PoissonProblem &problem, const ExecutionContext &context, PeerRoute route)
{
    // The residual is that of Jacobi's tiles. Both are powers of two.
    const auto grid = gridViewOf<T>(problem);
    const auto tile = std::max(jacobi::tunedTiles(grid).thickness,
                               static_cast<std::size_t>(sor::redBlackThickness(grid)));
    const auto slabs = solvers::gpuSlabs(problem, tile, context);
    const OnGpu scope(slabs.gpus.front());
    return std::make_unique<RedBlackTeam<T>>(problem, slabs, route);
}

template std::unique_ptr<solvers::SorSweeper<float>>
makeRedBlackTeam(const PoissonProblem &, const ExecutionContext &, PeerRoute);
template std::unique_ptr<solvers::SorSweeper<double>>
makeRedBlackTeam(const PoissonProblem &, const ExecutionContext &, PeerRoute);

} // namespace gridhelm::gpu
