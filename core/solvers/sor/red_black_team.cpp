// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/sor/red_black_team.h"

#include "core/execution/team.h"
#include "core/solvers/padded_residual.h"
#include "core/solvers/poisson/cpu_shares.h"
#include "core/solvers/sor/red_black_grid.h"
#include "core/solvers/sor/red_black_pass_share.h"
#include "core/support/flush_denormals.h"

#include <algorithm>
#include <vector>

namespace gridhelm::solvers {
namespace {

/// Before CpuShare, which keeps pointers to its values.
template <typename T>
struct OwnColours
{
    RedBlackGrid<T> m_grid;
};

/// Update n is a half sweep of colour n % 2, red to begin with: these are the `next` values, the
/// other colour's the present ones.
template <typename T>
class RedBlackShare final : private OwnColours<T>, public CpuShare<T>
{
public:
    RedBlackShare(const PoissonProblem &whole, const Slab &slab, const CpuDevice &cpu)
        : OwnColours<T>{RedBlackGrid<T>(whole, slab, cpu)}
        , CpuShare<T>(slab, this->m_grid.colour(1), this->m_grid.colour(0))
    {
    }

    void turn() override
    {
        m_colour = 1 - m_colour;
        CpuShare<T>::turn();
    }

    /// Between updates.
    RedBlackGrid<T> &grid() { return this->m_grid; }
    void setRelaxation(T w) { m_relaxation = w; }

protected:
    void updateLayers(std::ptrdiff_t begin, std::ptrdiff_t end, bool) override
    {
        const auto rows = static_cast<std::ptrdiff_t>(this->m_grid.rowsOfLayer());
        const auto points = static_cast<std::ptrdiff_t>(this->m_grid.unknowns()[0]);
        constexpr std::ptrdiff_t fewest = 4096; // unknowns that are worth a thread
        const int threads = static_cast<int>(std::clamp<std::ptrdiff_t>(
            (end - begin) * rows * points / fewest, 1, this->m_grid.cpu().threads));
#pragma omp parallel num_threads(threads)
        {
            const FlushDenormals flush;
#pragma omp for collapse(2) schedule(static)
            for (auto layer = begin; layer < end; ++layer) {
                for (std::ptrdiff_t row = 0; row < rows; ++row)
                    this->m_grid.relax(layer, row, row + 1, m_colour, m_relaxation);
            }
        }
    }

    PaddedGrid<T> &next() override
    {
        return this->m_grid.colour(m_colour);
    }

private:
    std::size_t m_colour = 0;
    T m_relaxation = 1;
};

/// Shares `One`, which have grids, and how they go on together.
template <typename T, typename One>
class RedBlackTeam : public SorSweeper<T>
{
public:
    template <typename... Options>
    RedBlackTeam(const PoissonProblem &problem, const ExecutionContext &context,
                 const Options &...options)
        : m_portion(iterationsAtOnce(problem))
        , m_rows(problem.unknowns[1] * problem.unknowns[2])
        , m_rowsOfLayer(problem.dimension == 3 ? problem.unknowns[1] : 1)
        , m_shares(problem, 1, context, options...)
    {
    }

    const RankSlabs *ranks() const override { return m_shares.ranks(); }

    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        const auto together = begin();
        const auto portion = (m_portion + together - 1) / together * together;
        std::uint64_t done = 0;
        while (done < iterations && !stop.stop_requested()) {
            const auto now = std::min(portion, iterations - done);
            iterate(now, w);
            done += now;
        }
        return done;
    }

    void setValues(std::span<const double> values) override
    {
        m_shares.forEach([&](auto &share) { share.grid().setValues(values); });
    }

    void copyValues(std::span<T> values) const override
    {
        const auto *all = m_shares.ranks();
        const auto first = all != nullptr ? all->here().begin : 0;
        m_shares.forEach([&](auto &share) { share.grid().copyValues(values, first); });
    }

    void setScaledSource(std::span<const double> scaled) override
    {
        m_shares.forEach([&](auto &share) { share.grid().setScaledSource(scaled); });
    }

    void setSides(const std::array<SideCondition, 6> &sides) override
    {
        m_shares.forEach([&](auto &share) { share.grid().setSides(sides); });
    }

