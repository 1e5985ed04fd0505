// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/parse_numbers.h"
#include "app/cli/solve_poisson.h"
#include "app/cli/solve_task.h"
#include "core/solvers/poisson_parameters.h"
#include "core/solvers/sor/relaxation.h"
#include "core/solvers/sor/sor_stepper.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <memory>

namespace gridhelm::cli {
namespace {

using solvers::SorMethod;
using solvers::SweepDirection;

struct SolveSorOptions
{
    PoissonOptions problem;
    RunOptions run;
    SolveOutputOptions output;
    std::string method = "red-black";
    std::string precision = "double";
    std::optional<std::string> relaxation;
    std::optional<std::string> direction;
    std::optional<std::string> shape;
    std::optional<std::string> iterationsPerPass;
};

SorMethod sorMethod(const std::string &name)
{
    if (name == "sequential")
        return SorMethod::sequential;
    if (name == "red-black")
        return SorMethod::redBlack;
    if (name == "mlssor")
        return SorMethod::mlssor;
    throw Error(
        fmt::format("there is no SOR method \"{}\": choose sequential, red-black or mlssor", name));
}

SweepDirection sweepDirection(const std::string &name)
{
    if (name == "forward")
        return SweepDirection::forward;
    if (name == "backward")
        return SweepDirection::backward;
    if (name == "alternating")
        return SweepDirection::alternating;
    throw Error(fmt::format("--direction: there is no \"{}\": choose forward, backward or "
                            "alternating",
                            name));
}

/// "16x32" or, as in the paper, "16x32x32".
solvers::MlssorShape mlssorShape(const std::string &text)
{
    const auto size = parseSize(text, "--shape");
    if (size.size() < 2 || size.back() != size[1])
        throw Error(fmt::format("--shape: {} is no sub-domain of K layers of M x M unknowns: write "
                                "KxM, e.g. 16x32",
                                text));
    return {size[0], size[1]};
}

solvers::SorSettings sorSettings(const SolveSorOptions &typed, const GlobalOptions &global)
{
    solvers::SorSettings settings;
    settings.method = sorMethod(typed.method);
    settings.precision = parsePrecision(typed.precision);
    settings.threads = solverThreads(global);
    if (settings.method == SorMethod::sequential)
        settings.threads = 1;
    const auto refuse = [&](const std::optional<std::string> &value, const char *option,
                            bool isMeant, const char *methods) {
        if (value && !isMeant)
            throw Error(fmt::format("{} is for {}, not for {}: leave it out", option, methods,
                                    typed.method));
    };
    refuse(typed.direction, "--direction", settings.method != SorMethod::redBlack,
           "the methods sequential and mlssor");
    refuse(typed.shape, "--shape", settings.method == SorMethod::mlssor, "the method mlssor");
    refuse(typed.iterationsPerPass, "--pass", settings.method == SorMethod::redBlack,
           "the method red-black");
    if (typed.relaxation) {
        settings.relaxation = parseReal(*typed.relaxation, "--relaxation");
        solvers::requireRelaxation(*settings.relaxation);
    }
    if (typed.direction)
        settings.direction = sweepDirection(*typed.direction);
    if (typed.shape)
        settings.shape = mlssorShape(*typed.shape);
    if (typed.iterationsPerPass) {
        constexpr int most = 64;
        const int pass = parseInteger(*typed.iterationsPerPass, "--pass");
        if (pass < 0 || pass > most)
            throw Error(fmt::format("--pass: {} iterations in a pass are not possible: choose 1 to "
                                    "{}, or 0 for as many as suit",
                                    pass, most));
        settings.iterationsPerPass = static_cast<unsigned>(pass);
    }
    return settings;
}

/// Iterations that the method does in one go, or that belong together.
std::uint64_t granuleOf(const solvers::SorSettings &settings)
{
    constexpr std::uint64_t redBlackPass = 8;
    const bool isPair = settings.direction == SweepDirection::alternating;
    switch (settings.method) {
    case SorMethod::sequential:
        return isPair ? 2 : 1;
    case SorMethod::mlssor:
        return settings.shape.layers * (isPair ? 2 : 1);
    case SorMethod::redBlack:
        break;
    }
    return settings.iterationsPerPass > 0 ? settings.iterationsPerPass : redBlackPass;
}

nlohmann::json settingsOf(const SolveSorOptions &typed, const solvers::SorSettings &settings,
                          const PoissonCase &poisson, double relaxation)
{
    auto json = poisson.settings;
    json["solver"] = "sor";
    json["precision"] = nameOf(settings.precision);
    json["relaxation"] = relaxation;
    if (settings.method == SorMethod::redBlack)
        json["iterations_per_pass"] = settings.iterationsPerPass;
    else
        json["direction"] = typed.direction.value_or("alternating");
    if (settings.method == SorMethod::mlssor)
        json["shape"] = {settings.shape.layers, settings.shape.width, settings.shape.width};
    return json;
}

void run(const GlobalOptions &global, const SolveSorOptions &typed)
{
    const auto settings = sorSettings(typed, global);
    const auto poisson = std::make_shared<PoissonCase>(poissonCase(typed.problem));
    const auto &problem = poisson->problem;
    const double relaxation =
        settings.relaxation.value_or(solvers::defaultRelaxation(problem, settings));

    RunAbilities abilities;
    abilities.method = fmt::format("the method {}", typed.method);
    abilities.quantities = {Quantity::residual};
    if (problem.knownSolution)
        abilities.quantities.push_back(Quantity::error);
    abilities.parameters = solvers::poissonParameters(problem);
    abilities.knownSurvivesChanges = typed.problem.known.has_value();
    abilities.parameters.insert(abilities.parameters.begin(), {"relaxation", "", relaxation, 0, 2});

    SolveTask task;
    task.plan = runPlan(typed.run, abilities);
    if (changesSolution(task.plan) && !abilities.knownSurvivesChanges)
        poisson->problem.knownSolution = nullptr;
    for (const auto &change : task.plan.changes) {
        if (change.parameter == "relaxation")
            solvers::requireRelaxation(change.value); // 0 and 2 themselves are refused
    }
    task.plan.granule = granuleOf(settings);
    task.plan.patience = patienceFor(problem);
    task.title = fmt::format("sor        {}, {}, w = {:.4g}, {}", typed.method,
                             poisson->description, relaxation, nameOf(settings.precision));
    task.settings = settingsOf(typed, settings, *poisson, relaxation);
    task.unknowns = problem.count();
    task.threads = settings.threads;
    task.pin = typed.run.pin;
    task.output = solveOutput(typed.output, {2, 0.5});
    task.makeStepper = [poisson, settings] {
        auto stepper = solvers::makeSorStepper(poisson->problem, settings);
        poisson->problem = {}; // the stepper has what it needs
        return stepper;
    };
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
    command.add_option("--method", options->method, "sequential, red-black or mlssor")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--relaxation,--w", options->relaxation,
                    "Relaxation factor, above 0 and below 2 (default: a good one for the grid)")
        ->type_name("W");
    command
        .add_option("--direction", options->direction,
                    "forward, backward or alternating sweeps (sequential, mlssor; default: "
                    "alternating, SSOR)")
        ->type_name("NAME");
    command
        .add_option("--shape", options->shape,
                    "Sub-domains of K layers of M x M unknowns (mlssor; default: 16x32)")
        ->type_name("KxM");
    command
        .add_option("--pass", options->iterationsPerPass,
                    "Iterations in one pass over memory (red-black; default: chosen)")
        ->type_name("N");
    addPrecisionOption(command, options->precision);
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
