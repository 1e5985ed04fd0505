// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/jacobi/cpu_shares.h"

#include "core/solvers/jacobi/async_launch.h"
#include "core/solvers/jacobi/jacobi_state.h"
#include "core/solvers/jacobi/temporal_update.h"
#include "core/solvers/jacobi/tuned_update.h"
#include "core/solvers/padded_residual.h"
#include "core/solvers/poisson/cpu_shares.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace gridhelm::solvers::jacobi {
namespace {

/// What shares do in one update: so many iterations, exact ones or a launch of asynchronous tiles.
struct Updates
{
    int depth = 1;
    std::optional<AsyncVariant> async = {};
    AsyncOptions options = {};

    /// Rows of halos.
    int halo() const { return async ? 1 : depth; }
};

/// Before CpuShare, which keeps pointers to its values.
template <typename T>
struct OwnState
{
    JacobiState<T> m_state;
};

/// With halos of several rows the state has them as rows of its own. Several iterations go through
/// all rows at once: edges on their own would make more rows twice than waiting costs, and tiles
/// should hear of each other.
template <typename T>
class JacobiShare final : private OwnState<T>, public CpuShare<T>
{
public:
    JacobiShare(const PoissonProblem &whole, const Slab &slab, const CpuDevice &cpu,
                const Updates &updates)
        : OwnState<T>{JacobiState<T>(whole, rowsHere(slab, updates), cpu)}
        , CpuShare<T>(slab, this->m_state.present, this->m_state.next,
                      static_cast<std::ptrdiff_t>(slab.begin - this->m_state.slab.begin),
                      updates.halo())
        , m_update(this->m_state)
        , m_depth(updates.depth)
    {
        if (updates.async)
            m_launch.emplace(this->m_state, *updates.async, updates.options);
        else if (updates.depth > 1)
            m_pass.emplace(this->m_state, updates.depth);
    }

    /// Iterations of the updates from here on, at most those it was made for.
    void setDepth(int depth) { m_depth = depth; }

    void turn() override
    {
        this->m_state.swap();
        CpuShare<T>::turn();
    }

    /// Of the last iteration that examined.
    T largestChange() const { return m_largestChange; }

    /// Squared residuals of the grid's rows: this fills in the slab's.
    void squaredResiduals(std::span<double> whole) const
    {
        const auto &state = this->m_state;
        const auto rows = rowsOfLayer();
        squaredResidualsOfRows(state.present, state.source, state.cpu,
                               whole.subspan(this->slab().begin * rows, this->slab().size() * rows),
                               static_cast<std::size_t>(this->firstLayer()) * rows);
    }
    /// Without padding, of the layers from `first` on: this fills in the slab's.
    void copyValues(std::span<T> values, std::size_t first) const
    {
        const auto &present = this->m_state.present;
        const auto width = present.points()[0];
        const auto before = (this->slab().begin - first) * rowsOfLayer() * width;
        auto to = values.begin() + static_cast<std::ptrdiff_t>(before);
        for (auto layer = this->firstLayer(); layer < this->endOfLayers(); ++layer) {
            for (std::ptrdiff_t j = 0; j < static_cast<std::ptrdiff_t>(rowsOfLayer()); ++j)
                to = std::copy_n(is3D() ? present.row(j, layer) : present.row(layer), width, to);
        }
    }
    void setParameters(const PoissonProblem &whole) { this->m_state.setParameters(whole); }

protected:
    void awaitEdges() override
    {
        CpuShare<T>::awaitEdges();
        // Ghosts beside a halo follow what has arrived.
        auto &state = this->m_state;
        if (!m_pass || !state.hasNeumannSide())
            return;
        const auto setGhosts = [&state](std::ptrdiff_t row) {
            setGhostsBeside(state.present, row, 0, state.problem.sides, state.problem.spacing);
        };
        for (std::ptrdiff_t row = 0; row < this->firstLayer(); ++row)
            setGhosts(row);
        for (std::ptrdiff_t row = this->endOfLayers(); row < state.points(1); ++row)
            setGhosts(row);
    }

    void updateEdges(bool examines) override
    {
        m_largestChange = 0;
        if (m_launch)
            (*m_launch)(this->m_state, m_depth - 1);
        else if (m_pass)
            updateLayers(this->firstLayer(), this->endOfLayers(), examines);
        else
            CpuShare<T>::updateEdges(examines);
    }

    void updateInterior(bool examines) override
    {
        if (!m_launch && !m_pass)
            CpuShare<T>::updateInterior(examines);
    }

    void updateLayers(std::ptrdiff_t begin, std::ptrdiff_t end, bool examines) override
    {
        auto &state = this->m_state;
        const T largest = m_depth > 1 ? (*m_pass)(state, {begin, end}, m_depth, examines)
                                      : m_update(state, {begin, end}, examines);
        m_largestChange = std::max(m_largestChange, largest);
    }

    PaddedGrid<T> &next() override { return this->m_state.next; }

private:
    static Slab rowsHere(const Slab &slab, const Updates &updates)
    {
        const auto halo = static_cast<std::size_t>(updates.halo());
        return halo > 1 ? widened(slab, halo) : slab;
    }
    bool is3D() const { return this->m_state.problem.dimension == 3; }
    std::size_t rowsOfLayer() const { return is3D() ? this->m_state.problem.unknowns[1] : 1; }

