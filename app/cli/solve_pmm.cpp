// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/solve_help.h"
#include "app/cli/solve_start.h"
#include "app/cli/solve_task.h"
#include "core/solvers/problem_in_words.h"
#include "core/solvers/run/solver_case.h"
#include "core/solvers/setup/pmm_setup.h"
#include "core/solvers/setup/problem_text.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace gridhelm::cli {
namespace {

using solvers::PmmProblem;

struct SolvePmmOptions
{
    solvers::PmmSetup problem;
    StartOptions start;
    std::string precision = "double";
    std::string partition = "auto";
    RunOptions run;
    SolveOutputOptions output;
};

nlohmann::json settingsOf(const PmmProblem &problem, const solvers::PmmSetup &typed,
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
                            {"precision", solvers::nameOf(precision)}};
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
    const auto &backend = solverBackend(global); // refuses those that there are not
    const auto precision = solvers::parsePrecision(typed.precision, "--precision");
    const auto &context = teamContext(global);
    requirePinnable(typed.run, context);
    const auto partition = solvers::parsePmmPartition(typed.partition, "--partition");
    if (partition && !context.sharesWork())
        throw Error("--partition says how several devices share the grid; name them with "
                    "--devices, or leave it out");
    auto setup = typed.problem;
    setStart(setup, typed.start, global);
    auto problem = solvers::pmmProblem(setup);
    SolveTask task;
    task.title = fmt::format("pmm        {}, {} nodes, spacing {:.4g}, {}",
                             isAnisotropic(problem) ? "anisotropic" : "isotropic",
                             solvers::describeSize(problem.nodes, 3), problem.spacing,
                             solvers::nameOf(precision));
    task.settings = settingsOf(problem, typed.problem, precision);
    describeStart(task.settings, setup.start, typed.start);
    if (context.sharesWork())
        task.settings["partition"] = typed.partition;
    const auto made = [&](PmmProblem each) {
        return solvers::pmmCase(std::move(each), precision, typed.run.setup, context, backend,
                                partition);
    };
    if (typed.start.comparesCold) {
        auto cold = problem;
        cold.initialGuess.reset();
        task.cold = made(std::move(cold));
    }
    task.isWarm = problem.initialGuess.has_value();
    task.solver = made(std::move(problem));
    requireComparable(typed.start, task.isWarm, task.solver.plan);
    task.pin = typed.run.pin;
    constexpr int defaultBands = 20;
    task.output = solveOutput(typed.output, {1, 0.5}, global.ranks.get());
    task.output.bands = task.output.layers.value_or(defaultBands);
    solve(global, task);
}

void addProblemOptions(CLI::App &command, solvers::PmmSetup &problem)
{
    command.add_option("--nodes", problem.nodes, "Nodes: 81 (a cube) or 81x81x41")
        ->type_name("N[xNxN]")
        ->capture_default_str();
    command
        .add_option("--spacing", problem.spacing,
                    "Spacing of the nodes (default: the longest side has length 1)")
        ->type_name("H");
    command.add_option("--origin", problem.origin, "Position of the first node")
        ->type_name("X,Y,Z")
        ->capture_default_str();
    command.add_option("--speed,--F", problem.speed, "F: a number, a formula, or a file")
        ->type_name("NUMBER|NAME:A,B|FILE")
        ->capture_default_str();
    command.add_option("--psi", problem.advection, "psi: a number, a formula, or a file")
        ->type_name("NUMBER|NAME:A,B|FILE")
        ->capture_default_str();
    command.add_option("--direction,--a", problem.direction, "a: with psi, the drift of the front")
        ->type_name("X,Y,Z")
        ->capture_default_str();
    command
        .add_option("--point", problem.points,
                    "The front starts here, at time 0 or the one given; may be given again")
        ->type_name("X,Y,Z[,TIME]")
        ->allow_extra_args(false);
    command
        .add_option("--ball", problem.ball,
                    "The front starts from the middle of this ball, in "
                    "which its time is exact")
        ->type_name("X,Y,Z,RADIUS");
    command
        .add_option("--horizon", problem.horizon,
                    "The front starts from the surface z = s(x, y): plane[:Z], folds[:Z,HEIGHT], "
                    "dome[:Z,HEIGHT], or a file")
        ->type_name("NAME|FILE");
    command
        .add_option(
            "--known", problem.known,
            "Compare with straight rays (rays), not at all (none), or wherever the rays are "
            "straight (auto)")
        ->type_name("NAME")
        ->capture_default_str();
}

} // namespace

void addSolvePmmCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "pmm", "Arrival times of a front in three dimensions, by the parallel marching method");
    const auto options = std::make_shared<SolvePmmOptions>();
    addProblemOptions(command, options->problem);
    addStartOptions(command, options->problem.start, options->start);
    addPrecisionOption(command, options->precision);
    command
        .add_option("--partition", options->partition,
                    "How several devices share the grid: repartition or pipelined; auto takes the "
                    "faster one, and the times are the same")
        ->type_name("NAME")
        ->capture_default_str();
    addRunOptions(command, options->run, "sweeps");
    addSolveOutputOptions(command, options->output);
    command
        .add_option(
            "--layers", options->output.layers,
            "Fold the times into so many layers of equal duration: as bands in the picture, "
            "and as the array \"layer\" (0, 1, ...) in the file")
        ->type_name("N");
    command.footer(helpOf(solvers::frontInWords) + "\n" + wrapped(solvers::pmmPurpose) + R"(
F and psi are numbers, or formulas of the position in the box:
  gradient:A,B  from A at the bottom to B at the top
  layers:A,B    six layers, A and B in turns, from the bottom
  lens:A,B      B in the middle, A far from it
  wave:A,B      A at both ends of the x axis, B in the middle
or files with one value for each node, x fastest: .vti, raw float64 (.f64) or text.

A horizon is a formula, its numbers in units of the box's height, or a file with the height of each
column of nodes: folds[:MIDDLE,HEIGHT], dome[:FOOT,HEIGHT], plane[:Z].

Sweeps are done until none changes a value by more than 1e-10, or by more than round-off does (2 or 3
as a rule, at most 100), unless --sweeps or --until say something else. Times of --start that might be
too early are stretched or left out, so that the result is the same. --at changes "F scale", psi
("psi scale" if psi is not a number),
"a x", "a y" or "a z" after so many sweeps; the front then starts again from its source.
)" + helpOf({solvers::Quantity::change, solvers::Quantity::error})
                   + R"(
Examples:
  gridhelm-cli solve pmm --nodes 81 --ball 0.5,0.5,0.5,0.1 --speed 1.1 --psi 1 --a -0.35,0.4,0.7
  gridhelm-cli solve pmm --nodes 121x121x61 --horizon folds:0.25,0.1 --layers 20 \
      --picture folds.png --save folds.vti
  gridhelm-cli solve pmm --point 0.2,0.2,0.1 --point 0.8,0.5,0.3,0.2 --speed layers:1,2 \
      --layers 24 --picture layers.png --slice y=0.4
  gridhelm-cli solve pmm --horizon dome --psi 0.5 --a 0.6,0,0.6 --at 3:psi=0.2 --json
  gridhelm-cli solve pmm --nodes 256 --ball 0.5,0.5,0.5,0.1 --devices cpu/2)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
