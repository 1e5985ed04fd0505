// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/jacobi/cpu_shares.h"

#include "core/execution/crew.h"
#include "core/solvers/jacobi/jacobi_state.h"
#include "core/solvers/jacobi/share.h"
#include "core/solvers/jacobi/tuned_update.h"
#include "core/solvers/padded_residual.h"
#include "core/solvers/poisson/team.h"
#include "core/support/error.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

namespace gridhelm::solvers::jacobi {
namespace {

/// Where one neighbour's edges arrive. Between them two shares keep each other at most one
/// iteration apart.
template <typename T>
struct Inbox
{
    /// The first row of the halo that has the values before iteration n, at n % 2.
    std::array<T *, 2> halos{};
    std::atomic<std::uint64_t> arrived{0}; ///< the latest n that has

    void await(std::uint64_t iteration) const
    {
        for (auto now = arrived.load(std::memory_order_acquire); now < iteration;
             now = arrived.load(std::memory_order_acquire))
            arrived.wait(now, std::memory_order_acquire);
    }
};

template <typename T>
class CpuShare final : public Share
{
public:
    CpuShare(const PoissonProblem &whole, const Slab &slab, const CpuDevice &cpu)
        : Share(slab)
        , m_state(whole, slab, cpu)
        , m_update(m_state)
        , m_last(static_cast<std::ptrdiff_t>(slab.size()) - 1)
    {
        // Values before iteration 0 are the present ones; the two grids take turns.
        m_fromLower.halos = {layer(m_state.present, -1), layer(m_state.next, -1)};
        m_fromUpper.halos = {layer(m_state.present, m_last + 1), layer(m_state.next, m_last + 1)};
    }

    /// With the share whose slab comes next.
    static void connect(CpuShare &lower, CpuShare &upper)
    {
        lower.m_toUpper = &upper.m_fromLower;
        upper.m_toLower = &lower.m_fromUpper;
    }

    void turn() override
    {
        m_state.swap();
        ++m_iteration;
    }

    /// Of the last iteration that examined.
    T largestChange() const { return m_largestChange; }

    const JacobiState<T> &state() const { return m_state; }
    void setParameters(const PoissonProblem &whole) { m_state.setParameters(whole); }

protected:
    void awaitEdges() override
    {
        if (m_toLower != nullptr)
            m_fromLower.await(m_iteration);
        if (m_toUpper != nullptr)
            m_fromUpper.await(m_iteration);
    }

    void updateEdges(bool examines) override
    {
        m_largestChange = 0;
        if (m_toLower != nullptr)
            updateLayers({0, 1}, examines);
        if (m_toUpper != nullptr && !(m_toLower != nullptr && m_last == 0))
            updateLayers({m_last, m_last + 1}, examines);
    }

    void sendEdges() override
    {
        send(m_toLower, 0);
        send(m_toUpper, m_last);
    }

    void updateInterior(bool examines) override
    {
        const Range interior{m_toLower != nullptr ? 1 : 0,
                             m_toUpper != nullptr ? m_last : m_last + 1};
        if (interior.begin < interior.end)
            updateLayers(interior, examines);
    }

private:
    T *layer(PaddedGrid<T> &grid, std::ptrdiff_t at) const
    {
        return m_state.problem.dimension == 3 ? grid.row(0, at) : grid.row(at);
    }

    void updateLayers(Range layers, bool examines)
    {
        m_largestChange = std::max(m_largestChange, m_update(m_state, layers, examines));
    }

    void send(Inbox<T> *to, std::ptrdiff_t edge)
    {
        if (to == nullptr)
            return;
        // Both grids have the same strides: they differ along the slabs' axis alone.
        const T *from = layer(m_state.next, edge);
        T *halo = to->halos[(m_iteration + 1) % 2];
        const auto rows = m_state.problem.dimension == 3 ? m_state.points(1) : 1;
        for (std::ptrdiff_t j = 0; j < rows; ++j) {
            const auto at = j * m_state.next.rowStride();
            std::copy_n(from + at, m_state.points(0), halo + at);
        }
        to->arrived.store(m_iteration + 1, std::memory_order_release);
        to->arrived.notify_one();
    }

