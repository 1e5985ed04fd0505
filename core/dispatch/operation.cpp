// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/operation.h"

#include <algorithm>

namespace gridhelm::dispatch {
namespace {

struct Words
{
    std::string_view name, unit;
};

const Words &wordsFor(Operation operation)
{
    static constexpr std::array<Words, operations.size()> words{
        {{"hierarchization", "values times dimensions"},
         {"interpolation", "points times blocks"},
         {"cartesian", "values"},
         {"combination", "values"},
         {"jacobi", "unknowns"},
         {"sor", "unknowns"},
         {"pmm", "nodes"}}};
    return words.at(static_cast<std::size_t>(operation));
}

} // namespace

std::string_view nameOf(Operation operation)
{
    return wordsFor(operation).name;
}

std::optional<Operation> operationNamed(std::string_view name)
{
    const auto *const found = std::ranges::find(operations, name, nameOf);
    return found == operations.end() ? std::nullopt : std::optional(*found);
}

std::string_view unitOf(Operation operation)
{
    return wordsFor(operation).unit;
}

double transformSize(const sparse::SparseGrid &grid)
{
    return static_cast<double>(grid.points()) * grid.dimension();
}

double interpolationSize(const sparse::SparseGrid &grid, std::size_t points)
{
    return static_cast<double>(grid.blocks()) * static_cast<double>(points);
}

double cartesianSize(const sparse::SparseGrid &grid, std::size_t values)
{
    return static_cast<double>(grid.points()) + static_cast<double>(values);
}

double combinationSize(std::size_t rows, std::size_t columns)
{
    return static_cast<double>(rows) * static_cast<double>(columns);
}

} // namespace gridhelm::dispatch
