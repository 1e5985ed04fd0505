// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/cpu_cases.h"

#include "core/linalg/tiled_combination.h"
#include "core/solvers/jacobi/temporal_update.h"
#include "core/solvers/jacobi/tuned_update.h"
#include "core/solvers/pmm/plane_march.h"
#include "core/solvers/sor/red_black_passes.h"
#include "core/sparse/omp/cartesian_plan.h"
#include "core/sparse/omp/hierarchization.h"
#include "core/sparse/omp/random_points.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace gridhelm::tuning {
namespace {

using namespace dispatch;
using solvers::Precision;

constexpr std::array<const TunableOperation *, 8> operations{
    &linalg::combinationTunable,    &sparse::omp::interpolationTunable,
    &sparse::omp::cartesianTunable, &sparse::omp::hierarchizationTunable,
    &solvers::jacobi::tunedTunable, &solvers::jacobi::temporalTunable,
    &solvers::redBlackTunable,      &solvers::pmmTunable};

constexpr auto wholeWork = std::numeric_limits<std::size_t>::max() / 8;

double pointsOf(int dimension, int level)
{
    return static_cast<double>(sparse::countGrid(sparse::GridShape(dimension, level)).points);
}

/// Every thread has one of the largest tasks at least.
TuningCase interpolation(int threads, int dimension, int level)
{
    constexpr std::size_t largestTask = 4096;
    const auto &operation = sparse::omp::interpolationTunable;
    return {.operation = &operation,
            .work = InterpolationWork{dimension, level, 1000000},
            .key = keyOf(operation, sizeof(float), pointsOf(dimension, level), dimension),
            .items = static_cast<std::size_t>(threads) * largestTask};
}

TuningCase combination(std::size_t rows, std::size_t columns)
{
    const auto &operation = linalg::combinationTunable;
    // All columns: fewer of them stay in caches.
    return {.operation = &operation,
            .work = CombinationWork{rows, columns},
            .key = keyOf(operation, sizeof(float), static_cast<double>(columns)),
            .items = wholeWork};
}

/// No smaller grids: most of the time is that of the picture, whose rows have to be as long.
TuningCase cartesian(int dimension, int level, std::size_t side)
{
    const auto &operation = sparse::omp::cartesianTunable;
    constexpr int free = 3;
    return {.operation = &operation,
            .work = CartesianWork{dimension, level, side},
            .key = keyOf(operation, sizeof(float), pointsOf(free, level), free),
            .items = wholeWork};
}

TuningCase hierarchization(int dimension, int level)
{
    const auto &operation = sparse::omp::hierarchizationTunable;
    const auto keyFor = [&](int ofLevel) {
        return keyOf(operation, sizeof(float), pointsOf(dimension, ofLevel), dimension);
    };
    return {.operation = &operation,
            .work = TransformWork{dimension, level},
            .key = keyFor(level),
            .items = wholeWork,
            .smaller = smallerTransforms(dimension, level, keyFor),
            .amount = pointsOf(dimension, level)};
}

/// Of the first constant, of which 0 stands for `chosen`.
template <int chosen>
std::size_t iterationsOfPass(const Variant &variant)
{
    return static_cast<std::size_t>(variant.front() == 0 ? chosen : variant.front());
}

/// So many that they take long beside their start, and no longer, since winners are compared on the
/// whole work; multiples of all passes, the longest of which are of 64.
std::uint64_t iterationsOn(double unknowns)
{
    constexpr double enoughUpdates = 4e8;
    constexpr std::uint64_t many = 384;
    return static_cast<double>(many) * unknowns <= enoughUpdates ? many : many / 2;
}

TuningCase iterations(const TunableOperation &operation, const char *method, Precision precision,
                      int dimension, std::size_t side,
                      std::size_t (*granule)(const Variant &) = nullptr)
{
    const std::size_t bytes = precision == Precision::float32 ? 4 : 8;
    const bool isTemporal = &operation == &solvers::jacobi::temporalTunable;
    const double unknowns = std::pow(static_cast<double>(side), dimension);
    return {.operation = &operation,
            .work = PoissonWork{method, precision, dimension, side, iterationsOn(unknowns), false},
            .key = keyOf(operation, bytes, unknowns, isTemporal ? 0 : dimension),
            .items = 4,
            .granule = granule};
}

/// No smaller cubes: which updates are worth a thread depends on the size of a plane.
TuningCase front(Precision precision, std::size_t side)
{
    const auto &operation = solvers::pmmTunable;
    const std::size_t bytes = precision == Precision::float32 ? 4 : 8;
    return {.operation = &operation,
            .work = PmmWork{false, precision, side},
            .key = keyOf(operation, bytes, std::pow(static_cast<double>(side), 3)),
            .items = wholeWork};
}

} // namespace

std::vector<SmallerInput> smallerTransforms(int dimension, int level,
                                            const std::function<TuningKey(int)> &keyFor)
{
    // On yet smaller grids one thread does all, and a GPU starts for nothing.
    constexpr double fewestPoints = 2e5;
    std::vector<SmallerInput> smaller;
    const double whole = pointsOf(dimension, level);
    for (const int less : {4, 3, 2, 1}) {
        const double points = level > less ? pointsOf(dimension, level - less) : 0;
        if (points >= fewestPoints && 4 * points <= whole)
            smaller.push_back(
                {TransformWork{dimension, level - less}, keyFor(level - less), points});
    }
    return smaller;
}

std::span<const TunableOperation *const> cpuOperations()
{
    return operations;
}

std::vector<TuningCase> cpuCases(int threads)
{
    std::vector<TuningCase> cases{
        combination(250, 200000),      combination(50, 2000000),     combination(1000, 20000),
        interpolation(threads, 4, 8),  interpolation(threads, 7, 6), interpolation(threads, 10, 5),
        interpolation(threads, 4, 11), interpolation(threads, 7, 8), interpolation(threads, 10, 7),
        cartesian(6, 6, 128),          cartesian(6, 8, 256),         hierarchization(4, 11),
        hierarchization(7, 8),         hierarchization(10, 7),       hierarchization(4, 15),
        hierarchization(7, 11),        hierarchization(10, 9)};
    for (const auto precision : {Precision::float32, Precision::float64}) {
        using namespace solvers;
        for (const std::size_t side : {512, 1024, 2048, 4096}) {
            cases.push_back(iterations(jacobi::tunedTunable, "tuned", precision, 2, side));
            cases.push_back(iterations(jacobi::temporalTunable, "temporal", precision, 2, side,
                                       &iterationsOfPass<32>));
            cases.push_back(
                iterations(redBlackTunable, "red-black", precision, 2, side, &iterationsOfPass<8>));
        }
        for (const std::size_t side : {64, 160, 256}) {
            cases.push_back(iterations(jacobi::tunedTunable, "tuned", precision, 3, side));
            cases.push_back(
                iterations(redBlackTunable, "red-black", precision, 3, side, &iterationsOfPass<8>));
        }
        for (const std::size_t side : {32, 64, 128})
            cases.push_back(front(precision, side));
    }
    return cases;
}

} // namespace gridhelm::tuning
