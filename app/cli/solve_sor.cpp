// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/solve_poisson.h"
#include "app/cli/solve_task.h"
#include "core/solvers/run/solver_case.h"
#include "core/solvers/setup/problem_text.h"
#include "core/solvers/setup/sor_setup.h"
#include "core/solvers/sor/relaxation.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace gridhelm::cli {
namespace {

using solvers::SorMethod;

struct SolveSorOptions
{
    solvers::PoissonSetup problem;
    solvers::SorSetup method;
    RunOptions run;
    SolveOutputOptions output;
};

nlohmann::json settingsOf(const SolveSorOptions &typed, const solvers::SorSettings &settings,
                          const PoissonCase &poisson, double relaxation)
{
    auto json = poisson.settings;
    json["solver"] = "sor";
    json["precision"] = solvers::nameOf(settings.precision);
    json["relaxation"] = relaxation;
    if (settings.method == SorMethod::redBlack)
        json["iterations_per_pass"] = settings.iterationsPerPass;
    else
        json["direction"] = typed.method.direction.value_or("alternating");
    if (settings.method == SorMethod::mlssor)
        json["shape"] = {settings.shape.layers, settings.shape.width, settings.shape.width};
    return json;
}

void run(const GlobalOptions &global, const SolveSorOptions &typed)
{
    const auto &backend = solverBackend(global); // refuses those that there are not
    const auto settings = solvers::sorSettings(typed.method);
    auto poisson = poissonCase(typed.problem);
    const double relaxation =
        settings.relaxation.value_or(solvers::defaultRelaxation(poisson.problem, settings));
    SolveTask task;
    task.title = fmt::format("sor        {}, {}, w = {:.4g}, {}", typed.method.method,
                             poisson.description, relaxation, solvers::nameOf(settings.precision));
    task.settings = settingsOf(typed, settings, poisson, relaxation);
    task.solver =
        solvers::sorCase(std::move(poisson.problem), settings, typed.run.setup,
                         typed.problem.known.has_value(), executionContext(global), backend);
    task.pin = typed.run.pin;
    task.output = solveOutput(typed.output, {2, 0.5});
    solve(global, task);
}

} // namespace

void addSolveSorCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "sor", "Successive over-relaxation for Poisson's equation: SOR, SSOR, red-black, "
               "multi-layer");
    const auto options = std::make_shared<SolveSorOptions>();
    addPoissonOptions(command, options->problem);
    command.add_option("--method", options->method.method, "sequential, red-black or mlssor")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--relaxation,--w", options->method.relaxation,
                    "Relaxation factor, above 0 and below 2 (default: a good one for the grid)")
        ->type_name("W");
    command
        .add_option("--direction", options->method.direction,
                    "forward, backward or alternating sweeps (sequential, mlssor; default: "
                    "alternating, SSOR)")
        ->type_name("NAME");
    command
        .add_option("--shape", options->method.shape,
                    "Sub-domains of K layers of M x M unknowns (mlssor; default: 16x32)")
        ->type_name("KxM");
    command
        .add_option("--pass", options->method.iterationsPerPass,
                    "Iterations in one pass over memory (red-black; default: chosen)")
        ->type_name("N");
    addPrecisionOption(command, options->method.precision);
    addRunOptions(command, options->run, "iterations");
    addSolveOutputOptions(command, options->output);
    command.footer(std::string(poissonHelp) + R"(
Methods: sequential relaxes unknown after unknown, forwards (SOR; with --relaxation 1: Gauss-Seidel),
backwards, or to and fro (SSOR, its sweeps count one by one); red-black is parallel and solves in 3D
too; mlssor does K iterations of a tile in cache, with symmetric sweeps.

Without --iterations and --until, 1000 iterations are done. With --until alone the run goes on until
the figure is reached or comes no closer. --at changes relaxation, "source x", "source y", "source
strength", "boundary x low", ... on the way.

Examples:
  gridhelm-cli solve sor --size 512 --until residual=1e-8 --picture spike.png
  gridhelm-cli solve sor --method mlssor --shape 8x16 --w 1.7 --iterations 4000
  gridhelm-cli solve sor --method sequential --direction forward --w 1 --size 100 \
      --source eigenfunction --waves 3,2 --until error=1e-8
  gridhelm-cli solve sor --size 96x96x96 --source gaussian --until residual=1e-6 --save u.vti
  gridhelm-cli solve sor --start u.vti --size 96x96x96 --source gaussian --until residual=1e-4
  gridhelm-cli solve sor --relaxation 1 --at 200:relaxation=1.9 --iterations 600 --picture run.png)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
