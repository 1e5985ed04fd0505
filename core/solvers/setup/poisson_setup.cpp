// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/setup/poisson_setup.h"

#include "core/solvers/setup/problem_text.h"
#include "core/support/error.h"
#include "core/support/extents_text.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace gridhelm::solvers {
namespace {

constexpr std::array<const char *, 6> sideNames{"x-low",  "x-high", "y-low",
                                                "y-high", "z-low",  "z-high"};

void setSides(PoissonProblem &problem, const SideSetup &setup, const std::string &option)
{
    const double value = parseReal(setup.value, option);
    const auto sides = 2 * static_cast<std::size_t>(problem.dimension);
    bool isKnown = false;
    for (std::size_t each = 0; each < sides; ++each) {
        if (setup.side == "all" || setup.side == sideNames[each]) {
            problem.sides[each] = {setup.kind, value};
            isKnown = true;
        }
    }
    if (!isKnown)
        throw Error(fmt::format("{}: there is no side \"{}\" in {}D: choose x-low, x-high, "
                                "y-low, y-high{} or all",
                                option, setup.side, problem.dimension,
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
void setEigenfunction(PoissonProblem &problem, const PoissonSetup &setup, double strength)
{
    const std::string option = setup.prefix + "waves";
    std::vector<int> waves = parseIntegers(setup.waves.value_or("1,1,1"), option);
    const auto dimension = static_cast<std::size_t>(problem.dimension);
    if (!setup.waves)
        waves.resize(dimension);
    if (waves.size() != dimension)
        throw Error(fmt::format("{}: there are {} numbers: give one for each of the {} "
                                "directions",
                                option, waves.size(), dimension));
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
            throw Error(fmt::format("{}: {} is not a number of half waves: choose at least 1",
                                    option, waves[axis]));
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

/// Of a gaussian spot, in longest sides.
double radiusOf(const PoissonSetup &setup)
{
    if (!setup.radius)
        return 0.05;
    const auto option = setup.prefix + "radius";
    const double radius = parseReal(*setup.radius, option);
    if (setup.source.name != "gaussian" || !setup.source.file.empty())
        throw Error(fmt::format("{} is for the source gaussian, not for {}: leave it out", option,
                                setup.source.text()));
    if (!(radius > 0))
        throw Error(fmt::format("{}: {} is not positive: choose a number above 0", option, radius));
    return radius;
}

void setSource(PoissonProblem &problem, const PoissonSetup &setup)
{
    const double strength = parseReal(setup.strength, setup.prefix + "strength");
    const std::string &name = setup.source.name;
    const bool isFile = !setup.source.file.empty();
    const std::size_t unusedAxes = problem.dimension == 3 ? 0 : 1;
    const bool hasPosition = !isFile && (name == "spike" || name == "gaussian");
    if (setup.sourcePosition && !hasPosition)
        throw Error(fmt::format("{}source-at is for the sources spike and gaussian, not for "
                                "{}: leave it out",
                                setup.prefix, setup.source.text()));
    if (setup.waves && (isFile || name != "eigenfunction"))
        throw Error(fmt::format("{}waves is for the source eigenfunction, not for {}: leave it out",
                                setup.prefix, setup.source.text()));
    std::array<double, 3> position{0.5, 0.5, 0.5};
    if (setup.sourcePosition)
        position =
            parsePosition(*setup.sourcePosition, setup.prefix + "source-at", position, unusedAxes);
    const auto lengths = lengthsOf(problem);
    const double radius = radiusOf(setup) * *std::max_element(lengths.begin(), lengths.end());
    const auto at = [&](double x) {
        std::array<double, 3> centre{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            centre[axis] = lengths[axis] * (axis == 0 ? x : position[axis]);
        return centre;
    };

    if (isFile) {
        auto values = readPointValues(setup.source.file, problem.unknowns, setup.prefix + "source");
        for (double &value : values)
            value *= strength;
        problem.source = std::move(values);
        return;
    }
    if (name == "none")
        return;
    if (name == "spike") {
        problem.source = SpikeSource{strength, position};
    } else if (name == "constant") {
        problem.source = [strength](double, double, double) { return strength; };
    } else if (name == "gaussian") {
        problem.source = gaussian(at(position[0]), radius, strength);
    } else if (name == "dipole") {
        problem.source = [hot = gaussian(at(0.25), radius, strength),
                          cold = gaussian(at(0.75), radius, strength)](
                             double x, double y, double z) { return hot(x, y, z) - cold(x, y, z); };
    } else if (name == "eigenfunction") {
        setEigenfunction(problem, setup, strength);
    } else {
        throw Error(fmt::format("{}source: there is no \"{}\": choose none, spike, constant, "
                                "gaussian, dipole, eigenfunction or a file (.vti, .f64 or text)",
                                setup.prefix, name));
    }
}

/// The values of a file, at the positions of the unknowns.
FunctionSource knownFromFile(const PoissonProblem &problem, const PoissonSetup &setup)
{
    const auto values = std::make_shared<const std::vector<double>>(
        readPointValues(setup.known->file, problem.unknowns, setup.prefix + "known"));
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

void setKnownSolution(PoissonProblem &problem, const PoissonSetup &setup)
{
    if (!setup.known) // the eigenfunction brings its own
        return;
    if (!setup.known->file.empty()) {
        problem.knownSolution = knownFromFile(problem, setup);
        return;
    }
    const auto &name = setup.known->name;
    if (name == "none")
        problem.knownSolution = nullptr;
    else if (name != "eigenfunction")
        throw Error(fmt::format("{}known: there is no \"{}\": choose none, eigenfunction or a file "
                                "(.vti, .f64 or text)",
                                setup.prefix, name));
    else if (!problem.knownSolution)
        throw Error(fmt::format("{0}known: the eigenfunction is the solution for its own source "
                                "only: add {0}source eigenfunction",
                                setup.prefix));
}

void setStart(PoissonProblem &problem, const PoissonSetup &setup)
{
    const auto option = setup.prefix + "start";
    if (setup.startAt)
        problem.initialGuess = setup.startAt(placesOf(problem));
    else if (setup.start.ends_with(".vti"))
        problem.initialGuess = startingValues(
            problem, readStartField(setup.start, setup.startArray, problem.unknowns));
    else if (!setup.start.empty())
        problem.initialGuess = readPointValues(setup.start, problem.unknowns, option);
    problem.isMeasuredFromCold = problem.initialGuess.has_value();
}

} // namespace

SideSetup parseSide(const std::string &text, const std::string &what)
{
    const auto equals = text.find('=');
    const auto colon = text.find(':', equals == std::string::npos ? 0 : equals);
    const std::string kind =
        equals == std::string::npos ? "" : text.substr(equals + 1, colon - equals - 1);
    if (kind != "dirichlet" && kind != "neumann")
        throw Error(fmt::format("{}: \"{}\" is no side condition: write SIDE=dirichlet:VALUE or "
                                "SIDE=neumann:VALUE",
                                what, text));
    SideSetup setup{text.substr(0, equals),
                    kind == "neumann" ? SideKind::neumann : SideKind::dirichlet};
    if (colon != std::string::npos)
        setup.value = text.substr(colon + 1);
    return setup;
}

NameOrFile nameOrFile(const std::string &text)
{
    return isFileName(text) ? NameOrFile{{}, text} : NameOrFile{text, {}};
}

PoissonProblem poissonProblem(const PoissonSetup &setup)
{
    PoissonProblem problem;
    auto size = parseExtents(setup.size, setup.prefix + "size");
    if (size.size() == 1)
        size.push_back(size.front());
    problem.dimension = static_cast<int>(size.size());
    std::copy(size.begin(), size.end(), problem.unknowns.begin());
    for (const auto &side : setup.sides)
        setSides(problem, side, setup.prefix + "side");
    const std::string option = setup.prefix + "spacing";
    problem.spacing =
        setup.spacing ? parseReal(*setup.spacing, option) : 1 / longestIntervals(problem);
    if (!(problem.spacing > 0)) // everything below divides by it
        throw Error(fmt::format("{}: {} is not positive: choose a number above 0", option,
                                problem.spacing));
    setSource(problem, setup);
    setKnownSolution(problem, setup);
    setStart(problem, setup);
    return problem;
}

std::string describe(const PoissonProblem &problem, const PoissonSetup &setup)
{
    return fmt::format("{} unknowns, spacing {:.4g}, source {}",
                       describeSize(problem.unknowns, problem.dimension), problem.spacing,
                       setup.source.text());
}

std::string_view nameOf(Side side)
{
    return sideNames[static_cast<std::size_t>(side)];
}

std::string_view nameOf(SideKind kind)
{
    return kind == SideKind::dirichlet ? "dirichlet" : "neumann";
}

std::uint64_t patienceFor(const PoissonProblem &problem)
{
    return 1000 + 10 * *std::max_element(problem.unknowns.begin(), problem.unknowns.end());
}

} // namespace gridhelm::solvers
