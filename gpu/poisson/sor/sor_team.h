// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/sor/sor_sweeper.h"
#include "gpu/poisson/block_reduction.h"
#include "gpu/poisson/cuda_shares.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace gridhelm::gpu::sor {

/// What the SOR methods on several GPUs have in common: all but their sweeps. `One` is a share of
/// CudaShares which also takes and returns values and sources, and finds residuals.
template <typename T, typename One>
class SorTeam : public solvers::SorSweeper<T>
{
public:
    /// Made while the first GPU is current.
    template <typename... Options>
    SorTeam(const solvers::PoissonProblem &problem, const solvers::GpuSlabs &slabs, PeerRoute route,
            const Options &...options)
        : m_layer(solvers::unknownsOfLayer(problem))
        , m_shares(problem, slabs, route, options...)
    {
    }

    const solvers::RankSlabs *ranks() const override { return m_shares.ranks(); }

    void setValues(std::span<const double> values) override
    {
        for (const auto &share : m_shares.all())
            share->setValues(values);
    }

    void copyValues(std::span<T> values) const override
    {
        for (const auto &share : m_shares.all()) {
            const auto &slab = share->slab();
            share->copyValues(values.subspan((slab.begin - m_shares.firstLayer()) * m_layer,
                                             slab.size() * m_layer));
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
        m_shares.gatherSums(slots.blockSums);
        return std::sqrt(m_reduction.read(true, stream).squaredResidual);
    }

protected:
    CudaShares<One> &shares() { return m_shares; }

private:
    std::size_t m_layer;
    mutable BlockReduction m_reduction;
    mutable CudaShares<One> m_shares; ///< the last: waits before others end
};

} // namespace gridhelm::gpu::sor
