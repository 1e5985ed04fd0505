// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/setup/pmm_setup.h"

#include "core/solvers/pmm/local_update.h"
#include "core/solvers/setup/problem_text.h"
#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "core/support/extents_text.h"
#include "core/support/memory_check.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace gridhelm::solvers {
namespace {

// ---- formulas --------------------------------------------------------------------------------

/// Of a position in units of the box, 0 .. 1 in each direction.
using UnitFunction = double (*)(const Position &u);

struct NodeFormula
{
    const char *name;
    UnitFunction part; ///< 0: the first number counts, 1: the second one
};

constexpr std::array<NodeFormula, 4> nodeFormulas{{
    {"gradient", [](const Position &u) { return u[2]; }},
    {"layers",
     [](const Position &u) { return static_cast<double>(static_cast<int>(u[2] * 6) % 2); }},
    {"lens",
     [](const Position &u) {
         const double square = (u[0] - 0.5) * (u[0] - 0.5) + (u[1] - 0.5) * (u[1] - 0.5)
                               + (u[2] - 0.5) * (u[2] - 0.5);
         return std::exp(-square / (2 * 0.15 * 0.15));
     }},
    {"wave", [](const Position &u) { return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * u[0]); }},
}};

Position lengthsOf(const PmmProblem &problem)
{
    Position lengths{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        lengths[axis] = problem.spacing * static_cast<double>(problem.nodes[axis] - 1);
    return lengths;
}

Position unitPosition(const PmmProblem &problem, const std::array<std::size_t, 3> &node)
{
    Position u{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (problem.nodes[axis] > 1)
            u[axis] =
                static_cast<double>(node[axis]) / static_cast<double>(problem.nodes[axis] - 1);
    }
    return u;
}

std::vector<double> sampled(const PmmProblem &problem, const NodeFormula &formula, double first,
                            double second)
{
    std::vector<double> values;
    values.reserve(problem.count());
    for (std::size_t k = 0; k < problem.nodes[2]; ++k)
        for (std::size_t j = 0; j < problem.nodes[1]; ++j)
            for (std::size_t i = 0; i < problem.nodes[0]; ++i)
                values.push_back(
                    first + (second - first) * formula.part(unitPosition(problem, {i, j, k})));
    return values;
}

/// F or psi: a number, a formula, or a file.
NodeValues nodeValues(const PmmProblem &problem, const std::string &text, const std::string &option)
{
    if (!text.empty() && std::string_view("0123456789+-.").find(text.front()) != std::string::npos
        && text.find_first_not_of("0123456789+-.eE") == std::string::npos)
        return parseReal(text, option);
    // As a list, and once more in the solver.
    requireMemory(2.0 * sizeof(double) * static_cast<double>(problem.count()),
                  fmt::format("{} at {} nodes", option, problem.count()), "choose fewer nodes");
    if (isFileName(text))
        return readPointValues(text, problem.nodes, option);
    const auto formula = parseFormula(text, option);
    for (const auto &each : nodeFormulas) {
        if (formula.name != each.name)
            continue;
        if (formula.numbers.size() != 2)
            throw Error(fmt::format("{}: {} needs two numbers: write e.g. {}:1,2", option,
                                    formula.name, formula.name));
        return sampled(problem, each, formula.numbers[0], formula.numbers[1]);
    }
    throw Error(fmt::format("{}: \"{}\" is neither a number nor a formula nor a file: choose a "
                            "number, gradient:A,B, layers:A,B, lens:A,B, wave:A,B, or a .vti, .f64 "
                            "or text file",
                            option, text));
}

/// Heights of all columns: of a formula in units of the box, or from a file.
std::vector<double> horizonHeights(const PmmProblem &problem, const std::string &text,
                                   const std::string &option)
{
    requireMemory(2.0 * sizeof(double) * static_cast<double>(problem.nodes[0])
                      * static_cast<double>(problem.nodes[1]),
                  "the horizon", "choose fewer nodes");
    if (isFileName(text))
        return readPointValues(text, {problem.nodes[0], problem.nodes[1], 1}, option);
    const auto formula = parseFormula(text, option);
    const bool isFlat = formula.name == "plane";
    if (!isFlat && formula.name != "folds" && formula.name != "dome")
        throw Error(fmt::format(
            "{}: there is no \"{}\": choose plane, folds, dome or a file (.vti, .f64 or "
            "text)",
            option, text));
    if (formula.numbers.size() > (isFlat ? 1U : 2U))
        throw Error(fmt::format("{}: {} has too many numbers: write e.g. plane:0.5, folds:0.5,0.1 "
                                "or dome:0.3,0.2",
                                option, text));
    const auto number = [&](std::size_t index, double usual) {
        return index < formula.numbers.size() ? formula.numbers[index] : usual;
    };
    const double middle = number(0, formula.name == "dome" ? 0.3 : 0.5);
    const double height = isFlat ? 0 : number(1, formula.name == "dome" ? 0.3 : 0.12);
    const double scale = lengthsOf(problem)[2];
    std::vector<double> heights;
    heights.reserve(problem.nodes[0] * problem.nodes[1]);
    for (std::size_t j = 0; j < problem.nodes[1]; ++j) {
        for (std::size_t i = 0; i < problem.nodes[0]; ++i) {
            const auto u = unitPosition(problem, {i, j, 0});
            const double x = u[0] - 0.5, y = u[1] - 0.5;
            const double shape =
                formula.name == "dome"
                    ? std::exp(-(x * x + y * y) / (2 * 0.15 * 0.15))
                    : std::sin(3 * std::numbers::pi * u[0]) * std::cos(std::numbers::pi * y);
            heights.push_back(problem.origin[2] + scale * (middle + height * shape));
        }
    }
    return heights;
}

// ---- the problem -----------------------------------------------------------------------------

std::vector<double> fourNumbers(const std::string &text, const std::string &option,
                                std::size_t fewest, const char *form)
{
    std::vector<double> numbers;
    parseReals(text, option, numbers);
    if (numbers.size() < fewest || numbers.size() > 4)
        throw Error(
            fmt::format("{}: \"{}\" has {} numbers: write {}", option, text, numbers.size(), form));
    numbers.resize(4, 0.0);
    return numbers;
}

void setSource(PmmProblem &problem, const PmmSetup &setup)
{
    const int kinds =
        (setup.points.empty() ? 0 : 1) + (setup.ball ? 1 : 0) + (setup.horizon ? 1 : 0);
    if (kinds == 0)
        throw Error(fmt::format("there is no source from which the front could start: give "
                                "{0}point X,Y,Z, {0}ball X,Y,Z,RADIUS or {0}horizon NAME",
                                setup.prefix));
    if (kinds > 1)
        throw Error("there are sources of several kinds: give points, a ball or a horizon");
    if (setup.ball) {
        const auto ball = fourNumbers(*setup.ball, setup.prefix + "ball", 4, "X,Y,Z,RADIUS");
        problem.source = BallSource{{ball[0], ball[1], ball[2]}, ball[3]};
    } else if (setup.horizon) {
        problem.source =
            HorizonSource{horizonHeights(problem, *setup.horizon, setup.prefix + "horizon")};
    } else {
        PointSources points;
        for (const auto &text : setup.points) {
            const auto point = fourNumbers(text, setup.prefix + "point", 3, "X,Y,Z or X,Y,Z,TIME");
            points.points.push_back({{point[0], point[1], point[2]}, point[3]});
        }
        problem.source = std::move(points);
    }
}

/// Straight rays from points or a ball, where the medium is the same everywhere.
void setKnownSolution(PmmProblem &problem, const PmmSetup &setup)
{
    const auto &known = setup.known;
    if (known != "auto" && known != "none" && known != "rays")
        throw Error(fmt::format("{}known: there is no \"{}\": choose auto, rays or none",
                                setup.prefix, known));
    const bool hasRays =
        !variesInSpace(problem) && !std::holds_alternative<HorizonSource>(problem.source);
    if (known == "rays" && !hasRays)
        throw Error(fmt::format("{}known: rays are straight only if F and psi are the same "
                                "everywhere, and known only from points or a ball: choose auto",
                                setup.prefix));
    if (known == "none" || !hasRays)
        return;
    const Medium<double> medium{problem.speedAt(0), problem.advectionAt(0), problem.direction};
    std::vector<PointSources::Point> points;
    if (const auto *ball = std::get_if<BallSource>(&problem.source))
        points.push_back({ball->centre, 0});
    else
        points = std::get<PointSources>(problem.source).points;
    problem.knownSolution = [medium, points](const Position &x) {
        double earliest = std::numeric_limits<double>::infinity();
        for (const auto &[from, time] : points)
            earliest = std::min(
                earliest,
                time
                    + travelTime<double>({x[0] - from[0], x[1] - from[1], x[2] - from[2]}, medium));
        return earliest;
    };
}

} // namespace

