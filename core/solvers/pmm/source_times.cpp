// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/source_times.h"

#include "core/solvers/pmm/local_update.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::solvers {

namespace {

/// Nodes of one axis whose distance to `centre` is at most `reach`: first, and one past the last.
struct NodeRange
{
    std::size_t first = 0;
    std::size_t end = 0;
};

NodeRange nodesWithin(const PmmProblem &problem, std::size_t axis, double centre, double reach)
{
    const double position = (centre - problem.origin[axis]) / problem.spacing;
    const double nodes = static_cast<double>(problem.nodes[axis]);
    // One more on either side: the caller decides by the exact distance.
    const double first = std::clamp(std::floor(position - reach / problem.spacing), 0.0, nodes);
    const double end = std::clamp(std::ceil(position + reach / problem.spacing) + 1, first, nodes);
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(end)};
}

/// A straight ray from `centre`, in the medium of the node where it ends.
class RaysFrom
{
public:
    RaysFrom(const PmmProblem &problem, const Position &centre, double startTime)
        : m_problem(problem)
        , m_centre(centre)
        , m_startTime(startTime)
    {
    }

    /// Adds the nodes within `radius`, and those less than a spacing away in every direction.
    void add(double radius, std::vector<SourceTime> &times) const
    {
        const double reach = std::max(radius, m_problem.spacing);
        const auto x = nodesWithin(m_problem, 0, m_centre[0], reach);
        const auto y = nodesWithin(m_problem, 1, m_centre[1], reach);
        const auto z = nodesWithin(m_problem, 2, m_centre[2], reach);
        for (auto k = z.first; k < z.end; ++k) {
            for (auto j = y.first; j < y.end; ++j) {
                for (auto i = x.first; i < x.end; ++i) {
                    if (reaches(m_problem.position(i, j, k), radius))
                        times.push_back(arrival(i, j, k));
                }
            }
        }
    }

private:
    Position ray(const Position &end) const
    {
        return {end[0] - m_centre[0], end[1] - m_centre[1], end[2] - m_centre[2]};
    }

    bool reaches(const Position &position, double radius) const
    {
        // Room for the round-off of positions: a node meant to be on the ball's surface is in it,
        // one meant to be a spacing away is not near.
        const double roundOff = 1e-9 * m_problem.spacing;
        const auto r = ray(position);
        const double farthest = std::max({std::abs(r[0]), std::abs(r[1]), std::abs(r[2])});
        return std::hypot(r[0], r[1], r[2]) <= radius + roundOff
               || farthest < m_problem.spacing - roundOff;
    }

    SourceTime arrival(std::size_t i, std::size_t j, std::size_t k) const
    {
        const auto node = m_problem.nodeIndex(i, j, k);
        const Medium<double> medium{m_problem.speedAt(node), m_problem.advectionAt(node),
                                    m_problem.direction};
        return {node, m_startTime + travelTime(ray(m_problem.position(i, j, k)), medium)};
    }

    const PmmProblem &m_problem;
    Position m_centre;
    double m_startTime;
};

/// Slope of the horizon along an axis: central differences, one-sided at the ends.
double slope(const PmmProblem &problem, const std::vector<double> &heights, std::size_t i,
             std::size_t j, std::size_t axis)
{
    const auto at = axis == 0 ? i : j;
    const auto low = at > 0 ? at - 1 : at;
    const auto high = at + 1 < problem.nodes[axis] ? at + 1 : at;
    if (low == high)
        return 0;
    const auto height = [&](std::size_t n) {
        return axis == 0 ? heights[j * problem.nodes[0] + n] : heights[n * problem.nodes[0] + i];
    };
    return (height(high) - height(low)) / (problem.spacing * static_cast<double>(high - low));
}

/// The front leaves the tangent plane along its normal n with the speed F + psi a . n.
void addColumn(const PmmProblem &problem, const std::vector<double> &heights, std::size_t i,
               std::size_t j, std::vector<SourceTime> &times)
{
    const double height = heights[j * problem.nodes[0] + i];
    const double sx = slope(problem, heights, i, j, 0);
    const double sy = slope(problem, heights, i, j, 1);
    const double length = std::hypot(sx, sy, 1.0);
    // So wide that the first free node of the column has all its neighbours of the previous plane
    // on its own side of the surface: across it, T has a kink.
    const double band = problem.spacing * (1 + std::abs(sx) + std::abs(sy));
    const auto z = nodesWithin(problem, 2, height, band);
    for (auto k = z.first; k < z.end; ++k) {
        const double above = problem.position(i, j, k)[2] - height;
        if (!(std::abs(above) < band * (1 - 1e-9)))
            continue;
        const auto node = problem.nodeIndex(i, j, k);
        const auto &a = problem.direction;
        const double upward = (-a[0] * sx - a[1] * sy + a[2]) / length;
        const double advection = problem.advectionAt(node) * (above < 0 ? -upward : upward);
        times.push_back({node, std::abs(above) / length / (problem.speedAt(node) + advection)});
    }
}

struct CollectTimes
{
    const PmmProblem &problem;

    std::vector<SourceTime> operator()(std::monostate) const { return {}; }
    std::vector<SourceTime> operator()(const PointSources &source) const
    {
        std::vector<SourceTime> times;
        for (const auto &point : source.points)
            RaysFrom(problem, point.position, point.time).add(0, times);
        return times;
    }
    std::vector<SourceTime> operator()(const BallSource &ball) const
    {
        std::vector<SourceTime> times;
        RaysFrom(problem, ball.centre, 0).add(ball.radius, times);
        return times;
    }
    std::vector<SourceTime> operator()(const HorizonSource &horizon) const
    {
        std::vector<SourceTime> times;
        for (std::size_t j = 0; j < problem.nodes[1]; ++j) {
            for (std::size_t i = 0; i < problem.nodes[0]; ++i)
                addColumn(problem, horizon.heights, i, j, times);
        }
        return times;
    }
    std::vector<SourceTime> operator()(const NodeSources &source) const
    {
        std::vector<SourceTime> times;
        for (const auto &node : source.nodes)
            times.push_back(
                {problem.nodeIndex(node.index[0], node.index[1], node.index[2]), node.time});
        return times;
    }
};

} // namespace

std::vector<SourceTime> sourceTimes(const PmmProblem &problem)
{
    return std::visit(CollectTimes{problem}, problem.source);
}

} // namespace gridhelm::solvers
