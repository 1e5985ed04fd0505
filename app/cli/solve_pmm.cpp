// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/parse_numbers.h"
#include "app/cli/solve_task.h"
#include "core/solvers/pmm/local_update.h"
#include "core/solvers/pmm/pmm_problem.h"
#include "core/solvers/pmm/pmm_stepper.h"
#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>

namespace gridhelm::cli {
namespace {

using solvers::NodeValues;
using solvers::PmmProblem;
using solvers::Position;

struct SolvePmmOptions
{
    std::string nodes = "81";
    std::optional<std::string> spacing;
    std::string origin = "0,0,0";
    std::string speed = "1";
    std::string advection = "0";
    std::string direction = "0,0,0";
    std::vector<std::string> points;
    std::optional<std::string> ball;
    std::optional<std::string> horizon;
    std::string known = "auto";
    std::string precision = "double";
    RunOptions run;
    SolveOutputOptions output;
};

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
NodeValues nodeValues(const PmmProblem &problem, const std::string &text, const char *option)
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
std::vector<double> horizonHeights(const PmmProblem &problem, const std::string &text)
{
    requireMemory(2.0 * sizeof(double) * static_cast<double>(problem.nodes[0])
                      * static_cast<double>(problem.nodes[1]),
                  "the horizon", "choose fewer nodes");
    if (isFileName(text))
        return readPointValues(text, {problem.nodes[0], problem.nodes[1], 1}, "--horizon");
    const auto formula = parseFormula(text, "--horizon");
    const bool isFlat = formula.name == "plane";
    if (!isFlat && formula.name != "folds" && formula.name != "dome")
        throw Error(
            fmt::format("--horizon: there is no \"{}\": choose plane, folds, dome or a file "
                        "(.vti, .f64 or text)",
                        text));
    if (formula.numbers.size() > (isFlat ? 1U : 2U))
        throw Error(fmt::format("--horizon: {} has too many numbers: write e.g. plane:0.5, "
                                "folds:0.5,0.1 or dome:0.3,0.2",
                                text));
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

std::vector<double> fourNumbers(const std::string &text, const char *option, std::size_t fewest,
                                const char *form)
{
    std::vector<double> numbers;
    parseReals(text, option, numbers);
    if (numbers.size() < fewest || numbers.size() > 4)
        throw Error(
            fmt::format("{}: \"{}\" has {} numbers: write {}", option, text, numbers.size(), form));
    numbers.resize(4, 0.0);
    return numbers;
}

void setSource(PmmProblem &problem, const SolvePmmOptions &typed)
{
    const int kinds =
        (typed.points.empty() ? 0 : 1) + (typed.ball ? 1 : 0) + (typed.horizon ? 1 : 0);
    if (kinds == 0)
        throw Error("there is no source from which the front could start: give --point X,Y,Z, "
                    "--ball X,Y,Z,RADIUS or --horizon NAME");
    if (kinds > 1)
        throw Error("there are sources of several kinds: give points, a ball or a horizon");
    if (typed.ball) {
        const auto ball = fourNumbers(*typed.ball, "--ball", 4, "X,Y,Z,RADIUS");
        problem.source = solvers::BallSource{{ball[0], ball[1], ball[2]}, ball[3]};
    } else if (typed.horizon) {
        problem.source = solvers::HorizonSource{horizonHeights(problem, *typed.horizon)};
    } else {
        solvers::PointSources points;
        for (const auto &text : typed.points) {
            const auto point = fourNumbers(text, "--point", 3, "X,Y,Z or X,Y,Z,TIME");
            points.points.push_back({{point[0], point[1], point[2]}, point[3]});
        }
        problem.source = std::move(points);
    }
}

/// Straight rays from points or a ball, where the medium is the same everywhere.
void setKnownSolution(PmmProblem &problem, const std::string &known)
{
    if (known != "auto" && known != "none" && known != "rays")
        throw Error(fmt::format("--known: there is no \"{}\": choose auto, rays or none", known));
    const bool hasRays =
        !variesInSpace(problem) && !std::holds_alternative<solvers::HorizonSource>(problem.source);
    if (known == "rays" && !hasRays)
        throw Error("--known: rays are straight only if F and psi are the same everywhere, and "
                    "known only from points or a ball: choose auto");
    if (known == "none" || !hasRays)
        return;
    const solvers::Medium<double> medium{problem.speedAt(0), problem.advectionAt(0),
                                         problem.direction};
    std::vector<solvers::PointSources::Point> points;
    if (const auto *ball = std::get_if<solvers::BallSource>(&problem.source))
        points.push_back({ball->centre, 0});
    else
        points = std::get<solvers::PointSources>(problem.source).points;
    problem.knownSolution = [medium, points](const Position &x) {
        double earliest = std::numeric_limits<double>::infinity();
        for (const auto &[from, time] : points)
            earliest = std::min(earliest,
                                time
                                    + solvers::travelTime<double>(
                                        {x[0] - from[0], x[1] - from[1], x[2] - from[2]}, medium));
        return earliest;
    };
}

PmmProblem pmmProblem(const SolvePmmOptions &typed)
{
    PmmProblem problem;
    auto nodes = parseSize(typed.nodes, "--nodes");
    if (nodes.size() == 1)
        nodes.resize(3, nodes.front());
    if (nodes.size() != 3)
        throw Error(fmt::format("--nodes: {} has two directions, but fronts travel in three: write "
                                "e.g. 81 or 81x81x41",
                                typed.nodes));
    std::copy(nodes.begin(), nodes.end(), problem.nodes.begin());
    checkedMultiply(checkedMultiply(nodes[0], nodes[1]), nodes[2]);
    const auto longest = *std::max_element(nodes.begin(), nodes.end());
    problem.spacing = typed.spacing
                          ? parseReal(*typed.spacing, "--spacing")
                          : 1 / static_cast<double>(std::max<std::size_t>(longest, 2) - 1);
    problem.origin = parsePosition(typed.origin, "--origin");
    problem.direction = parsePosition(typed.direction, "--direction");
    problem.speed = nodeValues(problem, typed.speed, "--speed");
    problem.advection = nodeValues(problem, typed.advection, "--psi");
    setSource(problem, typed);
    setKnownSolution(problem, typed.known);
    return problem;
}

/// The names of PmmStepper's; their ranges depend on each other, and are looked at when it is time.
std::vector<solvers::LiveParameter> pmmParameters(const PmmProblem &problem)
{
    std::vector<solvers::LiveParameter> parameters;
    const char *psi = std::holds_alternative<double>(problem.advection) ? "psi" : "psi scale";
    for (const char *name : {"F scale", psi, "a x", "a y", "a z"})
        parameters.push_back({name, "", 0, 0, 0});
    return parameters;
}

nlohmann::json settingsOf(const PmmProblem &problem, const SolvePmmOptions &typed,
                          solvers::Precision precision)
{
    nlohmann::json settings{{"solver", "pmm"},
                            {"nodes", problem.nodes},
                            {"spacing", problem.spacing},
                            {"origin", problem.origin},
                            {"F", typed.speed},
                            {"psi", typed.advection},
                            {"a", problem.direction},
                            {"anisotropic", isAnisotropic(problem)},
                            {"precision", nameOf(precision)}};
    if (typed.ball)
        settings["ball"] = *typed.ball;
    else if (typed.horizon)
        settings["horizon"] = *typed.horizon;
    else
        settings["points"] = typed.points;
    return settings;
}

void run(const GlobalOptions &global, const SolvePmmOptions &typed)
{
    const auto precision = parsePrecision(typed.precision);
    const int threads = solverThreads(global);
    const auto problem = std::make_shared<PmmProblem>(pmmProblem(typed));

    RunAbilities abilities;
    abilities.method = "pmm";
    abilities.unit = "sweeps";
    abilities.quantities = {Quantity::change};
    if (problem->knownSolution)
        abilities.quantities.push_back(Quantity::error);
    abilities.parameters = pmmParameters(*problem);
    abilities.rangesAreFixed = false;
    constexpr double settled = 1e-10;
    abilities.most = 100;
    abilities.target = RunPlan::Target{Quantity::change, settled};

    SolveTask task;
    task.plan = runPlan(typed.run, abilities);
    if (typed.run.iterations && !typed.run.until) // exactly as many as wanted
        task.plan.target.reset();
    if (changesSolution(task.plan))
        problem->knownSolution = nullptr; // it is that of the medium at the start
    task.title = fmt::format("pmm        {}, {} nodes, spacing {:.4g}, {}",
                             isAnisotropic(*problem) ? "anisotropic" : "isotropic",
                             describeSize(problem->nodes, 3), problem->spacing, nameOf(precision));
    task.settings = settingsOf(*problem, typed, precision);
    task.unknowns = problem->count();
    task.threads = threads;
    task.pin = typed.run.pin;
    task.fieldName = "arrival time";
    task.shown = Quantity::change;
    constexpr int usualBands = 20;
    task.output = solveOutput(typed.output, {1, 0.5});
    task.output.bands = task.output.layers.value_or(usualBands);
    task.makeStepper = [problem, precision, threads]() -> std::unique_ptr<solvers::Stepper> {
        const PmmProblem taken = std::move(*problem); // the stepper makes its own copy
        const solvers::PmmSettings settings{threads, {}};
        if (precision == solvers::Precision::float32)
            return std::make_unique<solvers::PmmStepper<float>>(taken, settings);
        return std::make_unique<solvers::PmmStepper<double>>(taken, settings);
    };
    solve(global, task);
}

} // namespace

void addSolvePmmCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "pmm", "Arrival times of a front in three dimensions, by the parallel marching method");
    const auto options = std::make_shared<SolvePmmOptions>();
    command.add_option("--nodes", options->nodes, "Nodes: 81 (a cube) or 81x81x41")
        ->type_name("N[xNxN]")
        ->capture_default_str();
    command
        .add_option("--spacing", options->spacing,
                    "Spacing of the nodes (default: the longest side has length 1)")
        ->type_name("H");
    command.add_option("--origin", options->origin, "Position of the first node")
        ->type_name("X,Y,Z")
        ->capture_default_str();
    command.add_option("--speed,--F", options->speed, "F: a number, a formula, or a file")
        ->type_name("NUMBER|NAME:A,B|FILE")
        ->capture_default_str();
    command.add_option("--psi", options->advection, "psi: a number, a formula, or a file")
        ->type_name("NUMBER|NAME:A,B|FILE")
        ->capture_default_str();
    command
        .add_option("--direction,--a", options->direction, "a: with psi, the drift of the front")
        ->type_name("X,Y,Z")
        ->capture_default_str();
    command
        .add_option("--point", options->points,
                    "The front starts here, at time 0 or the one given; may be given again")
        ->type_name("X,Y,Z[,TIME]")
        ->allow_extra_args(false);
    command
        .add_option("--ball", options->ball,
                    "The front starts from the middle of this ball, in "
                    "which its time is exact")
        ->type_name("X,Y,Z,RADIUS");
    command
        .add_option("--horizon", options->horizon,
                    "The front starts from the surface z = s(x, y): plane[:Z], folds[:Z,HEIGHT], "
                    "dome[:Z,HEIGHT], or a file")
        ->type_name("NAME|FILE");
    command
        .add_option(
            "--known", options->known,
            "Compare with straight rays (rays), not at all (none), or wherever the rays are "
            "straight (auto)")
        ->type_name("NAME")
        ->capture_default_str();
    addPrecisionOption(command, options->precision);
    addRunOptions(command, options->run, "sweeps");
    addSolveOutputOptions(command, options->output);
    command
        .add_option(
            "--layers", options->output.layers,
            "Fold the times into so many layers of equal duration: as bands in the picture, "
            "and as the array \"layer\" (0, 1, ...) in the file")
        ->type_name("N");
    command.footer(R"(
It solves F |grad T| + psi (a . grad T) = 1: T is when the front arrives that spreads with speed F
and drifts with psi a. F > |psi| |a| must hold everywhere. Without psi and a the propagation is
isotropic, otherwise anisotropic. The level sets of T from a horizon are folded layers of rock.

F and psi are numbers, or formulas of the position in the box:
  gradient:A,B  from A at the bottom to B at the top
  layers:A,B    six layers, A and B in turns, from the bottom
  lens:A,B      B in the middle, A far from it
  wave:A,B      A at both ends of the x axis, B in the middle
or files with one value for each node, x fastest: .vti, raw float64 (.f64) or text.

A horizon is a formula, its numbers in units of the box's height, or a file with the height of each
column of nodes: folds[:MIDDLE,HEIGHT], dome[:FOOT,HEIGHT], plane[:Z].

Sweeps are done until none changes a value by more than 1e-10 (2 or 3 as a rule, at most 100), unless
--sweeps or --until say something else. --at changes "F scale", psi ("psi scale" if psi is no number),
"a x", "a y" or "a z" after so many sweeps; the front then starts again from its source.

Examples:
  gridhelm-cli solve pmm --nodes 81 --ball 0.5,0.5,0.5,0.1 --speed 1.1 --psi 1 --a -0.35,0.4,0.7
  gridhelm-cli solve pmm --nodes 121x121x61 --horizon folds:0.25,0.1 --layers 20 \
      --picture folds.png --save folds.vti
  gridhelm-cli solve pmm --point 0.2,0.2,0.1 --point 0.8,0.5,0.3,0.2 --speed layers:1,2 \
      --layers 24 --picture layers.png --slice y=0.4
  gridhelm-cli solve pmm --horizon dome --psi 0.5 --a 0.6,0,0.6 --at 3:psi=0.2 --json)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
