// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/sor/mlssor_team.h"

#include "core/solvers/poisson/team.h"
#include "core/solvers/sor/owed_sweeps.h"
#include "gpu/poisson/sor/mlssor_share.h"
#include "gpu/poisson/sor/sor_team.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace gridhelm::gpu {
namespace {

using solvers::MlssorShape;
using solvers::PoissonProblem;
using solvers::SweepDirection;

template <typename T>
class MlssorTeam final : public sor::SorTeam<T, sor::MlssorShare<T>>
{
public:
    /// Made while the first GPU is current.
    MlssorTeam(const PoissonProblem &problem, const solvers::GpuSlabs &slabs, PeerRoute route,
               const MlssorShape &shape, SweepDirection direction)
        : sor::SorTeam<T, sor::MlssorShare<T>>(problem, slabs, route, shape, direction)
        , m_layers(shape.layers)
        , m_owed(shape.layers)
    {
    }

    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        auto &shares = this->shares();
        const OnGpu scope(shares.first());
        const auto done = m_owed(iterations, stop, [&](std::uint64_t most) {
            std::uint64_t enqueued = 0;
            shares.begin();
            while (enqueued < std::min(most, shares.portion())) {
                sweepOnce(w);
                enqueued += m_layers;
            }
            shares.end();
            shares.queue().waitForRoom();
            return enqueued;
        });
        shares.queue().waitForAll();
        return done;
    }

private:
    void sweepOnce(T w)
    {
        for (int ty : {0, 1}) {
            for (const auto &share : this->shares().all())
                share->relax(ty, w);
            for (const auto &share : this->shares().all())
                share->await(ty);
        }
        this->shares().turn();
    }

    std::uint64_t m_layers;
    solvers::OwedSweeps m_owed;
};

} // namespace

template <typename T>
std::size_t mlssorGranule(const PoissonProblem &problem, const MlssorShape &shape)
{
    return std::lcm(shape.width, jacobi::tunedTiles(gridViewOf<T>(problem)).thickness);
}

template <typename T>
std::unique_ptr<solvers::SorSweeper<T>>
makeMlssorTeam(const PoissonProblem &problem, const MlssorShape &shape, SweepDirection direction,
               const ExecutionContext &context, PeerRoute route)
{
    const auto slabs = solvers::gpuSlabs(problem, mlssorGranule<T>(problem, shape), context);
    const OnGpu scope(slabs.gpus.front());
    return std::make_unique<MlssorTeam<T>>(problem, slabs, route, shape, direction);
}

template std::size_t mlssorGranule<float>(const PoissonProblem &, const MlssorShape &);
template std::size_t mlssorGranule<double>(const PoissonProblem &, const MlssorShape &);
template std::unique_ptr<solvers::SorSweeper<float>>
makeMlssorTeam(const PoissonProblem &, const MlssorShape &, SweepDirection,
               const ExecutionContext &, PeerRoute);
template std::unique_ptr<solvers::SorSweeper<double>>
makeMlssorTeam(const PoissonProblem &, const MlssorShape &, SweepDirection,
               const ExecutionContext &, PeerRoute);

} // namespace gridhelm::gpu
