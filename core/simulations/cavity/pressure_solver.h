// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace gridhelm::simulations {

enum class PressureMethod {
    cosine, ///< direct, by fast cosine transforms
    sor     ///< red-black SOR down to a residual of 1e-10 of the right-hand side; 2D only
};

/// Laplace(p) = f on the cells of a unit square or cube, the 5- or 7-point stencil with spacing
/// 1 / cells, dp/dn = 0 on all sides; the solution of mean 0. f must sum to 0 up to round-off.
/// Not thread-safe, but different objects may be used (and made) by different threads.
class PressureSolver
{
public:
    virtual ~PressureSolver() = default;

    /// In place: f becomes p. cells^dimension values, x fastest; the memory is the solver's own, so
    /// that it is aligned as the transforms want it.
    virtual std::span<double> values() = 0;
    virtual void solve() = 0;
};

std::unique_ptr<PressureSolver> makePressureSolver(PressureMethod method, int dimension,
                                                   std::size_t cells,
                                                   const ExecutionContext &context);

std::unique_ptr<PressureSolver> makeCosineSolver(int dimension, std::size_t cells);
std::unique_ptr<PressureSolver> makeSorPressureSolver(std::size_t cells,
                                                      const ExecutionContext &context);

/// Doubles per cell that the larger of the solvers holds.
constexpr std::size_t pressureSolverValuesPerCell = 6;

} // namespace gridhelm::simulations