    JacobiState<T> m_state;
    TunedUpdate<T> m_update;
    std::ptrdiff_t m_last; ///< row or plane
    std::uint64_t m_iteration = 0;
    T m_largestChange = 0;
    Inbox<T> m_fromLower, m_fromUpper;
    Inbox<T> *m_toLower = nullptr; ///< null: there is no neighbour
    Inbox<T> *m_toUpper = nullptr;
};

template <typename T>
class CpuShares final : public Shares<T>
{
public:
    CpuShares(const PoissonProblem &problem, const std::vector<Slab> &slabs,
              const std::vector<CpuDevice> &cpus)
        : m_layer(unknownsOfLayer(problem))
        , m_rowsOfLayer(problem.dimension == 3 ? problem.unknowns[1] : 1)
        , m_portion(1 + 10'000'000 / (problem.count() + 10'000))
        , m_rows(problem.unknowns[1] * problem.unknowns[2])
        , m_shares(slabs.size())
        , m_crew(slabs.size())
    {
        // By the threads that will use it, so that its memory is near them.
        m_crew.run([&](std::size_t i) {
            m_shares[i] = std::make_unique<CpuShare<T>>(problem, slabs[i], cpus[i]);
        });
        for (std::size_t i = 1; i < m_shares.size(); ++i)
            CpuShare<T>::connect(*m_shares[i - 1], *m_shares[i]);
    }

    std::uint64_t portion() const override { return m_portion; }

    double iterate(std::uint64_t iterations, bool compares) override
    {
        m_crew.run([&](std::size_t i) {
            for (std::uint64_t done = 0; done < iterations; ++done) {
                m_shares[i]->update(compares && done + 1 == iterations);
                m_shares[i]->turn();
            }
        });
        if (!compares)
            return StepReport::none;
        T largest = 0;
        for (const auto &share : m_shares)
            largest = std::max(largest, share->largestChange());
        return static_cast<double>(largest);
    }

    double scaledResidual() override
    {
        m_crew.run([&](std::size_t i) {
            const auto &state = m_shares[i]->state();
            const auto rows = std::span(m_rows).subspan(state.slab.begin * m_rowsOfLayer,
                                                        state.slab.size() * m_rowsOfLayer);
            squaredResidualsOfRows(state.present, state.source, state.cpu, rows);
        });
        return normOfRows(m_rows);
    }

    void copyValues(std::span<T> values) override
    {
        m_crew.run([&](std::size_t i) {
            const auto &state = m_shares[i]->state();
            state.present.copyTo(
                values.subspan(state.slab.begin * m_layer, state.slab.size() * m_layer));
        });
    }

    void setParameters(const PoissonProblem &problem) override
    {
        m_crew.run([&](std::size_t i) { m_shares[i]->setParameters(problem); });
    }

private:
    std::size_t m_layer;
    std::size_t m_rowsOfLayer;
    std::uint64_t m_portion;
    std::vector<double> m_rows; ///< squared residuals
    std::vector<std::unique_ptr<CpuShare<T>>> m_shares;
    Crew m_crew;
};

} // namespace

template <typename T>
std::unique_ptr<Shares<T>> makeCpuShares(const PoissonProblem &problem,
                                         const ExecutionContext &context)
{
    std::vector<CpuDevice> cpus;
    std::vector<double> threads;
    for (const auto &device : context.team()) {
        const auto *cpu = std::get_if<CpuDevice>(&device);
        if (cpu == nullptr)
            throw Error("the back end omp cannot compute on " + nameOf(device)
                        + "; choose the back end cuda, or --devices cpu/N");
        cpus.push_back(*cpu);
        threads.push_back(cpu->threads);
    }
    const auto slabs = dividedAmongTeam(problem, 1, threads, context);
    return std::make_unique<CpuShares<T>>(problem, slabs, cpus);
}

template std::unique_ptr<Shares<float>> makeCpuShares(const PoissonProblem &,
                                                      const ExecutionContext &);
template std::unique_ptr<Shares<double>> makeCpuShares(const PoissonProblem &,
                                                       const ExecutionContext &);

} // namespace gridhelm::solvers::jacobi
