// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/tuning_cases.h"

#include "core/solvers/jacobi/temporal_options.h"
#include "core/sparse/sparse_grid.h"
#include "core/tuning/cpu_cases.h"
#include "gpu/pmm/cuda_pmm.h"
#include "gpu/poisson/jacobi/tuned_launch.h"
#include "gpu/poisson/sor/mlssor_tiles.h"
#include "gpu/poisson/sor/relax_launch.h"
#include "gpu/sparse/launch_constants.h"
#include "gpu/sparse/random_points.h"

#include <array>
#include <cmath>
#include <limits>

namespace gridhelm::gpu {
namespace {

using namespace dispatch;
using solvers::Precision;
using tuning::SmallerInput;
using tuning::TuningCase;
using tuning::Variant;

// What tunedOption() takes where the kernel is chosen.
constexpr std::array valuesOfDepths{0, 2, 4, 8, 12, 16};
constexpr TunableConstant depthConstant{.name = solvers::jacobi::depthOption.key,
                                        .meaning = "iterations in one pass over memory",
                                        .values = valuesOfDepths,
                                        .compiledIn = 0};
constexpr std::array<const TunableConstant *, 1> temporalConstants{&depthConstant};
constinit const TunableOperation temporalTunable{"jacobi temporal", "gpu", temporalConstants};

constexpr std::array<const TunableOperation *, 10> operations{
    &combinationTunable,   &interpolationTunable, &fewPointsTunable,  &hierarchizationTunable,
    &temporalTunable,      &sor::mlssorTunable,   &jacobi::tunedIn2D, &jacobi::tunedIn3D,
    &sor::redBlackTunable, &marchTunable};

constexpr auto wholeWork = std::numeric_limits<std::size_t>::max() / 8;

sparse::GridCount countOf(int dimension, int level)
{
    return sparse::countGrid(sparse::GridShape(dimension, level));
}

TuningKey keyOfGrid(const TunableOperation &operation, int dimension, int level)
{
    return keyOf(operation, sizeof(float), static_cast<double>(countOf(dimension, level).points),
                 dimension);
}

/// So many points fill each GPU; on smaller grids each costs less (*n*).
TuningCase interpolation(int dimension, int level)
{
    constexpr std::size_t points = 1000000;
    const auto blocksOf = [&](int ofLevel) {
        return static_cast<double>(countOf(dimension, ofLevel).blocks);
    };
    std::vector<SmallerInput> smaller;
    for (const int less : {4, 3, 2, 1}) {
        if (4 * blocksOf(level - less) <= blocksOf(level))
            smaller.push_back({InterpolationWork{dimension, level - less, points},
                               keyOfGrid(interpolationTunable, dimension, level - less),
                               blocksOf(level - less)});
    }
    return {.operation = &interpolationTunable,
            .work = InterpolationWork{dimension, level, points},
            .key = keyOfGrid(interpolationTunable, dimension, level),
            .items = wholeWork,
            .smaller = std::move(smaller),
            .amount = blocksOf(level)};
}

TuningCase fewPoints(int dimension, int level)
{
    constexpr std::size_t points = 1024;
    return {.operation = &fewPointsTunable,
            .work = InterpolationWork{dimension, level, points},
            .key = keyOfGrid(fewPointsTunable, dimension, level),
            .items = wholeWork,
            .fills = [](const Variant &variant) {
                return points / static_cast<std::size_t>(variant[1]) >= RandomPoints::enoughBlocks;
            }};
}

TuningCase hierarchization(int dimension, int level)
{
    const auto keyFor = [&](int ofLevel) {
        return keyOfGrid(hierarchizationTunable, dimension, ofLevel);
    };
    return {.operation = &hierarchizationTunable,
            .work = TransformWork{dimension, level},
            .key = keyFor(level),
            .items = wholeWork,
            .smaller = tuning::smallerTransforms(dimension, level, keyFor),
            .amount = static_cast<double>(countOf(dimension, level).points)};
}

TuningCase combination(std::size_t rows, std::size_t columns)
{
    return {.operation = &combinationTunable,
            .work = CombinationWork{rows, columns},
            .key = keyOf(combinationTunable, sizeof(float), static_cast<double>(columns)),
            .items = wholeWork};
}

/// `dimension` of the key: 0 for operations of 2D alone.
TuningCase iterations(const TunableOperation &operation, const char *method, std::size_t side,
                      int dimension = 0)
{
    const int ofGrid = dimension == 3 ? 3 : 2;
    return {.operation = &operation,
            .work = PoissonWork{method, Precision::float32, ofGrid, side, 384, false},
            .key = keyOf(operation, sizeof(float), std::pow(static_cast<double>(side), ofGrid),
                         dimension),
            .items = 48, // whole passes, whatever their depth
            .granule = [](const Variant &) { return std::size_t{48}; }};
}

TuningCase front(std::size_t side)
{
    return {.operation = &marchTunable,
            .work = PmmWork{false, Precision::float32, side},
            .key = keyOf(marchTunable, sizeof(float), std::pow(static_cast<double>(side), 3)),
            .items = wholeWork};
}

} // namespace

std::span<const TunableOperation *const> gpuOperations()
{
    return operations;
}

std::vector<TuningCase> gpuCases()
{
    std::vector<TuningCase> cases;
    for (const auto &[dimension, few, many] :
         {std::array{4, 11, 15}, std::array{7, 8, 11}, std::array{10, 7, 9}}) {
        cases.push_back(fewPoints(dimension, few));
        cases.push_back(interpolation(dimension, many));
        cases.push_back(hierarchization(dimension, many));
    }
    for (const std::size_t side : {1024, 4096}) {
        cases.push_back(iterations(temporalTunable, "temporal", side));
        cases.push_back(iterations(sor::mlssorTunable, "mlssor", side));
        cases.push_back(iterations(jacobi::tunedIn2D, "tuned", side, 2));
        cases.push_back(iterations(sor::redBlackTunable, "red-black", side, 2));
    }
    for (const std::size_t side : {128, 384}) {
        cases.push_back(iterations(jacobi::tunedIn3D, "tuned", side, 3));
        cases.push_back(iterations(sor::redBlackTunable, "red-black", side, 3));
        cases.push_back(front(side));
    }
    // Short ones last: a GPU that has just been woken is slow.
    cases.push_back(combination(250, 200000));
    cases.push_back(combination(50, 1000000));
    return cases;
}

} // namespace gridhelm::gpu
