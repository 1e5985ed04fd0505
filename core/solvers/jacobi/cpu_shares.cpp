// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/jacobi/cpu_shares.h"

#include "core/solvers/jacobi/jacobi_state.h"
#include "core/solvers/jacobi/tuned_update.h"
#include "core/solvers/padded_residual.h"
#include "core/solvers/poisson/cpu_shares.h"

#include <algorithm>
#include <vector>

namespace gridhelm::solvers::jacobi {
namespace {

/// Before CpuShare, which keeps pointers to its values.
template <typename T>
struct OwnState
{
    JacobiState<T> m_state;
};

template <typename T>
class JacobiShare final : private OwnState<T>, public CpuShare<T>
{
public:
    JacobiShare(const PoissonProblem &whole, const Slab &slab, const CpuDevice &cpu)
        : OwnState<T>{JacobiState<T>(whole, slab, cpu)}
        , CpuShare<T>(slab, this->m_state.present, this->m_state.next)
        , m_update(this->m_state)
    {
    }

    void turn() override
    {
        this->m_state.swap();
        CpuShare<T>::turn();
    }

    /// Of the last iteration that examined.
    T largestChange() const { return m_largestChange; }

    const JacobiState<T> &state() const { return this->m_state; }
    void setParameters(const PoissonProblem &whole) { this->m_state.setParameters(whole); }

protected:
    void updateEdges(bool examines) override
    {
        m_largestChange = 0;
        CpuShare<T>::updateEdges(examines);
    }

    void updateLayers(std::ptrdiff_t begin, std::ptrdiff_t end, bool examines) override
    {
        m_largestChange =
            std::max(m_largestChange, m_update(this->m_state, {begin, end}, examines));
    }

    PaddedGrid<T> &next() override { return this->m_state.next; }

private:
    TunedUpdate<T> m_update;
    T m_largestChange = 0;
};

template <typename T>
class JacobiShares final : public Shares<T>
{
public:
    JacobiShares(const PoissonProblem &problem, const ExecutionContext &context)
        : m_layer(unknownsOfLayer(problem))
        , m_rowsOfLayer(problem.dimension == 3 ? problem.unknowns[1] : 1)
        , m_portion(iterationsAtOnce(problem))
        , m_rows(problem.unknowns[1] * problem.unknowns[2])
        , m_shares(problem, context)
    {
    }

    std::uint64_t portion() const override { return m_portion; }

    double iterate(std::uint64_t iterations, bool compares) override
    {
        m_shares.update(iterations, compares);
        if (!compares)
            return StepReport::none;
        T largest = 0;
        for (const auto &share : m_shares.all())
            largest = std::max(largest, share->largestChange());
        return static_cast<double>(largest);
    }

    double scaledResidual() override
    {
        m_shares.forEach([&](JacobiShare<T> &share) {
            const auto &state = share.state();
            const auto rows = std::span(m_rows).subspan(state.slab.begin * m_rowsOfLayer,
                                                        state.slab.size() * m_rowsOfLayer);
            squaredResidualsOfRows(state.present, state.source, state.cpu, rows);
        });
        return normOfRows(m_rows);
    }

    void copyValues(std::span<T> values) override
    {
        m_shares.forEach([&](JacobiShare<T> &share) {
            const auto &state = share.state();
            state.present.copyTo(
                values.subspan(state.slab.begin * m_layer, state.slab.size() * m_layer));
        });
    }

    void setParameters(const PoissonProblem &problem) override
    {
        m_shares.forEach([&](JacobiShare<T> &share) { share.setParameters(problem); });
    }

private:
    std::size_t m_layer;
    std::size_t m_rowsOfLayer;
    std::uint64_t m_portion;
    std::vector<double> m_rows; ///< squared residuals
    CpuShares<JacobiShare<T>> m_shares;
};

} // namespace

template <typename T>
std::unique_ptr<Shares<T>> makeCpuShares(const PoissonProblem &problem,
                                         const ExecutionContext &context)
{
    return std::make_unique<JacobiShares<T>>(problem, context);
}

template std::unique_ptr<Shares<float>> makeCpuShares(const PoissonProblem &,
                                                      const ExecutionContext &);
template std::unique_ptr<Shares<double>> makeCpuShares(const PoissonProblem &,
                                                       const ExecutionContext &);

} // namespace gridhelm::solvers::jacobi
