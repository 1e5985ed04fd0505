// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/solve_poisson.h"
#include "app/cli/solve_task.h"
#include "core/solvers/run/solver_case.h"
#include "core/solvers/setup/jacobi_setup.h"
#include "core/solvers/setup/problem_text.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace gridhelm::cli {
namespace {

struct SolveJacobiOptions
{
    solvers::PoissonSetup problem;
    solvers::JacobiSetup method;
    RunOptions run;
    SolveOutputOptions output;
};

void run(const GlobalOptions &global, const SolveJacobiOptions &typed)
{
    const auto &backend = solverBackend(global); // refuses those that there are not
    const auto options = solvers::jacobiOptions(typed.method);
    auto poisson = poissonCase(typed.problem);
    SolveTask task;
    task.title = fmt::format("jacobi     {}, {}, {}", typed.method.method, poisson.description,
                             solvers::nameOf(options.precision));
    task.settings = std::move(poisson.settings);
    task.settings["solver"] = "jacobi";
    task.settings["precision"] = solvers::nameOf(options.precision);
    if (solvers::isAsynchronous(options.method)) {
        task.settings["alpha"] = options.asyncFactor;
        task.settings["tile"] = options.tile;
    }
    if (options.method == solvers::JacobiMethod::temporal)
        task.settings["depth"] = options.depth;
    task.solver =
        solvers::jacobiCase(std::move(poisson.problem), options, typed.run.setup,
                            typed.problem.known.has_value(), executionContext(global), backend);
    task.pin = typed.run.pin;
    task.output = solveOutput(typed.output, {2, 0.5});
    solve(global, task);
}

} // namespace

void addSolveJacobiCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "jacobi", "Jacobi's iteration for Poisson's equation: exact, blocked in time, or "
                  "asynchronous");
    const auto options = std::make_shared<SolveJacobiOptions>();
    addPoissonOptions(command, options->problem);
    command
        .add_option("--method", options->method.method,
                    "naive, tuned, temporal, async0, async1, async2 or async3")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--alpha", options->method.asyncFactor,
                    "Iterations of a tile between two synchronisations (async0 to async3; even but "
                    "for async3; default: 6)")
        ->type_name("N");
    command
        .add_option("--tile", options->method.tile,
                    "Columns and rows of a tile (async0 to async3; default: chosen)")
        ->type_name("N[xN]");
    command
        .add_option("--depth", options->method.depth,
                    "Iterations in one pass over memory (temporal; default: chosen)")
        ->type_name("N");
    addPrecisionOption(command, options->method.precision);
    addRunOptions(command, options->run, "iterations");
    addSolveOutputOptions(command, options->output);
    command.footer(std::string(poissonHelp) + R"(
Methods: naive is two plain loops; tuned is blocked, vectorised and parallel; temporal does several
iterations in one pass over memory, with the same values; the asynchronous ones let tiles iterate on
their own for a while (2D). naive and tuned solve in 3D too.

Without --iterations and --until, 1000 iterations are done. With --until alone the run goes on until
the figure is reached or comes no closer. --at changes "source x", "source y", "source strength",
"boundary x low", ... on the way.

Examples:
  gridhelm-cli solve jacobi --size 512 --method temporal --iterations 20000 --picture heat.png
  gridhelm-cli solve jacobi --size 200 --source eigenfunction --until error=1e-8
  gridhelm-cli solve jacobi --size 300x200 --source none --side y-low=dirichlet:1 \
      --side x-low=neumann --side x-high=neumann --until residual=1e-6 --save u.vti
  gridhelm-cli solve jacobi --method async3 --alpha 5 --precision float --threads 2 --pin --json
  gridhelm-cli solve jacobi --at 500:source-x=0.25 --at 800:boundary-y-low=0.1 --history run.csv)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
