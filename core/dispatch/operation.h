// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/sparse_grid.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace gridhelm::dispatch {

/// The operations for which back ends are compared.
enum class Operation { transform, interpolation, cartesian, combination, jacobi, sor, pmm };

inline constexpr std::array operations{
    Operation::transform, Operation::interpolation, Operation::cartesian, Operation::combination,
    Operation::jacobi,    Operation::sor,           Operation::pmm};

/// "hierarchization", "interpolation", "cartesian", "combination", "jacobi", "sor", "pmm".
std::string_view nameOf(Operation operation);
std::optional<Operation> operationNamed(std::string_view name);

/// On sparse grids; the others are solvers.
constexpr bool isOnGrids(Operation operation)
{
    return operation <= Operation::combination;
}

/// What its sizes count, in the plural: "unknowns".
std::string_view unitOf(Operation operation);

// Sizes, in these units.

/// Hierarchization, and back: values, once for each dimension.
double transformSize(const sparse::SparseGrid &grid);
/// Scattered points: blocks, once for each point.
double interpolationSize(const sparse::SparseGrid &grid, std::size_t points);
/// Cartesian output: values out and in.
double cartesianSize(const sparse::SparseGrid &grid, std::size_t values);
/// Values that are combined.
double combinationSize(std::size_t rows, std::size_t columns);

} // namespace gridhelm::dispatch
