// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/crew.h"
#include "core/execution/execution_context.h"
#include "core/solvers/poisson/cpu_share.h"
#include "core/solvers/poisson/team.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace gridhelm::solvers {

/// The shares of one grid, each made and moved by a thread of its own. `One` is a CpuShare, made
/// from (problem, slab, CPU, options).
template <typename One>
class CpuShares
{
public:
    /// On the CPUs of the context's team, with slabs as large as the CPUs have threads, which begin
    /// at multiples of `granule` rows or planes.
    template <typename... Options>
    CpuShares(const PoissonProblem &problem, std::size_t granule, const ExecutionContext &context,
              const Options &...options)
        : CpuShares(problem, cpuSlabs(problem, granule, context), options...)
    {
    }

    /// body(share) for all of them at the same time.
    template <typename Body>
    void forEach(const Body &body)
    {
        m_crew.run([&](std::size_t i) { body(*m_shares[i]); });
    }

    /// So many updates; the last one examines, too, if that is wished.
    void update(std::uint64_t updates, bool lastExamines)
    {
        advance([&](One &share) {
            for (std::uint64_t done = 0; done < updates; ++done) {
                share.update(lastExamines && done + 1 == updates);
                share.turn();
            }
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

private:
    template <typename... Options>
    CpuShares(const PoissonProblem &problem, const std::vector<CpuSlab> &slabs,
              const Options &...options)
        : m_shares(slabs.size())
        , m_crew(slabs.size())
    {
        // By the threads that will use it, so that its memory is near them.
        m_crew.run([&](std::size_t i) {
            m_shares[i] = std::make_unique<One>(problem, slabs[i].slab, slabs[i].cpu, options...);
        });
        for (std::size_t i = 1; i < m_shares.size(); ++i)
            One::connect(*m_shares[i - 1], *m_shares[i]);
    }

    std::vector<std::unique_ptr<One>> m_shares;
    double m_seconds = 0; ///< of updates, since times were taken
    Crew m_crew;
};

/// How many iterations take some milliseconds on CPUs: how long a stop may wait.
inline std::uint64_t iterationsAtOnce(const PoissonProblem &problem)
{
    return 1 + 10'000'000 / (problem.count() + 10'000);
}

} // namespace gridhelm::solvers
