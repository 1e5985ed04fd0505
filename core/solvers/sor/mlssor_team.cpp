// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/sor/mlssor_team.h"

#include "core/solvers/arrivals.h"
#include "core/solvers/padded_residual.h"
#include "core/solvers/poisson/cpu_shares.h"
#include "core/solvers/poisson/share_clock.h"
#include "core/solvers/sor/mlssor_tiles.h"
#include "core/solvers/sor/owed_sweeps.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::solvers {
namespace {

/// A slab [a, b). Forward, its tiles 1 of the last row of sub-domains reach to b + K - 1, where
/// they need what the next share's tiles 0 have left there; afterwards that share needs what they
/// have made of it. Backward the same with the share before, down to a - K + 1. So in each sweep a
/// share sends to one neighbour after its tiles 0 and to the other one after its tiles 1, and gets
/// as much from both. Rows that are sent are none that the other's tiles read or write until it has
/// waited for them: there, tiles 1 keep M - K >= K rows away.
template <typename T>
class MlssorShare final : public MlssorTiles<T>
{
public:
    MlssorShare(const PoissonProblem &whole, const Slab &slab, const CpuDevice &cpu,
                const MlssorShape &shape, SweepDirection direction)
        : MlssorTiles<T>(whole, shape, direction, cpu, slab)
        , m_slab(slab)
        , m_cpu(cpu)
    {
    }

    /// With the share whose slab comes next.
    static void connect(MlssorShare &lower, MlssorShare &upper)
    {
        lower.m_upper.share = &upper;
        upper.m_lower.share = &lower;
    }
    /// With the shares of the ranks before and after this one.
    void connect(Ranks &ranks)
    {
        if (m_slab.hasLower())
            m_lower.connect(ranks, ranks.number() - 1);
        if (m_slab.hasUpper())
            m_upper.connect(ranks, ranks.number() + 1);
    }

    /// Whole sweeps of K layers, all shares at the same time.
    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &) override
    {
        for (std::uint64_t done = 0; done < iterations;
             done += static_cast<std::uint64_t>(this->layers()))
            sweepOnce(w);
        return iterations;
    }

    /// All of these are given, or fill in their part of, the whole grid's.
    void setValues(std::span<const double> whole) override
    {
        PaddedSweeper<T>::setValues(partOf(whole));
    }
    void setScaledSource(std::span<const double> whole) override
    {
        PaddedSweeper<T>::setScaledSource(partOf(whole));
    }
    void copyValues(std::span<T> whole) const override { copyValues(whole, 0); }
    /// Of the rows from `first` on.
    void copyValues(std::span<T> values, std::size_t first) const
    {
        const auto width = this->values().points()[0];
        for (auto j = m_slab.begin; j < m_slab.end; ++j)
            std::copy_n(this->values().row(static_cast<std::ptrdiff_t>(j - this->window().begin)),
                        width, values.begin() + static_cast<std::ptrdiff_t>((j - first) * width));
    }
    /// As CpuShare::takeTimes().
    ShareTimes takeTimes(double seconds) { return m_clock.take(seconds); }

    void squaredResiduals(std::span<double> whole) const
    {
        squaredResidualsOfRows(this->values(), this->scaledSource(), m_cpu,
                               whole.subspan(m_slab.begin, m_slab.size()),
                               m_slab.begin - this->window().begin);
    }

private:
    /// The share on one side, of this process or of another rank; or none.
    struct Neighbour
    {
        MlssorShare *share = nullptr;
        Arrivals arrivals; ///< from that share, one in each sweep
        Ranks *ranks = nullptr;
        int rank = 0;

        void connect(Ranks &all, int neighbour)
        {
            ranks = &all;
            rank = neighbour;
        }
        /// Until what has been sent to another rank is there.
        void settle() const
        {
            if (ranks != nullptr)
                ranks->await(rank);
        }
    };

    void sweepOnce(T w)
    {
        ++m_sweep;
        const auto K = this->layers();
        const auto begin = static_cast<std::ptrdiff_t>(m_slab.begin);
        const auto end = static_cast<std::ptrdiff_t>(m_slab.end);
        this->relaxTilesOf(0, w);
        if (this->isBackward()) {
            send({end - K, end}, m_upper);
            await({begin - K, begin}, m_lower);
            this->relaxTilesOf(1, w);
            send({begin - K + 1, begin + 1}, m_lower);
            await({end - K + 1, end + 1}, m_upper);
        } else {
            send({begin, begin + K}, m_lower);
            await({end, end + K}, m_upper);
            this->relaxTilesOf(1, w);
            send({end - 1, end + K - 1}, m_upper);
            await({begin - 1, begin + K - 1}, m_lower);
        }
        m_lower.settle();
        m_upper.settle();
        this->turn();
    }

