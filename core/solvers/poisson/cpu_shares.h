// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/crew.h"
#include "core/execution/execution_context.h"
#include "core/solvers/poisson/cpu_share.h"
#include "core/solvers/poisson/team.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gridhelm::solvers {

/// The shares of one grid that this process has, each made and moved by a thread of its own, if
/// there are several. `One` is a CpuShare, made from (problem, slab, CPU, options).
template <typename One>
class CpuShares
{
public:
    /// On the CPUs of the context's team, or on its CPU beside those of the other ranks, with slabs
    /// as large as the CPUs have threads, which begin at multiples of `granule` rows or planes.
    template <typename... Options>
    CpuShares(const PoissonProblem &problem, std::size_t granule, const ExecutionContext &context,
              const Options &...options)
        : CpuShares(problem, cpuSlabs(problem, granule, context), options...)
    {
    }

    /// In slabs that are chosen already.
    template <typename... Options>
    CpuShares(const PoissonProblem &problem, CpuSlabs slabs, const Options &...options)
        : m_ranks(std::move(slabs.ranks))
        , m_shares(slabs.here.size())
    {
        if (m_shares.size() > 1)
            m_crew.emplace(m_shares.size());
        // By the threads that will use it, so that its memory is near them.
        run([&](std::size_t i) {
            const auto &[slab, cpu] = slabs.here[i];
            m_shares[i] = std::make_unique<One>(problem, slab, cpu, options...);
        });
        for (std::size_t i = 1; i < m_shares.size(); ++i)
            One::connect(*m_shares[i - 1], *m_shares[i]);
        if (m_ranks && !m_shares.empty())
            m_shares.front()->connect(m_ranks->ranks());
    }

    /// body(share) for all of them at the same time.
    template <typename Body>
    void forEach(const Body &body)
    {
        run([&](std::size_t i) { body(*m_shares[i]); });
    }

    /// So many updates; the last one examines, too, if that is wished.
    void update(std::uint64_t updates, bool lastExamines)
    {
        advance([&](One &share) {
            for (std::uint64_t done = 0; done < updates; ++done) {
                share.update(lastExamines && done + 1 == updates);
                share.turn();
            }
            share.settle();
        });
    }

    /// forEach(), the time of which is that of the shares' updates.
    template <typename Body>
    void advance(const Body &body)
    {
        const auto begin = std::chrono::steady_clock::now();
        forEach(body);
        m_seconds +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    /// How each has spent the time of its updates since this was called last.
    std::vector<ShareTimes> takeTimes()
    {
        std::vector<ShareTimes> times;
        for (const auto &share : m_shares)
            times.push_back(share->takeTimes(m_seconds));
        m_seconds = 0;
        return times;
    }

    const std::vector<std::unique_ptr<One>> &all() const { return m_shares; }
    /// Null unless the grid is divided among ranks.
    const RankSlabs *ranks() const { return m_ranks ? &*m_ranks : nullptr; }

    /// Of a value for each layer of the grid, or `perLayer`, the shares here have filled in theirs:
    /// those of the other ranks' shares.
    template <typename Value>
    void gather(std::span<Value> whole, std::size_t perLayer) const
    {
        if (m_ranks)
            m_ranks->gatherForAll(whole, perLayer);
    }
    /// The largest value of all shares, those of the other ranks included.
    template <typename Value>
    Value largest(Value here) const
    {
        return m_ranks
                   ? static_cast<Value>(largestOfAll(m_ranks->ranks(), static_cast<double>(here)))
                   : here;
    }

private:
    template <typename Body>
    void run(const Body &body)
    {
        if (m_crew)
            m_crew->run(body);
        else if (!m_shares.empty())
            body(0);
    }

    std::optional<RankSlabs> m_ranks;
    std::vector<std::unique_ptr<One>> m_shares;
    double m_seconds = 0;       ///< of updates, since times were taken
    std::optional<Crew> m_crew; ///< one share is moved by whoever calls
};

/// How many iterations take some milliseconds on CPUs: how long a stop may wait.
inline std::uint64_t iterationsAtOnce(const PoissonProblem &problem)
{
    return 1 + 10'000'000 / (problem.count() + 10'000);
}

} // namespace gridhelm::solvers
