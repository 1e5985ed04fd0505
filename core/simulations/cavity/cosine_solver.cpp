// SPDX-License-Identifier: GPL-3.0-or-later
//
// A cosine transform (DCT-II) along x (and z) turns Laplace(p) = f into one tridiagonal system
// along y for each wave number, with p'' replaced by its eigenvalue -4/h^2 sin^2(pi k / (2 n)).
// Rows of different x are solved side by side. Transforms along y too would cost more than these
// systems.
#include "core/simulations/cavity/pressure_solver.h"

#include "core/support/error.h"

#include <fftw3.h>

#include <cmath>
#include <mutex>
#include <new>
#include <numbers>
#include <vector>

namespace gridhelm::simulations {

namespace {

/// FFTW's planner is not thread-safe; executing plans is.
std::mutex &plannerMutex()
{
    static std::mutex mutex;
    return mutex;
}

struct FreeMemory
{
    void operator()(double *memory) const { fftw_free(memory); }
};

struct DestroyPlan
{
    void operator()(fftw_plan_s *plan) const
    {
        const std::lock_guard lock(plannerMutex());
        fftw_destroy_plan(plan);
    }
};

using Memory = std::unique_ptr<double[], FreeMemory>;
using Plan = std::unique_ptr<fftw_plan_s, DestroyPlan>;

class CosineSolver : public PressureSolver
{
public:
    CosineSolver(int dimension, std::size_t cells)
        : m_cells(cells)
        , m_planes(dimension == 3 ? cells : 1)
        , m_values(fftw_alloc_real(cells * cells * m_planes))
        , m_inversePivots(cells * cells * m_planes)
    {
        if (!m_values)
            throw std::bad_alloc();
        m_forward = makePlan(FFTW_REDFT10);
        m_backward = makePlan(FFTW_REDFT01);
        factorize();
    }

    std::span<double> values() override { return {m_values.get(), m_cells * m_cells * m_planes}; }

    void solve() override
    {
        fftw_execute(m_forward.get());
        for (std::size_t k = 0; k < m_planes; ++k)
            solvePlane(k);
        removeMean();
        fftw_execute(m_backward.get());
    }

private:
    /// FFTW_ESTIMATE does not measure: the same plan, hence the same bits, every time.
    Plan makePlan(fftw_r2r_kind kind)
    {
        const auto n = static_cast<int>(m_cells);
        const fftw_iodim x{n, 1, 1};
        const fftw_iodim y{n, n, n};
        const fftw_iodim z{static_cast<int>(m_planes), n * n, n * n};
        const std::array<fftw_iodim, 2> transformed{z, x};
        const std::array<fftw_r2r_kind, 2> kinds{kind, kind};
        const int rank = m_planes > 1 ? 2 : 1;
        const fftw_iodim *dimensions = m_planes > 1 ? transformed.data() : &x;
        const std::lock_guard lock(plannerMutex());
        Plan plan(fftw_plan_guru_r2r(rank, dimensions, 1, &y, m_values.get(), m_values.get(),
                                     kinds.data(), FFTW_ESTIMATE));
        if (!plan)
            throw Error("the cosine transform of " + std::to_string(n)
                        + " cells cannot be planned; choose another resolution");
        return plan;
    }

    /// Pivots of p[j-1] + (lambda - 2) p[j] + p[j+1], with -1 in place of -2 at the walls (for one
    /// cell: 0). Those of the constant mode end in 0: there p is free, and set to 0.
    void factorize()
    {
        const auto eigenvalue = [&](std::size_t k) {
            const double s = std::sin(std::numbers::pi * static_cast<double>(k)
                                      / (2 * static_cast<double>(m_cells)));
            return -4 * s * s;
        };
        for (std::size_t k = 0; k < m_planes; ++k) {
            for (std::size_t i = 0; i < m_cells; ++i) {
                const double lambda = eigenvalue(i) + eigenvalue(k);
                double above = 0;
                for (std::size_t j = 0; j < m_cells; ++j) {
                    const double walls = (j == 0) + (j + 1 == m_cells);
                    const bool isFree = i == 0 && k == 0 && j + 1 == m_cells;
                    above = isFree ? 0 : 1 / (lambda - 2 + walls - above);
                    m_inversePivots[(k * m_cells + j) * m_cells + i] = above;
                }
            }
        }
    }

    void solvePlane(std::size_t k)
    {
        const auto n = m_cells;
        const double h = 1 / static_cast<double>(n);
        // FFTW's transforms there and back multiply by 2 n each.
        const double scale =
            h * h / (2 * static_cast<double>(n)) / (m_planes > 1 ? 2 * static_cast<double>(n) : 1);
        double *values = m_values.get() + k * n * n;
        const double *pivots = m_inversePivots.data() + k * n * n;
        for (std::size_t i = 0; i < n; ++i)
            values[i] *= scale * pivots[i];
        for (std::size_t j = 1; j < n; ++j) {
            double *row = values + j * n;
            const double *previous = row - n;
            const double *pivot = pivots + j * n;
#pragma omp simd
            for (std::size_t i = 0; i < n; ++i)
                row[i] = (scale * row[i] - previous[i]) * pivot[i];
        }
        for (std::size_t j = n - 1; j-- > 0;) {
            double *row = values + j * n;
            const double *next = row + n;
            const double *pivot = pivots + j * n;
#pragma omp simd
            for (std::size_t i = 0; i < n; ++i)
                row[i] -= pivot[i] * next[i];
        }
    }

    /// The mean of p is that of the constant mode along y.
    void removeMean()
    {
        double sum = 0;
        for (std::size_t j = 0; j < m_cells; ++j)
            sum += m_values[j * m_cells];
        for (std::size_t j = 0; j < m_cells; ++j)
            m_values[j * m_cells] -= sum / static_cast<double>(m_cells);
    }

    std::size_t m_cells;
    std::size_t m_planes;
    Memory m_values;
    std::vector<double> m_inversePivots;
    Plan m_forward;
    Plan m_backward;
};

} // namespace

std::unique_ptr<PressureSolver> makeCosineSolver(int dimension, std::size_t cells)
{
    return std::make_unique<CosineSolver>(dimension, cells);
}

} // namespace gridhelm::simulations
