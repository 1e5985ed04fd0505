// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/solve_poisson.h"

#include "app/cli/parse_numbers.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

namespace gridhelm::cli {
namespace {

using solvers::FunctionSource;
using solvers::PoissonProblem;
using solvers::SideKind;

constexpr std::array<const char *, 6> sideNames{"x-low",  "x-high", "y-low",
                                                "y-high", "z-low",  "z-high"};

std::string_view sideKindName(SideKind kind)
{
    return kind == SideKind::dirichlet ? "dirichlet" : "neumann";
}

/// "x-low=neumann:0", also with several or "all" sides.
void setSides(PoissonProblem &problem, const std::string &text)
{
    const auto equals = text.find('=');
    const auto colon = text.find(':', equals == std::string::npos ? 0 : equals);
    const std::string side = text.substr(0, equals);
    const std::string kind =
        equals == std::string::npos ? "" : text.substr(equals + 1, colon - equals - 1);
    if (kind != "dirichlet" && kind != "neumann")
        throw Error(
            fmt::format("--side: \"{}\" is no side condition: write SIDE=dirichlet:VALUE or "
                        "SIDE=neumann:VALUE",
                        text));
    const double value = colon == std::string::npos
                             ? 0
                             : parseReal(std::string_view(text).substr(colon + 1), "--side");
    const auto sides = 2 * static_cast<std::size_t>(problem.dimension);
    bool isKnown = false;
    for (std::size_t each = 0; each < sides; ++each) {
        if (side == "all" || side == sideNames[each]) {
            problem.sides[each] = {kind == "neumann" ? SideKind::neumann : SideKind::dirichlet,
                                   value};
            isKnown = true;
        }
    }
    if (!isKnown)
        throw Error(fmt::format("--side: there is no side \"{}\" in {}D: choose x-low, x-high, "
                                "y-low, y-high{} or all",
                                side, problem.dimension,
                                problem.dimension == 3 ? ", z-low, z-high" : ""));
}

/// Spacings between the two sides of each axis: a Dirichlet side is a whole one away from the
/// nearest unknown, a Neumann side half a one.
double intervalsOf(const PoissonProblem &problem, std::size_t axis)
{
    double intervals = static_cast<double>(problem.unknowns[axis]) - 1;
    for (std::size_t side : {2 * axis, 2 * axis + 1})
        intervals += problem.sides[side].kind == SideKind::dirichlet ? 1 : 0.5;
    return intervals;
}

double longestIntervals(const PoissonProblem &problem)
{
    double longest = 0;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.dimension); ++axis)
        longest = std::max(longest, intervalsOf(problem, axis));
    return longest;
}

std::array<double, 3> lengthsOf(const PoissonProblem &problem)
{
    std::array<double, 3> lengths{0, 0, 0};
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.dimension); ++axis)
        lengths[axis] = problem.spacing * intervalsOf(problem, axis);
    return lengths;
}

FunctionSource gaussian(const std::array<double, 3> &centre, double radius, double strength)
{
    return [=](double x, double y, double z) {
        const double square = (x - centre[0]) * (x - centre[0]) + (y - centre[1]) * (y - centre[1])
                              + (z - centre[2]) * (z - centre[2]);
        return strength * std::exp(-square / (2 * radius * radius));
    };
}

/// A product of sines and cosines that the discrete operator multiplies by a number, so that the
/// discrete solution is known in closed form.
void setEigenfunction(PoissonProblem &problem, const std::optional<std::string> &wavesText,
                      double strength)
{
    std::vector<int> waves = parseIntegers(wavesText.value_or("1,1,1"), "--waves");
    const auto dimension = static_cast<std::size_t>(problem.dimension);
    if (!wavesText)
        waves.resize(dimension);
    if (waves.size() != dimension)
        throw Error(fmt::format("--waves: there are {} numbers: give one for each of the {} "
                                "directions",
                                waves.size(), dimension));
    struct Factor
    {
        double frequency;
        bool isSine;
    };
    std::vector<Factor> factors;
    double eigenvalue = 0;
    const double h = problem.spacing;
    for (std::size_t axis = 0; axis < dimension; ++axis) {
        if (waves[axis] < 1)
            throw Error(fmt::format("--waves: {} is no number of half waves: choose at least 1",
                                    waves[axis]));
        const auto &low = problem.sides[2 * axis];
        const auto &high = problem.sides[2 * axis + 1];
        if (low.value != 0 || high.value != 0)
            throw Error("the eigenfunction is for side values of 0 only: leave them out, or choose "
                        "another source");
        const double half = low.kind == high.kind ? 0 : 0.5; // a quarter of a wave is cut off
        const double frequency =
            std::numbers::pi * (waves[axis] - half) / (h * intervalsOf(problem, axis));
        const double sine = std::sin(frequency * h / 2);
        eigenvalue += 4 / (h * h) * sine * sine;
        factors.push_back({frequency, low.kind == SideKind::dirichlet});
    }
    problem.knownSolution = [factors, strength](double x, double y, double z) {
        const std::array<double, 3> at{x, y, z};
        double value = strength;
        for (std::size_t axis = 0; axis < factors.size(); ++axis) {
            const double phase = factors[axis].frequency * at[axis];
            value *= factors[axis].isSine ? std::sin(phase) : std::cos(phase);
        }
        return value;
    };
    problem.source = [eigenvalue, u = problem.knownSolution](double x, double y, double z) {
        return eigenvalue * u(x, y, z);
    };
}

