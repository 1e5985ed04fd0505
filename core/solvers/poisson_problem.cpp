// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson_problem.h"

#include "core/support/axis_names.h"
#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace gridhelm::solvers {

namespace {

template <typename... Cases>
struct Overloaded : Cases...
{
    using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>; // clang 14 does not find it by itself

std::uint64_t checkedCount(const PoissonProblem &problem)
{
    if (problem.dimension != 2 && problem.dimension != 3)
        throw Error("a Poisson problem has 2 or 3 dimensions, not "
                    + std::to_string(problem.dimension) + "; choose one of these");
    std::uint64_t count = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (problem.unknowns[axis] == 0)
            throw Error(std::string("there are no unknowns in ") + axisNames[axis]
                        + " direction; ask for at least 1");
        count = checkedMultiply(count, problem.unknowns[axis]);
    }
    if (problem.dimension == 2 && problem.unknowns[2] != 1)
        throw Error("a 2D problem has 1 unknown in z direction, not "
                    + std::to_string(problem.unknowns[2]) + "; choose 3 dimensions for more");
    return count;
}

void requireFinite(double value, const char *what)
{
    if (!std::isfinite(value))
        throw Error(std::string(what) + " is not a finite number; choose another value");
}

void requireFinite(const std::vector<double> &values, std::size_t count, const char *what)
{
    if (values.size() != count)
        throw Error(std::string(what) + " has " + std::to_string(values.size())
                    + " values, but there are " + std::to_string(count)
                    + " unknowns; give one value for each");
    for (double value : values)
        requireFinite(value, what);
}

/// visit(i, j, k) for every unknown of a slab, x fastest.
template <typename Visitor>
void forEachUnknown(const PoissonProblem &problem, const Slab &slab, Visitor visit)
{
    const auto &n = problem.unknowns;
    const bool is3D = problem.dimension == 3;
    for (std::size_t k = is3D ? slab.begin : 0; k < (is3D ? slab.end : n[2]); ++k) {
        for (std::size_t j = is3D ? 0 : slab.begin; j < (is3D ? n[1] : slab.end); ++j) {
            for (std::size_t i = 0; i < n[0]; ++i)
                visit(i, j, k);
        }
    }
}

/// Calls visit(f) with f at every unknown of a slab, x fastest.
template <typename Visitor>
void forEachSourceValue(const PoissonProblem &problem, const FunctionSource &f, const Slab &slab,
                        Visitor visit)
{
    const auto origin = firstUnknown(problem);
    const auto at = [&](std::size_t axis, std::size_t index) {
        return origin[axis] + problem.spacing * static_cast<double>(index);
    };
    forEachUnknown(problem, slab, [&](std::size_t i, std::size_t j, std::size_t k) {
        visit(f(at(0, i), at(1, j), problem.dimension == 3 ? at(2, k) : 0.0));
    });
}

double spikeHeight(const PoissonProblem &problem, const SpikeSource &spike)
{
    return spike.strength / std::pow(problem.spacing, problem.dimension);
}

/// A sum, and how large it would be without cancellation.
struct Sum
{
    double value = 0;
    double magnitude = 0;

    void add(double term)
    {
        value += term;
        magnitude += std::abs(term);
    }
};

/// All that flows into the rectangle, in units of f h^dimension. Also checks that f is finite.
Sum totalSource(const PoissonProblem &problem)
{
    const double cell = std::pow(problem.spacing, problem.dimension);
    Sum sum;
    const auto add = [&](double f) {
        requireFinite(f, "the source");
        sum.add(f * cell);
    };
    std::visit(Overloaded{
                   [](std::monostate) {},
                   [&](const SpikeSource &spike) { add(spikeHeight(problem, spike)); },
                   [&](const GridSource &f) { std::for_each(f.begin(), f.end(), add); },
                   [&](const FunctionSource &f) {
                       if (!f)
                           throw Error("the source is an empty function; give one that computes f");
                       forEachSourceValue(problem, f, wholeSlab(problem), add);
                   },
               },
               problem.source);
    for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(problem.dimension); ++side) {
        const auto axis = side / 2;
        const auto faces = problem.count() / problem.unknowns[axis];
        sum.add(problem.sides[side].value * static_cast<double>(faces) * cell / problem.spacing);
    }
    return sum;
}

} // namespace