    std::vector<ShareTimes> takeShareTimes() override { return m_shares.takeTimes(); }

    double scaledResidualNorm() const override
    {
        m_shares.forEach([&](auto &share) { share.grid().squaredResiduals(m_rows); });
        m_shares.gather(std::span(m_rows), m_rowsOfLayer);
        return normOfRows(m_rows);
    }

protected:
    /// Before some iterations; returns how many of them go best together.
    virtual std::uint64_t begin() { return 1; }
    virtual void iterate(std::uint64_t iterations, T w) = 0;
    CpuShares<One> &shares() { return m_shares; }

private:
    std::uint64_t m_portion;
    mutable std::vector<double> m_rows; ///< squared residuals
    std::size_t m_rowsOfLayer;
    mutable CpuShares<One> m_shares;
};

template <typename T>
class HalfSweepTeam final : public RedBlackTeam<T, RedBlackShare<T>>
{
public:
    using RedBlackTeam<T, RedBlackShare<T>>::RedBlackTeam;

protected:
    void iterate(std::uint64_t iterations, T w) override
    {
        for (const auto &share : this->shares().all())
            share->setRelaxation(w);
        this->shares().update(2 * iterations, false);
    }
};

template <typename T>
class PassTeam final : public RedBlackTeam<T, RedBlackPassShare<T>>
{
public:
    PassTeam(const PoissonProblem &problem, const ExecutionContext &context, std::size_t depth,
             std::size_t requestedPass)
        : RedBlackTeam<T, RedBlackPassShare<T>>(problem, context, depth, requestedPass)
        , m_depth(depth)
    {
    }

protected:
    /// As few in a pass as the cache of one of them has room for.
    std::uint64_t begin() override
    {
        m_pass = m_depth;
        for (const auto &share : this->shares().all())
            m_pass = std::min(m_pass, share->iterationsPerPass());
        m_pass = m_depth - this->shares().largest(m_depth - m_pass);
        return m_pass;
    }

    void iterate(std::uint64_t iterations, T w) override
    {
        this->shares().advance([&](RedBlackPassShare<T> &share) {
            for (std::uint64_t done = 0; done < iterations; done += m_pass)
                share.pass(std::min<std::size_t>(m_pass, iterations - done), w);
        });
    }

private:
    std::size_t m_depth;
    std::size_t m_pass = 1;
};

/// Iterations of the deepest passes that the slabs have room for; 0: none. Those that nobody has
/// asked for compute little twice.
std::size_t depthFor(const PoissonProblem &problem, std::size_t requestedPass,
                     const ExecutionContext &context)
{
    std::vector<double> threads;
    if (context.ranks()) {
        threads = context.ranks()->numbersOfAll(context.cpu().threads);
    } else {
        for (const auto &cpu : cpusOf(context.team()))
            threads.push_back(cpu.threads);
    }
    constexpr std::size_t layersOfPass = 64; // for each iteration, of which 4 are computed twice
    const auto slabs = divided(wholeSlab(problem).of, 1, threads);
    const auto smallest = std::ranges::min(slabs, {}, &Slab::size).size();
    return requestedPass > 0
               ? std::min(requestedPass, smallest / 2)
               : std::min(RedBlackPasses<double>::mostIterations, smallest / layersOfPass);
}

} // namespace

template <typename T>
std::unique_ptr<SorSweeper<T>> makeRedBlackTeam(const PoissonProblem &problem,
                                                std::size_t requestedPass,
                                                const ExecutionContext &context)
{
    if (const auto depth = depthFor(problem, requestedPass, context); depth > 0)
        return std::make_unique<PassTeam<T>>(problem, context, depth, requestedPass);
    return std::make_unique<HalfSweepTeam<T>>(problem, context);
}

template std::unique_ptr<SorSweeper<float>> makeRedBlackTeam(const PoissonProblem &, std::size_t,
                                                             const ExecutionContext &);
template std::unique_ptr<SorSweeper<double>> makeRedBlackTeam(const PoissonProblem &, std::size_t,
                                                              const ExecutionContext &);

} // namespace gridhelm::solvers