    /// With the ghosts at their ends, and, of a last slab of fewer rows, the ghost row behind them.
    void send(const IndexRange &rows, Neighbour &neighbour)
    {
        if (auto *to = neighbour.share) {
            m_clock.sending([&] {
                for (auto j = rows.begin; j < endOf(rows); ++j)
                    std::copy_n(this->rowOfGrid(j) - 1, this->values().points()[0] + 2,
                                to->rowOfGrid(j) - 1);
                (&neighbour == &m_upper ? to->m_lower : to->m_upper).arrivals.announce(m_sweep);
            });
        } else if (neighbour.ranks != nullptr) {
            neighbour.ranks->send(neighbour.rank,
                                  bytesOf(this->rowOfGrid(rows.begin) - 1, countOf(rows)));
        }
    }

    /// These rows, which the neighbour sends.
    void await(const IndexRange &rows, Neighbour &neighbour)
    {
        if (neighbour.share != nullptr)
            m_clock.waiting([&] { neighbour.arrivals.await(m_sweep); });
        if (neighbour.ranks == nullptr)
            return;
        neighbour.settle(); // some of these rows may still be on their way there
        neighbour.ranks->receive(neighbour.rank,
                                 writableBytesOf(this->rowOfGrid(rows.begin) - 1, countOf(rows)));
        m_clock.waiting([&] { neighbour.settle(); });
    }

    std::ptrdiff_t endOf(const IndexRange &rows) const
    {
        const auto all = static_cast<std::ptrdiff_t>(m_slab.of);
        return rows.end > all - 1 ? all + 1 : rows.end;
    }
    /// Values from the ghost before the first row to that behind the last one.
    std::size_t countOf(const IndexRange &rows) const
    {
        const auto between = (endOf(rows) - rows.begin - 1) * this->values().rowStride();
        return static_cast<std::size_t>(between) + this->values().points()[0] + 2;
    }

    std::span<const double> partOf(std::span<const double> whole) const
    {
        const auto width = this->values().points()[0];
        return whole.subspan(this->window().begin * width, this->window().size() * width);
    }

    Slab m_slab;
    CpuDevice m_cpu;
    std::uint64_t m_sweep = 0;
    Neighbour m_lower, m_upper;
    ShareClock m_clock;
};

template <typename T>
class MlssorTeam final : public SorSweeper<T>
{
public:
    MlssorTeam(const PoissonProblem &problem, const MlssorShape &shape, SweepDirection direction,
               const ExecutionContext &context)
        : m_owed(shape.layers)
        , m_portion(std::max<std::uint64_t>(iterationsAtOnce(problem) / shape.layers, 1)
                    * shape.layers)
        , m_rows(problem.unknowns[1])
        , m_shares(problem, shape.width, context, shape, direction)
    {
    }

    const RankSlabs *ranks() const override { return m_shares.ranks(); }

    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        return m_owed(iterations, stop, [&](std::uint64_t most) {
            const auto now = std::min(m_portion, most);
            m_shares.advance([&](auto &share) { share.sweep(now, w, stop); });
            return now;
        });
    }

    void setValues(std::span<const double> values) override
    {
        m_shares.forEach([&](auto &share) { share.setValues(values); });
    }
    void copyValues(std::span<T> values) const override
    {
        const auto *all = m_shares.ranks();
        const auto first = all != nullptr ? all->here().begin : 0;
        m_shares.forEach([&](auto &share) { share.copyValues(values, first); });
    }
    void setScaledSource(std::span<const double> scaled) override
    {
        m_shares.forEach([&](auto &share) { share.setScaledSource(scaled); });
    }
    void setSides(const std::array<SideCondition, 6> &sides) override
    {
        m_shares.forEach([&](auto &share) { share.setSides(sides); });
    }
    std::vector<ShareTimes> takeShareTimes() override { return m_shares.takeTimes(); }

    double scaledResidualNorm() const override
    {
        m_shares.forEach([&](auto &share) { share.squaredResiduals(m_rows); });
        m_shares.gather(std::span(m_rows), 1);
        return normOfRows(m_rows);
    }

private:
    OwedSweeps m_owed;
    std::uint64_t m_portion;            ///< iterations: how long a stop may wait
    mutable std::vector<double> m_rows; ///< squared residuals
    mutable CpuShares<MlssorShare<T>> m_shares;
};

} // namespace

template <typename T>
std::unique_ptr<SorSweeper<T>> makeMlssorTeam(const PoissonProblem &problem,
                                              const MlssorShape &shape, SweepDirection direction,
                                              const ExecutionContext &context)
{
    return std::make_unique<MlssorTeam<T>>(problem, shape, direction, context);
}

template std::unique_ptr<SorSweeper<float>> makeMlssorTeam(const PoissonProblem &,
                                                           const MlssorShape &, SweepDirection,
                                                           const ExecutionContext &);
template std::unique_ptr<SorSweeper<double>> makeMlssorTeam(const PoissonProblem &,
                                                            const MlssorShape &, SweepDirection,
                                                            const ExecutionContext &);

} // namespace gridhelm::solvers