void setSource(PoissonProblem &problem, const PoissonOptions &options)
{
    const double strength = parseReal(options.strength, "--strength");
    const std::string &name = options.source;
    const std::size_t unusedAxes = problem.dimension == 3 ? 0 : 1;
    const bool hasPosition = name == "spike" || name == "gaussian";
    if (options.sourcePosition && !hasPosition)
        throw Error(fmt::format("--source-at is for the sources spike and gaussian, not for {}: "
                                "leave it out",
                                name));
    if (options.waves && name != "eigenfunction")
        throw Error(
            fmt::format("--waves is for the source eigenfunction, not for {}: leave it out", name));
    std::array<double, 3> position{0.5, 0.5, 0.5};
    if (options.sourcePosition)
        position = parsePosition(*options.sourcePosition, "--source-at", position, unusedAxes);
    const auto lengths = lengthsOf(problem);
    const double radius = 0.05 * *std::max_element(lengths.begin(), lengths.end());
    const auto at = [&](double x) {
        std::array<double, 3> centre{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            centre[axis] = lengths[axis] * (axis == 0 ? x : position[axis]);
        return centre;
    };

    if (name == "none")
        return;
    if (name == "spike") {
        problem.source = solvers::SpikeSource{strength, position};
    } else if (name == "constant") {
        problem.source = [strength](double, double, double) { return strength; };
    } else if (name == "gaussian") {
        problem.source = gaussian(at(position[0]), radius, strength);
    } else if (name == "dipole") {
        problem.source = [hot = gaussian(at(0.25), radius, strength),
                          cold = gaussian(at(0.75), radius, strength)](
                             double x, double y, double z) { return hot(x, y, z) - cold(x, y, z); };
    } else if (name == "eigenfunction") {
        setEigenfunction(problem, options.waves, strength);
    } else if (isFileName(name)) {
        auto values = readPointValues(name, problem.unknowns, "--source");
        for (double &value : values)
            value *= strength;
        problem.source = std::move(values);
    } else {
        throw Error(fmt::format("--source: there is no \"{}\": choose none, spike, constant, "
                                "gaussian, dipole, eigenfunction or a file (.vti, .f64 or text)",
                                name));
    }
}

/// The values of a file, at the positions of the unknowns.
FunctionSource knownFromFile(const PoissonProblem &problem, const std::string &path)
{
    const auto values = std::make_shared<const std::vector<double>>(
        readPointValues(path, problem.unknowns, "--known"));
    const auto origin = firstUnknown(problem);
    return [=, h = problem.spacing, n = problem.unknowns](double x, double y, double z) {
        const std::array<double, 3> at{x, y, z};
        std::size_t index = 0;
        for (std::size_t axis = 3; axis-- > 0;)
            index = index * n[axis]
                    + static_cast<std::size_t>(
                        std::max(0L, std::lround((at[axis] - origin[axis]) / h)));
        return (*values)[std::min(index, values->size() - 1)];
    };
}

void setKnownSolution(PoissonProblem &problem, const PoissonOptions &options)
{
    if (!options.known) // the eigenfunction brings its own
        return;
    if (*options.known == "none")
        problem.knownSolution = nullptr;
    else if (*options.known == "eigenfunction" && !problem.knownSolution)
        throw Error("--known: the eigenfunction is the solution for its own source only: add "
                    "--source eigenfunction");
    else if (isFileName(*options.known))
        problem.knownSolution = knownFromFile(problem, *options.known);
    else if (*options.known != "eigenfunction")
        throw Error(fmt::format("--known: there is no \"{}\": choose none, eigenfunction or a file "
                                "(.vti, .f64 or text)",
                                *options.known));
}

nlohmann::json settingsOf(const PoissonProblem &problem, const PoissonOptions &options)
{
    nlohmann::json sides = nlohmann::json::object();
    for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(problem.dimension); ++side)
        sides[sideNames[side]] = {{"kind", sideKindName(problem.sides[side].kind)},
                                  {"value", problem.sides[side].value}};
    nlohmann::json settings{{"dimension", problem.dimension},
                            {"unknowns", problem.unknowns},
                            {"spacing", problem.spacing},
                            {"sides", sides},
                            {"source", options.source}};
    if (options.source != "none")
        settings["strength"] = parseReal(options.strength, "--strength");
    if (const auto *spike = std::get_if<solvers::SpikeSource>(&problem.source))
        settings["source_position"] = spike->position;
    if (!options.start.empty())
        settings["start"] = options.start;
    return settings;
}

} // namespace

