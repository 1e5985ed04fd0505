// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/upwind_times.h"

#include "core/solvers/pmm/source_times.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::bench {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// The sum over the earlier of a, b, c of (T - t)^2 = slowness^2, with as many as lie below T.
double upwind(double a, double b, double c, double slowness)
{
    if (a > b)
        std::swap(a, b);
    if (b > c)
        std::swap(b, c);
    if (a > b)
        std::swap(a, b);
    double time = a + slowness;
    if (time <= b)
        return time;
    double sum = a + b;
    time = (sum + std::sqrt(2 * slowness * slowness - (a - b) * (a - b))) / 2;
    if (time <= c)
        return time;
    sum += c;
    const double squares = a * a + b * b + c * c;
    return (sum + std::sqrt(sum * sum - 3 * (squares - slowness * slowness))) / 3;
}

class UpwindSweeps
{
public:
    UpwindSweeps(const solvers::PmmProblem &problem, std::vector<double> &times)
        : m_problem(problem)
        , m_times(times)
    {
    }

    /// Through all nodes, forwards or backwards along each axis; the largest relative change. Rows
    /// of the same j + k do not touch each other and go at the same time: the result is that of
    /// one after the other.
    double sweep(const std::array<bool, 3> &forwards)
    {
        const auto &n = m_problem.nodes;
        const auto at = [&](std::size_t axis, std::size_t step) {
            return forwards[axis] ? step : n[axis] - 1 - step;
        };
        double largest = 0;
        for (std::size_t front = 0; front + 1 < n[1] + n[2]; ++front) {
            const auto first = front < n[1] ? 0 : front - n[1] + 1;
            const auto end = std::min(front + 1, n[2]);
#pragma omp parallel for schedule(dynamic, 4) reduction(max : largest)
            for (std::size_t k = first; k < end; ++k) {
                for (std::size_t i = 0; i < n[0]; ++i)
                    largest = std::max(largest, update(at(0, i), at(1, front - k), at(2, k)));
            }
        }
        return largest;
    }

private:
    double earlier(std::size_t node, std::size_t index, std::size_t count, std::size_t stride) const
    {
        return std::min(index > 0 ? m_times[node - stride] : inf,
                        index + 1 < count ? m_times[node + stride] : inf);
    }

    double update(std::size_t i, std::size_t j, std::size_t k)
    {
        const auto &n = m_problem.nodes;
        const auto node = m_problem.nodeIndex(i, j, k);
        const double a = earlier(node, i, n[0], 1);
        const double b = earlier(node, j, n[1], n[0]);
        const double c = earlier(node, k, n[2], n[0] * n[1]);
        const double old = m_times[node];
        if (std::min({a, b, c}) >= old)
            return 0;
        const double time = upwind(a, b, c, m_problem.spacing / m_problem.speedAt(node));
        if (!(time < old))
            return 0;
        m_times[node] = time;
        return old == inf ? inf : (old - time) / old;
    }

    const solvers::PmmProblem &m_problem;
    std::vector<double> &m_times;
};

} // namespace

std::vector<double> upwindTimes(const solvers::PmmProblem &problem)
{
    std::vector<double> times(problem.count(), inf);
    for (const auto &source : solvers::sourceTimes(problem))
        times[source.node] = std::min(times[source.node], source.time);
    UpwindSweeps sweeps(problem, times);
    double change = inf;
    while (change > 1e-9) {
        change = 0;
        for (int direction = 0; direction < 8; ++direction)
            change = std::max(change, sweeps.sweep({(direction & 1) == 0, (direction & 2) == 0,
                                                    (direction & 4) == 0}));
    }
    return times;
}

} // namespace gridhelm::bench
