// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/jacobi/cpu_shares.h"

#include "core/solvers/jacobi/jacobi_state.h"
#include "core/solvers/jacobi/temporal_update.h"
#include "core/solvers/jacobi/tuned_update.h"
#include "core/solvers/padded_residual.h"
#include "core/solvers/poisson/cpu_shares.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace gridhelm::solvers::jacobi {
namespace {

/// Before CpuShare, which keeps pointers to its values.
template <typename T>
struct OwnState
{
    JacobiState<T> m_state;
};

/// With a depth above 1 the state has the halos' rows as rows of its own. A pass goes through all
/// rows at once: edges on their own would make more rows twice than waiting costs.
template <typename T>
class JacobiShare final : private OwnState<T>, public CpuShare<T>
{
public:
    JacobiShare(const PoissonProblem &whole, const Slab &slab, const CpuDevice &cpu, int depth)
        : OwnState<T>{JacobiState<T>(
            whole, depth > 1 ? widened(slab, static_cast<std::size_t>(depth)) : slab, cpu)}
        , CpuShare<T>(slab, this->m_state.present, this->m_state.next,
                      static_cast<std::ptrdiff_t>(slab.begin - this->m_state.slab.begin), depth)
        , m_update(this->m_state)
        , m_depth(depth)
    {
        if (depth > 1)
            m_pass.emplace(this->m_state, depth);
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
        // A halo may reach as far as a side, with ghosts that follow what has arrived.
        auto &state = this->m_state;
        if (!m_pass || !state.hasNeumannSide())
            return;
        for (std::ptrdiff_t row : {std::ptrdiff_t{0}, state.points(1) - 1})
            setGhostsBeside(state.present, row, 0, state.problem.sides, state.problem.spacing);
    }

    void updateEdges(bool examines) override
    {
        m_largestChange = 0;
        if (!m_pass)
            CpuShare<T>::updateEdges(examines);
        else
            updateLayers(this->firstLayer(), this->endOfLayers(), examines);
    }

    void updateInterior(bool examines) override
    {
        if (!m_pass)
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
    bool is3D() const { return this->m_state.problem.dimension == 3; }
    std::size_t rowsOfLayer() const { return is3D() ? this->m_state.problem.unknowns[1] : 1; }

    TunedUpdate<T> m_update;
    std::optional<TemporalUpdate<T>> m_pass; ///< of several iterations; none: tuned
    int m_depth;
    T m_largestChange = 0;
};

template <typename T>
class JacobiShares final : public Shares<T>
{
public:
    JacobiShares(const PoissonProblem &problem, const ExecutionContext &context, int depth)
        : m_depth(static_cast<std::uint64_t>(depth))
        , m_portion((iterationsAtOnce(problem) + m_depth - 1) / m_depth * m_depth)
        , m_rows(problem.unknowns[1] * problem.unknowns[2])
        , m_rowsOfLayer(problem.dimension == 3 ? problem.unknowns[1] : 1)
        , m_shares(problem, static_cast<std::size_t>(depth), context, depth)
    {
    }

    std::uint64_t portion() const override { return m_portion; }

    double iterate(std::uint64_t iterations, bool compares) override
    {
        const auto rest = iterations % m_depth;
        update(iterations / m_depth, m_depth, compares && rest == 0);
        if (rest > 0)
            update(1, rest, compares);
        if (!compares)
            return StepReport::none;
        T largest = 0;
        for (const auto &share : m_shares.all())
            largest = std::max(largest, share->largestChange());
        return static_cast<double>(m_shares.largest(largest));
    }

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
    std::uint64_t m_portion;
    std::vector<double> m_rows; ///< squared residuals
    std::size_t m_rowsOfLayer;
    CpuShares<JacobiShare<T>> m_shares;
};

} // namespace

template <typename T>
std::unique_ptr<Shares<T>> makeCpuShares(const PoissonProblem &problem,
                                         const ExecutionContext &context, int depth)
{
    return std::make_unique<JacobiShares<T>>(problem, context, depth);
}

template std::unique_ptr<Shares<float>> makeCpuShares(const PoissonProblem &,
                                                      const ExecutionContext &, int);
template std::unique_ptr<Shares<double>> makeCpuShares(const PoissonProblem &,
                                                       const ExecutionContext &, int);

} // namespace gridhelm::solvers::jacobi
