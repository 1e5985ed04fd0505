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
/// ghosts are up to date between passes.
template <typename T>
struct JacobiState
{
    PoissonProblem problem;
    CpuDevice cpu;
    ScaledSource<T> source;
    PaddedGrid<T> present;
    PaddedGrid<T> next;

    JacobiState(PoissonProblem theProblem, const CpuDevice &theCpu)
        : problem(std::move(theProblem))
        , cpu(theCpu)
        , source(scaledSource<T>(problem, cpu))
        , present(problem.unknowns, problem.dimension, cpu)
        , next(problem.unknowns, problem.dimension, cpu)
    {
        if (problem.initialGuess)
            present.assign(std::span<const double>(*problem.initialGuess));
        problem.initialGuess.reset();
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

    bool isNeumann(Side side) const
    {
        return problem.sides[static_cast<std::size_t>(side)].kind == SideKind::neumann;
    }

    /// Whether ghosts change with the values.
    bool hasNeumannSide() const
    {
        return std::any_of(problem.sides.begin(), problem.sides.begin() + 2 * problem.dimension,
                           [](const auto &side) { return side.kind == SideKind::neumann; });
    }
};

} // namespace gridhelm::solvers::jacobi