const char *const poissonHelp = R"(
It solves -Laplace(u) = f on a rectangle (2D) or box (3D) with the same spacing in every direction.

--size     unknowns: 512 (a square), 256x128, or 64x64x64 for three dimensions
--spacing  distance of neighbours; by default the longest side of the rectangle has length 1
--side     SIDE=dirichlet:VALUE gives u on a side, SIDE=neumann:VALUE its outward derivative, SIDE
           being x-low, x-high, y-low, y-high, z-low, z-high or all; by default all are dirichlet:0
--source   what f is; --strength multiplies it:
             none           Laplace's equation
             spike          all of it in one unknown, at --source-at (0.5,0.5: the middle); the
                            strength is the integral of f
             constant       1 everywhere
             gaussian       a spot around --source-at, its radius 1/20 of the longest side
             dipole         two such spots, one hot and one cold, that balance each other
             eigenfunction  a product of --waves half waves, whose discrete solution is known
             FILE           a value for each unknown, x fastest: .vti, raw float64 (.f64) or text
--known    a solution to compare with: eigenfunction, none, or a file like those for --source
--start    goes on from a field that was saved with --save
)";

void addPoissonOptions(CLI::App &command, PoissonOptions &options)
{
    command.add_option("--size", options.size, "Unknowns: 512, 256x128 or 64x64x64")
        ->type_name("N[xN[xN]]")
        ->capture_default_str();
    command
        .add_option("--spacing", options.spacing,
                    "Spacing of the grid (default: the longest side has length 1)")
        ->type_name("H");
    command
        .add_option("--side", options.sides,
                    "Side condition, e.g. x-low=neumann:0 or all=dirichlet:1; may be given again")
        ->type_name("SIDE=KIND[:VALUE]")
        ->allow_extra_args(false);
    command
        .add_option("--source", options.source,
                    "f: none, spike, constant, gaussian, dipole, eigenfunction, or a file")
        ->type_name("NAME|FILE")
        ->capture_default_str();
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
        .add_option("--known", options.known,
                    "Solution to compare with: eigenfunction (that source's default), none, or a "
                    "file")
        ->type_name("NAME|FILE");
    command.add_option("--start", options.start, "Begin with this field instead of 0")
        ->type_name("FILE.vti");
}

PoissonCase poissonCase(const PoissonOptions &options)
{
    PoissonCase result;
    auto &problem = result.problem;
    auto size = parseSize(options.size, "--size");
    if (size.size() == 1)
        size.push_back(size.front());
    problem.dimension = static_cast<int>(size.size());
    std::copy(size.begin(), size.end(), problem.unknowns.begin());
    for (const auto &side : options.sides)
        setSides(problem, side);
    problem.spacing =
        options.spacing ? parseReal(*options.spacing, "--spacing") : 1 / longestIntervals(problem);
    if (!(problem.spacing > 0)) // everything below divides by it
        throw Error(
            fmt::format("--spacing: {} is not positive: choose a number above 0", problem.spacing));
    setSource(problem, options);
    setKnownSolution(problem, options);
    if (!options.start.empty())
        problem.initialGuess = readPointValues(options.start, problem.unknowns, "--start");
    result.settings = settingsOf(problem, options);
    result.description = fmt::format("{} unknowns, spacing {:.4g}, source {}",
                                     describeSize(problem.unknowns, problem.dimension),
                                     problem.spacing, options.source);
    return result;
}

std::uint64_t patienceFor(const PoissonProblem &problem)
{
    return 1000 + 10 * *std::max_element(problem.unknowns.begin(), problem.unknowns.end());
}

} // namespace gridhelm::cli
