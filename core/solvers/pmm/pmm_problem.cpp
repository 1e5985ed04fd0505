// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/pmm_problem.h"

#include "core/solvers/pmm/source_times.h"
#include "core/support/axis_names.h"
#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace gridhelm::solvers {

namespace {

void requireFinite(double value, const std::string &what)
{
    if (!std::isfinite(value))
        throw Error(what + " is not a finite number; choose another value");
}

void requireFinite(const Position &position, const std::string &what)
{
    for (double component : position)
        requireFinite(component, what);
}

void requireFinite(const std::vector<double> &values, std::size_t wanted, const std::string &what)
{
    if (values.size() != wanted)
        throw Error(what + " has " + std::to_string(values.size()) + " values instead of "
                    + std::to_string(wanted) + "; give one for each");
    for (double value : values)
        requireFinite(value, what);
}

void requireFinite(const NodeValues &values, std::size_t count, const std::string &what)
{
    if (const double *same = std::get_if<double>(&values))
        requireFinite(*same, what);
    else
        requireFinite(std::get<std::vector<double>>(values), count, what);
}

void requireGuess(const std::vector<double> &guess, std::size_t count)
{
    if (guess.size() != count)
        throw Error("the initial guess has " + std::to_string(guess.size()) + " times instead of "
                    + std::to_string(count)
                    + "; give one for each node, infinity where there is none");
    for (double time : guess) {
        if (!(time > -std::numeric_limits<double>::infinity()))
            throw Error("a time of the initial guess is not a number or minus infinity; give "
                        "infinity where there is none");
    }
}

struct RequireSource
{
    const PmmProblem &problem;

    void operator()(std::monostate) const
    {
        throw Error("there is no source from which the front could start; give one");
    }
    void operator()(const PointSources &source) const
    {
        for (const auto &point : source.points) {
            requireFinite(point.position, "the position of a source point");
            requireFinite(point.time, "the time of a source point");
        }
    }
    void operator()(const BallSource &ball) const
    {
        requireFinite(ball.centre, "the centre of the source ball");
        requireFinite(ball.radius, "the radius of the source ball");
        if (ball.radius < 0)
            throw Error("the radius of the source ball is negative; choose 0 or more");
    }
    void operator()(const HorizonSource &horizon) const
    {
        requireFinite(horizon.heights, problem.nodes[0] * problem.nodes[1], "the horizon");
    }
    void operator()(const NodeSources &source) const
    {
        for (const auto &node : source.nodes) {
            requireFinite(node.time, "the time of a source node");
            for (std::size_t axis = 0; axis < 3; ++axis) {
                if (node.index[axis] >= problem.nodes[axis])
                    throw Error(std::string("a source node's ") + axisNames[axis] + " index "
                                + std::to_string(node.index[axis]) + " is outside the grid of "
                                + std::to_string(problem.nodes[axis])
                                + " nodes; choose a smaller one");
            }
        }
    }
};

std::uint64_t checkedCount(const PmmProblem &problem)
{
    std::uint64_t count = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (problem.nodes[axis] == 0)
            throw Error(std::string("there are no nodes in ") + axisNames[axis]
                        + " direction; ask for at least 1");
        count = checkedMultiply(count, problem.nodes[axis]);
    }
    return count;
}

void requireFieldMemory(const PmmProblem &problem, std::uint64_t count, std::size_t bytesPerNode)
{
    const auto bytes = checkedMultiply(count, bytesPerNode);
    gridhelm::requireMemory(static_cast<double>(bytes),
                            "a grid of " + std::to_string(problem.nodes[0]) + " x "
                                + std::to_string(problem.nodes[1]) + " x "
                                + std::to_string(problem.nodes[2]) + " nodes",
                            "choose fewer nodes");
}

} // namespace

bool variesInSpace(const PmmProblem &problem)
{
    return std::holds_alternative<std::vector<double>>(problem.speed)
           || std::holds_alternative<std::vector<double>>(problem.advection);
}

bool isAnisotropic(const PmmProblem &problem)
{
    const auto isZero = [](double value) { return value == 0; };
    if (problem.advectionScale == 0
        || std::all_of(problem.direction.begin(), problem.direction.end(), isZero))
        return false;
    if (const double *same = std::get_if<double>(&problem.advection))
        return *same != 0;
    const auto &values = std::get<std::vector<double>>(problem.advection);
    return !std::all_of(values.begin(), values.end(), isZero);
}

void requireSpreading(const PmmProblem &problem)
{
    const auto &a = problem.direction;
    const double length = std::hypot(a[0], a[1], a[2]);
    const std::size_t distinct = variesInSpace(problem) ? problem.count() : 1;
    for (std::size_t node = 0; node < distinct; ++node) {
        const double speed = problem.speedAt(node);
        const double against = std::abs(problem.advectionAt(node)) * length;
        if (!(speed > 0))
            throw Error("the speed F is " + std::to_string(speed) + " at node "
                        + std::to_string(node) + "; choose a positive one");
        if (!(speed > against))
            throw Error("the front cannot spread against the advection: F = "
                        + std::to_string(speed)
                        + " is not larger than |psi| |a| = " + std::to_string(against) + " at node "
                        + std::to_string(node) + "; choose a larger F or a smaller psi");
    }
}

void requireSoluble(const PmmProblem &problem, std::size_t bytesPerNode)
{
    const auto count = checkedCount(problem);
    requireFieldMemory(problem, count, bytesPerNode);
    if (!(problem.spacing > 0) || !std::isfinite(problem.spacing))
        throw Error("the spacing " + std::to_string(problem.spacing)
                    + " is not possible; choose a positive one");
    requireFinite(problem.origin, "the origin");
    requireFinite(problem.direction, "the direction a");
    requireFinite(problem.speed, count, "the speed F");
    requireFinite(problem.speedScale, "the factor of F");
    requireFinite(problem.advection, count, "the advection psi");
    requireFinite(problem.advectionScale, "the factor of psi");
    requireSpreading(problem);
    std::visit(RequireSource{problem}, problem.source);
    if (problem.initialGuess)
        requireGuess(*problem.initialGuess, count);
    if (sourceTimes(problem).empty())
        throw Error("the source contains no node of the grid; move it into the grid");
}

} // namespace gridhelm::solvers
