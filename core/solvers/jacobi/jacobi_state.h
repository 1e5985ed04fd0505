// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/solvers/padded_grid.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/scaled_source.h"

#include <algorithm>
#include <utility>

namespace gridhelm::solvers::jacobi {

/// What all methods iterate on: the present values, and a grid that takes the next ones. Their
/// ghosts are up to date between passes; so are the halos of a slab if somebody looks after them.
template <typename T>
struct JacobiState
{
    PoissonProblem problem; ///< with the slab's unknowns, without an array of f or a guess
    Slab slab;
    CpuDevice cpu;
    ScaledSource<T> source;
    PaddedGrid<T> present;
    PaddedGrid<T> next;

    JacobiState(const PoissonProblem &whole, const CpuDevice &theCpu)
        : JacobiState(whole, wholeSlab(whole), theCpu)
    {
    }

    /// A slab of the problem, with halos as the initial guess has them.
    JacobiState(const PoissonProblem &whole, const Slab &theSlab, const CpuDevice &theCpu)
        : problem(problemOf(whole, theSlab))
        , slab(theSlab)
        , cpu(theCpu)
        , source(scaledSource<T>(whole, slab, cpu))
        , present(problem.unknowns, problem.dimension, cpu, halosOf(slab))
        , next(problem.unknowns, problem.dimension, cpu, halosOf(slab))
    {
        if (whole.initialGuess)
            takeGuess(*whole.initialGuess);
        setGhosts();
    }

    /// After a change of the problem that setParameters() of the iterations may be told of.
    void setParameters(const PoissonProblem &whole)
    {
        problem.sides = whole.sides;
        if (source.spike)
            source.spike = scaledSpike<T>(whole, slab);
        setGhosts();
    }

    /// After a boundary value has changed.
    void setGhosts()
    {
        setAllGhosts(present, problem.sides, problem.spacing);
        setAllGhosts(next, problem.sides, problem.spacing);
    }

    /// The next values become the present ones.
    void swap() { std::swap(present, next); }

    std::ptrdiff_t points(std::size_t axis) const
    {
        return static_cast<std::ptrdiff_t>(problem.unknowns[axis]);
    }

    /// Whether the ghosts beyond a side follow the values beside them.
    bool isNeumann(Side side) const
    {
        const auto index = static_cast<std::size_t>(side);
        const auto lowOfSlab = problem.dimension == 3 ? Side::zLow : Side::yLow;
        const auto highOfSlab = problem.dimension == 3 ? Side::zHigh : Side::yHigh;
        if ((side == lowOfSlab && slab.hasLower()) || (side == highOfSlab && slab.hasUpper()))
            return false;
        return problem.sides[index].kind == SideKind::neumann;
    }

    /// Whether ghosts change with the values.
    bool hasNeumannSide() const
    {
        return std::any_of(problem.sides.begin(), problem.sides.begin() + 2 * problem.dimension,
                           [](const auto &side) { return side.kind == SideKind::neumann; });
    }

private:
    static PoissonProblem problemOf(const PoissonProblem &whole, const Slab &slab)
    {
        PoissonProblem problem;
        problem.dimension = whole.dimension;
        problem.unknowns = unknownsOf(whole, slab);
        problem.spacing = whole.spacing;
        problem.sides = whole.sides;
        return problem;
    }

    void takeGuess(std::span<const double> guess)
    {
        const auto layer = unknownsOfLayer(problem);
        present.assign(guess.subspan(slab.begin * layer, problem.count()));
        if (slab.hasLower())
            setHalo(guess.subspan((slab.begin - 1) * layer, layer), -1);
        if (slab.hasUpper())
            setHalo(guess.subspan(slab.end * layer, layer),
                    static_cast<std::ptrdiff_t>(slab.size()));
    }

    /// Of one row (2D) or plane (3D).
    void setHalo(std::span<const double> values, std::ptrdiff_t at)
    {
        const bool is3D = problem.dimension == 3;
        const auto n = problem.unknowns[0];
        for (std::size_t j = 0; j < values.size() / n; ++j) {
            T *row = is3D ? present.row(static_cast<std::ptrdiff_t>(j), at) : present.row(at);
            std::ranges::transform(values.subspan(j * n, n), row,
                                   [](double value) { return static_cast<T>(value); });
        }
    }
};

} // namespace gridhelm::solvers::jacobi
