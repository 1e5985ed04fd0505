// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/reference_pmm.h"

#include "core/solvers/pmm/local_update.h"
#include "core/solvers/pmm/source_times.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace gridhelm::solvers {

namespace {

template <typename T>
class SubSweep
{
public:
    /// Along `normal`, forwards (1) or backwards (-1).
    SubSweep(const PmmProblem &problem, bool anisotropic, std::size_t normal, int sense,
             std::vector<T> &times)
        : m_problem(problem)
        , m_anisotropic(anisotropic)
        , m_axes{normal == 0 ? 1u : 0u, normal == 2 ? 1u : 2u, normal}
        , m_sense(sense)
        , m_times(times)
    {
        const auto &a = problem.direction;
        m_direction = {static_cast<T>(a[m_axes[0]]), static_cast<T>(a[m_axes[1]]),
                       static_cast<T>(sense * a[m_axes[2]])};
    }

    T run()
    {
        T largestChange = 0;
        const auto planes = m_problem.nodes[m_axes[2]];
        for (std::size_t step = 1; step < planes; ++step) {
            const auto plane = m_sense > 0 ? step : planes - 1 - step;
            for (std::size_t v = 0; v < m_problem.nodes[m_axes[1]]; ++v) {
                for (std::size_t u = 0; u < m_problem.nodes[m_axes[0]]; ++u)
                    largestChange = std::max(largestChange, update(u, v, plane));
            }
        }
        return largestChange;
    }

private:
    std::size_t node(std::size_t u, std::size_t v, std::size_t n) const
    {
        std::array<std::size_t, 3> index{};
        index[m_axes[0]] = u;
        index[m_axes[1]] = v;
        index[m_axes[2]] = n;
        return m_problem.nodeIndex(index[0], index[1], index[2]);
    }

    T update(std::size_t u, std::size_t v, std::size_t n)
    {
        const auto here = node(u, v, n);
        const auto below = previousPlane(u, v, m_sense > 0 ? n - 1 : n + 1);
        const T spacing = static_cast<T>(m_problem.spacing);
        const T speed = static_cast<T>(m_problem.speedAt(here));
        const T advection = static_cast<T>(m_problem.advectionAt(here));
        const T candidate = m_anisotropic
                                ? LocalUpdate<T>(spacing, {speed, advection, m_direction})(below)
                                : IsotropicLocalUpdate<T>(spacing, speed)(below);
        if (!(candidate < m_times[here]))
            return 0;
        const T change = m_times[here] - candidate;
        m_times[here] = candidate;
        return change;
    }

    /// Nodes beyond the grid count as not reached.
    PlaneTimes<T> previousPlane(std::size_t u, std::size_t v, std::size_t n) const
    {
        PlaneTimes<T> result;
        for (std::size_t j = 0; j < 3; ++j) {
            for (std::size_t i = 0; i < 3; ++i) {
                const bool inside = u + i >= 1 && u + i <= m_problem.nodes[m_axes[0]] && v + j >= 1
                                    && v + j <= m_problem.nodes[m_axes[1]];
                result[j][i] = inside ? m_times[node(u + i - 1, v + j - 1, n)]
                                      : std::numeric_limits<T>::infinity();
            }
        }
        return result;
    }

    const PmmProblem &m_problem;
    bool m_anisotropic;
    std::array<std::size_t, 3> m_axes; ///< u, v, n
    int m_sense;
    std::vector<T> &m_times;
    Vector3<T> m_direction;
};

} // namespace

template <typename T>
std::vector<T> initialTimes(const PmmProblem &problem)
{
    std::vector<T> times(problem.count(), std::numeric_limits<T>::infinity());
    for (const auto &source : sourceTimes(problem))
        times[source.node] = std::min(times[source.node], static_cast<T>(source.time));
    return times;
}

template <typename T>
T referenceSweep(const PmmProblem &problem, std::vector<T> &times)
{
    const bool anisotropic = isAnisotropic(problem);
    T largestChange = 0;
    for (std::size_t normal : {2u, 1u, 0u}) {
        for (int sense : {1, -1}) {
            SubSweep<T> subSweep(problem, anisotropic, normal, sense, times);
            largestChange = std::max(largestChange, subSweep.run());
        }
    }
    return largestChange;
}

template std::vector<float> initialTimes<float>(const PmmProblem &);
template std::vector<double> initialTimes<double>(const PmmProblem &);
template float referenceSweep<float>(const PmmProblem &, std::vector<float> &);
template double referenceSweep<double>(const PmmProblem &, std::vector<double> &);

} // namespace gridhelm::solvers
