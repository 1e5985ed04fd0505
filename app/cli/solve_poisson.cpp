// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/solve_poisson.h"

#include "app/cli/solve_help.h"
#include "core/solvers/problem_in_words.h"
#include "core/support/parse_numbers.h"

#include <utility>

namespace gridhelm::cli {
namespace {

nlohmann::json settingsOf(const solvers::PoissonProblem &problem,
                          const solvers::PoissonSetup &options)
{
    nlohmann::json sides = nlohmann::json::object();
    for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(problem.dimension); ++side)
        sides[std::string(nameOf(static_cast<solvers::Side>(side)))] = {
            {"kind", nameOf(problem.sides[side].kind)}, {"value", problem.sides[side].value}};
    nlohmann::json settings{{"dimension", problem.dimension},
                            {"unknowns", problem.unknowns},
                            {"spacing", problem.spacing},
                            {"sides", sides},
                            {"source", options.source.text()}};
    if (options.source.name != "none")
        settings["strength"] = parseReal(options.strength, "--strength");
    if (options.radius)
        settings["radius"] = parseReal(*options.radius, "--radius");
    if (const auto *spike = std::get_if<solvers::SpikeSource>(&problem.source))
        settings["source_position"] = spike->position;
    return settings;
}

} // namespace

std::string poissonHelp()
{
    return helpOf(solvers::poissonInWords) + R"(
--size     unknowns: 512 (a square), 256x128, or 64x64x64 for three dimensions
--spacing  distance of neighbours; by default the longest side of the rectangle has length 1
--side     SIDE=dirichlet:VALUE gives u on a side, SIDE=neumann:VALUE its outward derivative, SIDE
           being x-low, x-high, y-low, y-high, z-low, z-high or all; by default all are dirichlet:0
--source   what f is; --strength multiplies it:
             none           Laplace's equation
             spike          all of it in one unknown, at --source-at (0.5,0.5: the middle); the
                            strength is the integral of f
             constant       1 everywhere
             gaussian       a spot around --source-at, its --radius 1/20 of the longest side
             dipole         two such spots, one hot and one cold, that balance each other
             eigenfunction  a product of --waves half waves, whose discrete solution is known
             FILE           a value for each unknown, x fastest: .vti, raw float64 (.f64) or text
--known    a solution to compare with: eigenfunction, none, or a file like those for --source
--start    begins with a field instead of 0: one that was saved with --save, interpolated if it has
           another resolution, or that of a study at --start-at; residuals are then relative to that of
           a cold start (u = 0), and --compare-cold tells how many iterations the start saves
)";
}

void addPoissonOptions(CLI::App &command, solvers::PoissonSetup &options)
{
    command.add_option("--size", options.size, "Unknowns: 512, 256x128 or 64x64x64")
        ->type_name("N[xN[xN]]")
        ->capture_default_str();
    command
        .add_option("--spacing", options.spacing,
                    "Spacing of the grid (default: the longest side has length 1)")
        ->type_name("H");
    command
        .add_option_function<std::vector<std::string>>(
            "--side",
            [&options](const std::vector<std::string> &texts) {
                options.sides.clear();
                for (const auto &text : texts)
                    options.sides.push_back(solvers::parseSide(text, "--side"));
            },
            "Side condition, e.g. x-low=neumann:0 or all=dirichlet:1; may be given again")
        ->type_name("SIDE=KIND[:VALUE]")
        ->allow_extra_args(false);
    command
        .add_option_function<std::string>(
            "--source",
            [&options](const std::string &text) { options.source = solvers::nameOrFile(text); },
            "f: none, spike, constant, gaussian, dipole, eigenfunction, or a file")
        ->type_name("NAME|FILE")
        ->default_str(options.source.name);
    command.add_option("--strength", options.strength, "Multiplies the source")
        ->type_name("S")
        ->capture_default_str();
    command
        .add_option(
            "--source-at", options.sourcePosition,
            "Where the spike or the Gaussian is, in units of the sides (default: the middle)")
        ->type_name("X,Y[,Z]");
    command
        .add_option("--waves", options.waves,
                    "Half waves of the eigenfunction in each direction (default: 1)")
        ->type_name("N,N[,N]");
    command
        .add_option_function<std::string>(
            "--known",
            [&options](const std::string &text) { options.known = solvers::nameOrFile(text); },
            "Solution to compare with: eigenfunction (that source's default), none, or a "
            "file")
        ->type_name("NAME|FILE");
    command
        .add_option("--radius", options.radius,
                    "Standard deviation of the Gaussian, in units of the longest side (0.05)")
        ->type_name("R");
}

PoissonCase poissonCase(const solvers::PoissonSetup &setup)
{
    auto problem = solvers::poissonProblem(setup);
    auto settings = settingsOf(problem, setup);
    auto description = describe(problem, setup);
    return {std::move(problem), std::move(settings), std::move(description)};
}

} // namespace gridhelm::cli
