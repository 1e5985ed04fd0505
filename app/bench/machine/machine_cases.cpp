// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/machine/machine_cases.h"

#include "core/sparse/grid_shape.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace gridhelm::bench {
namespace {

using sparse::countGrid;
using sparse::GridShape;

constexpr int firstDimension = 2, lastDimension = 10;

// By size:
constexpr std::array<std::uint64_t, machineSizes> gridPoints{
    std::uint64_t{1} << 14, std::uint64_t{1} << 20, std::uint64_t{1} << 24, std::uint64_t{1} << 27,
    std::uint64_t{1} << 30};
/// Blocks that are visited, of all points together.
constexpr std::array<std::uint64_t, machineSizes> visits{
    std::uint64_t{1} << 24, std::uint64_t{1} << 27, std::uint64_t{1} << 29, std::uint64_t{1} << 30,
    std::uint64_t{1} << 31};
constexpr std::array<std::size_t, machineSizes> squares{256, 512, 1024, 2048, 4096};
constexpr std::array<std::size_t, machineSizes> cubes{32, 64, 128, 160, 192};
constexpr std::array<std::uint64_t, machineSizes> matrixValues{
    std::uint64_t{1} << 18, std::uint64_t{1} << 22, std::uint64_t{1} << 25, std::uint64_t{1} << 28,
    std::uint64_t{1} << 31};

/// The largest level with at most so many points.
int levelWith(int dimension, std::uint64_t points)
{
    constexpr int highest = 28; // beyond 2^30 points in two dimensions
    int level = 1;
    while (level < highest && countGrid(GridShape(dimension, level + 1)).points <= points)
        ++level;
    return level;
}

std::size_t pointsToVisit(int dimension, int level, std::uint64_t blocksInAll)
{
    constexpr std::uint64_t least = 256, most = std::uint64_t{1} << 22;
    const auto blocks = countGrid(GridShape(dimension, level)).blocks;
    return std::bit_floor(std::clamp(blocksInAll / blocks, least, most));
}

dispatch::Workload workOf(OperationClass operation, int d, std::size_t size)
{
    const int level = levelWith(d, gridPoints[size]);
    switch (operation) {
    case OperationClass::hierarchization:
        return dispatch::TransformWork{d, level};
    case OperationClass::interpolation:
        return dispatch::InterpolationWork{d, level, pointsToVisit(d, level, visits[size])};
    case OperationClass::shared: {
        dispatch::SharedWork work{d, level, 0};
        work.points = pointsToVisit(work.freeDimensions(), level, visits[size]);
        return work;
    }
    case OperationClass::cartesian:
        return dispatch::CartesianWork{d, level, d == 2 ? squares[size] : cubes[size]};
    case OperationClass::combination:
        break;
    }
    // As many rows as a grid of level 4 has blocks, one of each counts at a place; whole cache
    // lines.
    constexpr int levelOfVectors = 4;
    constexpr std::uint64_t line = 16;
    const auto rows = countGrid(GridShape(d, levelOfVectors)).blocks;
    return dispatch::CombinationWork{rows, matrixValues[size] / rows / line * line};
}

} // namespace

double MachineCase::amount() const
{
    if (const auto *transform = std::get_if<dispatch::TransformWork>(&work))
        return static_cast<double>(
            countGrid(GridShape(transform->dimension, transform->level)).points);
    if (const auto *scattered = std::get_if<dispatch::InterpolationWork>(&work))
        return static_cast<double>(scattered->points);
    if (const auto *shared = std::get_if<dispatch::SharedWork>(&work))
        return static_cast<double>(shared->points);
    if (const auto *product = std::get_if<dispatch::CartesianWork>(&work)) {
        const auto side = static_cast<double>(product->side);
        return product->dimension == 2 ? side * side : side * side * side;
    }
    return dispatch::sizeOf(work); // values that are combined
}

double MachineCase::deliveredBytes() const
{
    const double values = amount() * sizeof(float);
    switch (operation) {
    case OperationClass::hierarchization:
        return 2 * values; // there and back
    case OperationClass::interpolation:
    case OperationClass::shared:
        return values * (dimension + 1); // coordinates there
    case OperationClass::cartesian:
        return values;
    case OperationClass::combination:
        break;
    }
    const auto *matrix = std::get_if<dispatch::CombinationWork>(&work);
    return static_cast<double>(matrix->columns * sizeof(float));
}

double MachineCase::workingBytes() const
{
    double values = amount();
    if (const auto *product = std::get_if<dispatch::CartesianWork>(&work))
        values +=
            static_cast<double>(countGrid(GridShape(product->dimension, product->level)).points);
    return values * sizeof(float);
}

std::vector<MachineCase> machineCases(bool quick)
{
    std::vector<MachineCase> cases;
    for (int size = 0; size < (quick ? 2 : machineSizes); ++size) {
        for (int d = firstDimension; d <= lastDimension; d += quick ? 2 : 1) {
            for (const auto operation : operationClasses)
                cases.push_back(
                    {operation, d, size, workOf(operation, d, static_cast<std::size_t>(size))});
        }
    }
    return cases;
}

} // namespace gridhelm::bench
