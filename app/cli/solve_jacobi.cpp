// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/parse_numbers.h"
#include "app/cli/solve_poisson.h"
#include "app/cli/solve_task.h"
#include "core/solvers/jacobi/jacobi_stepper.h"
#include "core/solvers/poisson_parameters.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <memory>

namespace gridhelm::cli {
namespace {

using solvers::JacobiMethod;

struct SolveJacobiOptions
{
    PoissonOptions problem;
    RunOptions run;
    SolveOutputOptions output;
    std::string method = "tuned";
    std::string precision = "double";
    std::optional<std::string> asyncFactor;
    std::optional<std::string> tile;
    std::optional<std::string> depth;
};

bool isAsynchronous(JacobiMethod method)
{
    return method >= JacobiMethod::async0;
}

solvers::JacobiOptions jacobiOptions(const SolveJacobiOptions &typed, const GlobalOptions &global)
{
    solvers::JacobiOptions options;
    options.method = solvers::jacobiMethod(typed.method);
    options.precision = parsePrecision(typed.precision);
    options.threads = solverThreads(global);
    if (options.method == JacobiMethod::naive)
        options.threads = 1;
    if ((typed.asyncFactor || typed.tile) && !isAsynchronous(options.method))
        throw Error(fmt::format("--alpha and --tile are for the methods async0 to async3, not for "
                                "{}: leave them out",
                                typed.method));
    if (typed.depth && options.method != JacobiMethod::temporal)
        throw Error(fmt::format("--depth is for the method temporal, not for {}: leave it out",
                                typed.method));
    if (typed.asyncFactor)
        options.asyncFactor = parseInteger(*typed.asyncFactor, "--alpha");
    if (typed.depth)
        options.depth = parseInteger(*typed.depth, "--depth");
    if (typed.tile) {
        const auto tile = parseSize(*typed.tile, "--tile");
        if (tile.size() > 2)
            throw Error(
                fmt::format("--tile: {} has three directions: write e.g. 64x32", *typed.tile));
        options.tile = {tile.front(), tile.back()};
    }
    return options;
}

/// Iterations of one pass or launch, whose method is another if it is asked for fewer.
std::uint64_t granuleOf(const solvers::JacobiOptions &options)
{
    constexpr std::uint64_t usualDepth = 16; // about that of `temporal` itself
    if (isAsynchronous(options.method))
        return static_cast<std::uint64_t>(std::max(options.asyncFactor, 0)) + 1;
    if (options.method == JacobiMethod::temporal)
        return options.depth > 0 ? static_cast<std::uint64_t>(options.depth) : usualDepth;
    return 1;
}

void run(const GlobalOptions &global, const SolveJacobiOptions &typed)
{
    const auto options = jacobiOptions(typed, global);
    auto poisson = std::make_shared<PoissonCase>(poissonCase(typed.problem));
    const auto &problem = poisson->problem;

    RunAbilities abilities;
    abilities.method = fmt::format("the method {}", typed.method);
    abilities.quantities = {Quantity::residual};
    if (!isAsynchronous(options.method))
        abilities.quantities.push_back(Quantity::change);
    if (problem.knownSolution)
        abilities.quantities.push_back(Quantity::error);
    abilities.parameters = solvers::poissonParameters(problem);
    abilities.knownSurvivesChanges = typed.problem.known.has_value();

    SolveTask task;
    task.plan = runPlan(typed.run, abilities);
    if (changesSolution(task.plan) && !abilities.knownSurvivesChanges)
        poisson->problem.knownSolution = nullptr;
    task.plan.granule = granuleOf(options);
    task.plan.patience = patienceFor(problem);
    task.title = fmt::format("jacobi     {}, {}, {}", typed.method, poisson->description,
                             nameOf(options.precision));
    task.settings = poisson->settings;
    task.settings["solver"] = "jacobi";
    task.settings["precision"] = nameOf(options.precision);
    if (isAsynchronous(options.method)) {
        task.settings["alpha"] = options.asyncFactor;
        task.settings["tile"] = options.tile;
    }
    if (options.method == JacobiMethod::temporal)
        task.settings["depth"] = options.depth;
    task.unknowns = problem.count();
    task.threads = options.threads;
    task.pin = typed.run.pin;
    task.output = solveOutput(typed.output, {2, 0.5});
    task.makeStepper = [poisson, options] {
        return solvers::makeJacobiStepper(std::move(poisson->problem), options);
    };
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
        .add_option("--method", options->method,
                    "naive, tuned, temporal, async0, async1, async2 or async3")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--alpha", options->asyncFactor,
                    "Iterations of a tile between two synchronisations (async0 to async3; even but "
                    "for async3; default: 6)")
        ->type_name("N");
    command
        .add_option("--tile", options->tile,
                    "Columns and rows of a tile (async0 to async3; default: chosen)")
        ->type_name("N[xN]");
    command
        .add_option("--depth", options->depth,
                    "Iterations in one pass over memory (temporal; default: chosen)")
        ->type_name("N");
    addPrecisionOption(command, options->precision);
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