void requireSoluble(const PoissonProblem &problem, std::size_t bytesPerUnknown)
{
    const auto count = checkedCount(problem);
    const auto bytes = checkedMultiply(count, bytesPerUnknown);
    requireMemory(static_cast<double>(bytes), "the grid of " + std::to_string(count) + " unknowns",
                  "choose fewer unknowns");
    if (!(problem.spacing > 0) || !std::isfinite(problem.spacing))
        throw Error("the spacing of the grid is not positive; choose a number above 0");
    for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(problem.dimension); ++side)
        requireFinite(problem.sides[side].value, "a boundary value");
    if (const auto *spike = std::get_if<SpikeSource>(&problem.source)) {
        requireFinite(spike->strength, "the strength of the source");
        for (double position : spike->position) {
            if (!(position >= 0 && position <= 1))
                throw Error("the source lies outside the rectangle; choose a position between 0 "
                            "and 1 in each direction");
        }
    }
    if (const auto *f = std::get_if<GridSource>(&problem.source))
        requireFinite(*f, count, "the source");
    if (problem.initialGuess)
        requireFinite(*problem.initialGuess, count, "the initial guess");
    const auto total = totalSource(problem);
    // Sampled functions cancel to the round-off of their sum.
    if (isAllNeumann(problem) && std::abs(total.value) > 1e-10 * total.magnitude)
        throw Error("there is no steady state, because all sides are of Neumann type and the "
                    "source and the fluxes through the sides do not add up to 0; balance them, or "
                    "make one side a Dirichlet side");
}

std::array<double, 3> firstUnknown(const PoissonProblem &problem)
{
    std::array<double, 3> origin{0, 0, 0};
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.dimension); ++axis) {
        const bool isDirichlet = problem.sides[2 * axis].kind == SideKind::dirichlet;
        origin[axis] = isDirichlet ? problem.spacing : problem.spacing / 2;
    }
    return origin;
}

std::array<std::size_t, 3> unknownAt(const PoissonProblem &problem,
                                     const std::array<double, 3> &position)
{
    std::array<std::size_t, 3> unknown{0, 0, 0};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto count = problem.unknowns[axis];
        const auto index =
            std::floor(std::clamp(position[axis], 0.0, 1.0) * static_cast<double>(count));
        unknown[axis] = std::min(static_cast<std::size_t>(index), count - 1);
    }
    return unknown;
}

bool isAllNeumann(const PoissonProblem &problem)
{
    return std::all_of(problem.sides.begin(), problem.sides.begin() + 2 * problem.dimension,
                       [](const auto &side) { return side.kind == SideKind::neumann; });
}

bool hasSourceArray(const PoissonProblem &problem)
{
    return std::holds_alternative<GridSource>(problem.source)
           || std::holds_alternative<FunctionSource>(problem.source);
}

std::vector<double> sampleSource(const PoissonProblem &problem)
{
    return sampleSource(problem, wholeSlab(problem));
}

std::vector<double> sampleSource(const PoissonProblem &problem, const Slab &slab)
{
    const auto layer = unknownsOfLayer(problem);
    const auto count = slab.size() * layer;
    std::vector<double> values;
    std::visit(Overloaded{
                   [](std::monostate) {},
                   [&](const SpikeSource &spike) {
                       values.resize(count);
                       const auto [i, j, k] = unknownAt(problem, spike.position);
                       const auto &n = problem.unknowns;
                       const auto at = (k * n[1] + j) * n[0] + i;
                       if (at >= slab.begin * layer && at < slab.end * layer)
                           values[at - slab.begin * layer] = spikeHeight(problem, spike);
                   },
                   [&](const GridSource &f) {
                       const auto first =
                           f.begin() + static_cast<std::ptrdiff_t>(slab.begin * layer);
                       values.assign(first, first + static_cast<std::ptrdiff_t>(count));
                   },
                   [&](const FunctionSource &f) {
                       values.reserve(count);
                       forEachSourceValue(problem, f, slab, [&](double v) { values.push_back(v); });
                   },
               },
               problem.source);
    return values;
}

Slab wholeSlab(const PoissonProblem &problem)
{
    const auto size = problem.unknowns[problem.dimension == 3 ? 2 : 1];
    return {0, size, size};
}

std::array<std::size_t, 3> unknownsOf(const PoissonProblem &problem, const Slab &slab)
{
    auto unknowns = problem.unknowns;
    unknowns[problem.dimension == 3 ? 2 : 1] = slab.size();
    return unknowns;
}

std::size_t unknownsOfLayer(const PoissonProblem &problem)
{
    return problem.dimension == 3 ? problem.unknowns[0] * problem.unknowns[1] : problem.unknowns[0];
}

} // namespace gridhelm::solvers