PmmProblem pmmProblem(const PmmSetup &setup)
{
    const auto &prefix = setup.prefix;
    PmmProblem problem;
    auto nodes = parseExtents(setup.nodes, prefix + "nodes");
    if (nodes.size() == 1)
        nodes.resize(3, nodes.front());
    if (nodes.size() != 3)
        throw Error(fmt::format("{}nodes: {} has two directions, but fronts travel in three: write "
                                "e.g. 81 or 81x81x41",
                                prefix, setup.nodes));
    std::copy(nodes.begin(), nodes.end(), problem.nodes.begin());
    checkedMultiply(checkedMultiply(nodes[0], nodes[1]), nodes[2]);
    const auto longest = *std::max_element(nodes.begin(), nodes.end());
    problem.spacing = setup.spacing
                          ? parseReal(*setup.spacing, prefix + "spacing")
                          : 1 / static_cast<double>(std::max<std::size_t>(longest, 2) - 1);
    problem.origin = parsePosition(setup.origin, prefix + "origin");
    problem.direction = parsePosition(setup.direction, prefix + "direction");
    problem.speed = nodeValues(problem, setup.speed, prefix + "speed");
    problem.advection = nodeValues(problem, setup.advection, prefix + "psi");
    setSource(problem, setup);
    setKnownSolution(problem, setup);
    if (setup.startAt)
        problem.initialGuess = setup.startAt(placesOf(problem));
    else if (setup.start.ends_with(".vti"))
        problem.initialGuess =
            startingTimes(problem, readStartField(setup.start, setup.startArray, problem.nodes));
    else if (!setup.start.empty())
        problem.initialGuess = readPointValues(setup.start, problem.nodes, prefix + "start");
    return problem;
}

std::vector<LiveParameter> pmmParameters(const PmmProblem &problem)
{
    std::vector<LiveParameter> parameters;
    const char *psi = std::holds_alternative<double>(problem.advection) ? "psi" : "psi scale";
    for (const char *name : {"F scale", psi, "a x", "a y", "a z"})
        parameters.push_back({name, "", 0, 0, 0});
    return parameters;
}

} // namespace gridhelm::solvers
