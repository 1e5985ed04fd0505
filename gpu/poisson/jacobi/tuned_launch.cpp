// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/jacobi/tuned_launch.h"

#include "gpu/poisson/jacobi/tuned_constants.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace gridhelm::gpu::jacobi {
namespace {

constexpr const char *ofWarp = "rows of a warp; 0: by the grid's size";

constexpr std::array valuesOfRows2D{0, 2, 4, 6, 8, 12};
constexpr TunableConstant rows2D{
    .name = "rows", .meaning = ofWarp, .values = valuesOfRows2D, .compiledIn = 0};
constexpr std::array valuesOfRows3D{0, 2, 3, 4, 6};
constexpr TunableConstant rows3D{
    .name = "rows", .meaning = ofWarp, .values = valuesOfRows3D, .compiledIn = 0};
constexpr std::array valuesOfPlanes{0, 2, 3, 4, 8, 16};
constexpr TunableConstant planesConstant{.name = "planes",
                                         .meaning = "of a block; 0: by the grid's size",
                                         .values = valuesOfPlanes,
                                         .compiledIn = 0,
                                         .partition = 1};
constexpr std::array valuesOfBlocks{0, 1, 2, 3, 4};
constexpr TunableConstant blocksConstant{
    .name = "blocks",
    .meaning = "of a multiprocessor, which limit the registers of a thread; 0: as compiled in",
    .values = valuesOfBlocks,
    .compiledIn = 0,
    .partition = 2};
constexpr std::array<const TunableConstant *, 2> constants2D{&rows2D, &blocksConstant};
constexpr std::array<const TunableConstant *, 3> constants3D{&rows3D, &planesConstant,
                                                             &blocksConstant};

/// What may be compiled in for some size and precision, or can be compiled now.
template <bool is3D>
bool isAllowed(std::span<const int> variant)
{
    const int rows = variant.front(), blocks = variant.back();
    if (rows == 0)
        return blocks == 0;
    const bool isThere = hasTunedRows<float>(is3D, rows) || hasTunedRows<double>(is3D, rows);
    return (isThere && blocks == 0) || canCompileKernels();
}

template <typename T>
TunedLaunch launchWith(bool is3D, TunedLaunch launch, int blocks)
{
    if (launch.rows == 0 || (blocks == 0 && hasTunedRows<T>(is3D, launch.rows)))
        return launch;
    launch.variant = kernelVariant(tunedSource<T>(is3D, launch.rows, blocks));
    if (!launch.variant && !hasTunedRows<T>(is3D, launch.rows))
        launch.rows = 0;
    return launch;
}

} // namespace

constinit const TunableOperation tunedIn2D{"jacobi tuned", "gpu", constants2D, &isAllowed<false>};
constinit const TunableOperation tunedIn3D{"jacobi tuned", "gpu", constants3D, &isAllowed<true>};

TunedLaunch tunedLaunch(const TuningTable &table, std::size_t valueBytes,
                        const solvers::PoissonProblem &problem)
{
    const auto key =
        keyOf(tunedIn2D, valueBytes, static_cast<double>(problem.count()), problem.dimension);
    const bool is3D = problem.dimension == 3;
    TunedLaunch launch;
    launch.rows = tunedValue(is3D ? rows3D : rows2D, table, key);
    if (is3D)
        launch.planes = tunedValue(planesConstant, table, key);
    const int blocks = tunedValue(blocksConstant, table, key);
    return valueBytes == sizeof(float) ? launchWith<float>(is3D, launch, blocks)
                                       : launchWith<double>(is3D, launch, blocks);
}

template <typename T>
KernelSource tunedSource(bool is3D, int rows, int blocks)
{
    const int usual = is3D ? blocksAtOnce3D<T>(rows) : blocksAtOnce2D<T>(rows);
    return {"gpu/poisson/jacobi/tuned_rows.cuh",
            fmt::format("gridhelm::gpu::jacobi::iterate{}D<{}, {}, {}, false>", is3D ? 3 : 2,
                        sizeof(T) == sizeof(float) ? "float" : "double", rows,
                        blocks == 0 ? usual : blocks)};
}

template KernelSource tunedSource<float>(bool, int, int);
template KernelSource tunedSource<double>(bool, int, int);

} // namespace gridhelm::gpu::jacobi
