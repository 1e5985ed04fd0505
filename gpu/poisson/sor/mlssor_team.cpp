// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/sor/mlssor_team.h"

#include "core/execution/team.h"
#include "core/solvers/poisson/team.h"
#include "gpu/poisson/sor/mlssor_share.h"
#include "gpu/poisson/sor/sor_team.h"

#include <cstdint>
#include <numeric>
#include <vector>

namespace gridhelm::gpu {
namespace {

using solvers::MlssorShape;
using solvers::PoissonProblem;
using solvers::Slab;
using solvers::SweepDirection;

template <typename T>
class MlssorTeam final : public sor::SorTeam<T, sor::MlssorShare<T>>
{
public:
    /// Made while the first GPU is current.
    MlssorTeam(const PoissonProblem &problem, const std::vector<Slab> &slabs,
               const std::vector<GpuDevice> &gpus, PeerRoute route, const MlssorShape &shape,
               SweepDirection direction)
        : sor::SorTeam<T, sor::MlssorShare<T>>(problem, slabs, gpus, route, shape, direction)
        , m_layers(shape.layers)
    {
    }

    /// Whole sweeps of K layers only, as on one GPU.
    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        auto &shares = this->shares();
        const OnGpu scope(shares.first());
        m_owed += iterations;
        std::uint64_t done = 0;
        while (m_owed >= m_layers) {
            if (stop.stop_requested()) {
                m_owed = 0;
                break;
            }
            shares.begin();
            std::uint64_t enqueued = 0;
            for (; m_owed >= m_layers && enqueued < shares.portion(); m_owed -= m_layers) {
                sweepOnce(w);
                enqueued += m_layers;
            }
            shares.end();
            done += enqueued;
            shares.queue().waitForRoom();
        }
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
    std::uint64_t m_owed = 0; ///< iterations that were asked for, and have not been done
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
    const auto gpus = gpusOf(context.team());
    const std::vector<double> equal(gpus.size(), 1);
    const auto slabs =
        solvers::dividedAmongTeam(problem, mlssorGranule<T>(problem, shape), equal, context);
    const OnGpu scope(gpus.front());
    return std::make_unique<MlssorTeam<T>>(problem, slabs, gpus, route, shape, direction);
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