    TunedUpdate<T> m_update;
    std::optional<TemporalUpdate<T>> m_pass; ///< of several exact iterations
    std::optional<AsyncLaunch<T>> m_launch;  ///< of asynchronous ones; neither: tuned
    int m_depth;
    T m_largestChange = 0;
};

template <typename T>
class JacobiShares final : public Shares<T>
{
public:
    JacobiShares(const PoissonProblem &problem, const CpuSlabs &slabs, const Updates &updates)
        : m_depth(static_cast<std::uint64_t>(updates.depth))
        , m_knowsChange(!updates.async)
        , m_portion((iterationsAtOnce(problem) + m_depth - 1) / m_depth * m_depth)
        , m_rows(problem.unknowns[1] * problem.unknowns[2])
        , m_rowsOfLayer(problem.dimension == 3 ? problem.unknowns[1] : 1)
        , m_shares(problem, slabs, updates)
    {
    }

    /// To shares of another kind of device before the first one, or behind the last one.
    void connect(std::shared_ptr<Messages> messages, int party)
    {
        m_messages = std::move(messages);
        const auto &shares = m_shares.all();
        if (shares.front()->slab().hasLower())
            shares.front()->connectLower(*m_messages, party);
        if (shares.back()->slab().hasUpper())
            shares.back()->connectUpper(*m_messages, party);
    }

    std::uint64_t portion() const override { return m_portion; }

    double iterate(std::uint64_t iterations, bool compares) override
    {
        const auto rest = iterations % m_depth;
        update(iterations / m_depth, m_depth, compares && rest == 0);
        if (rest > 0)
            update(1, rest, compares);
        if (!compares || !m_knowsChange)
            return StepReport::none;
        T largest = 0;
        for (const auto &share : m_shares.all())
            largest = std::max(largest, share->largestChange());
        return static_cast<double>(m_shares.largest(largest));
    }

    std::vector<ShareTimes> takeTimes() override { return m_shares.takeTimes(); }
    const RankSlabs *ranks() const override { return m_shares.ranks(); }

    double scaledResidual() override
    {
        m_shares.forEach([&](JacobiShare<T> &share) { share.squaredResiduals(m_rows); });
        m_shares.gather(std::span(m_rows), m_rowsOfLayer);
        return normOfRows(m_rows);
    }

    void copyValues(std::span<T> values) override
    {
        const auto *ranks = m_shares.ranks();
        const auto first = ranks != nullptr ? ranks->here().begin : 0;
        m_shares.forEach([&](JacobiShare<T> &share) { share.copyValues(values, first); });
    }

    void setParameters(const PoissonProblem &problem) override
    {
        m_shares.forEach([&](JacobiShare<T> &share) { share.setParameters(problem); });
    }

private:
    void update(std::uint64_t updates, std::uint64_t depth, bool lastExamines)
    {
        if (updates == 0)
            return;
        for (const auto &share : m_shares.all())
            share->setDepth(static_cast<int>(depth));
        m_shares.update(updates, lastExamines);
    }

    std::uint64_t m_depth; ///< iterations of an update
    bool m_knowsChange;
    std::uint64_t m_portion;
    std::vector<double> m_rows; ///< squared residuals
    std::size_t m_rowsOfLayer;
    std::shared_ptr<Messages> m_messages; ///< to others; null if these are all, or ranks
    CpuShares<JacobiShare<T>> m_shares;
};

} // namespace

template <typename T>
std::unique_ptr<Shares<T>> makeCpuShares(const PoissonProblem &problem,
                                         const ExecutionContext &context, int depth)
{
    const auto slabs = cpuSlabs(problem, static_cast<std::size_t>(depth), context);
    return std::make_unique<JacobiShares<T>>(problem, slabs, Updates{depth});
}

template <typename T>
std::unique_ptr<Shares<T>> makeCpuPart(const PoissonProblem &problem, const CpuSlab &slab,
                                       int depth, const std::shared_ptr<Messages> &messages,
                                       int party)
{
    auto shares = std::make_unique<JacobiShares<T>>(problem, CpuSlabs{{slab}, {}}, Updates{depth});
    if (messages)
        shares->connect(messages, party);
    return shares;
}

template <typename T>
std::unique_ptr<Shares<T>> makeAsyncCpuShares(const PoissonProblem &problem,
                                              const ExecutionContext &context, AsyncVariant variant,
                                              const AsyncOptions &options)
{
    const auto granule = AsyncLaunch<T>::tileRows(options, problem.unknowns[1]);
    return std::make_unique<JacobiShares<T>>(problem, cpuSlabs(problem, granule, context),
                                             Updates{options.alpha + 1, variant, options});
}

template std::unique_ptr<Shares<float>> makeCpuShares(const PoissonProblem &,
                                                      const ExecutionContext &, int);
template std::unique_ptr<Shares<double>> makeCpuShares(const PoissonProblem &,
                                                       const ExecutionContext &, int);
template std::unique_ptr<Shares<float>> makeCpuPart(const PoissonProblem &, const CpuSlab &, int,
                                                    const std::shared_ptr<Messages> &, int);
template std::unique_ptr<Shares<double>> makeCpuPart(const PoissonProblem &, const CpuSlab &, int,
                                                     const std::shared_ptr<Messages> &, int);
template std::unique_ptr<Shares<float>> makeAsyncCpuShares(const PoissonProblem &,
                                                           const ExecutionContext &, AsyncVariant,
                                                           const AsyncOptions &);
template std::unique_ptr<Shares<double>> makeAsyncCpuShares(const PoissonProblem &,
                                                            const ExecutionContext &, AsyncVariant,
                                                            const AsyncOptions &);

} // namespace gridhelm::solvers::jacobi
