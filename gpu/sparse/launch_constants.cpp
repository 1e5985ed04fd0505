// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/launch_constants.h"

#include "gpu/sparse/weighted_rows.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace gridhelm::gpu {
namespace {

constexpr const char *ofBlock = "threads of a block";

constexpr std::array valuesOfThreads{64, 128, 256};
constexpr TunableConstant threadsConstant{
    .name = "threads", .meaning = ofBlock, .values = valuesOfThreads, .compiledIn = 128};
constexpr std::array<const TunableConstant *, 1> pointConstants{&threadsConstant};

constexpr std::array valuesOfFewThreads{32, 64, 128};
constexpr TunableConstant fewThreadsConstant{.name = "threads",
                                             .meaning = ofBlock,
                                             .values = valuesOfFewThreads,
                                             .compiledIn = 128,
                                             .partition = 1};
constexpr std::array valuesOfParts{0, 1, 16, 256, 2048};
constexpr TunableConstant partsConstant{.name = "parts",
                                        .meaning =
                                            "of the work of a point, whose sums are added up",
                                        .values = valuesOfParts,
                                        .compiledIn = 0,
                                        .splitsWork = true};
constexpr std::array<const TunableConstant *, 2> fewPointsConstants{&partsConstant,
                                                                    &fewThreadsConstant};

constexpr std::array valuesOfPoleThreads{64, 128, 256, 512};
constexpr TunableConstant warpThreadsConstant{.name = "threads",
                                              .meaning = "threads of a block of poles",
                                              .values = valuesOfPoleThreads,
                                              .compiledIn = 128};
constexpr TunableConstant poleThreadsConstant{.name = "threads of a pole",
                                              .meaning = "threads of a block that has one pole",
                                              .values = valuesOfPoleThreads,
                                              .compiledIn = 512,
                                              .partition = 1};
constexpr std::array<const TunableConstant *, 2> poleConstants{&warpThreadsConstant,
                                                               &poleThreadsConstant};

constexpr std::array valuesOfRowThreads{64, 128, 256, 512};
static_assert(valuesOfRowThreads.back() == mostRowThreads);
constexpr TunableConstant rowThreadsConstant{.name = "threads",
                                             .meaning = ofBlock,
                                             .values = valuesOfRowThreads,
                                             .compiledIn = 128,
                                             .partition = 1};
constexpr std::array valuesOfRows{2, 3, 5, 8, 10, 16, 20, 32};
constexpr TunableConstant rowsConstant{.name = "rows",
                                       .meaning = "rows whose loads are under way together",
                                       .values = valuesOfRows,
                                       .compiledIn = 10};
constexpr std::array<const TunableConstant *, 2> rowConstants{&rowsConstant, &rowThreadsConstant};

bool isRowVariantAllowed(std::span<const int> variant)
{
    return RowLaunch::isCompiledIn(variant.front()) || canCompileKernels();
}

unsigned positive(int value)
{
    return static_cast<unsigned>(value);
}

} // namespace

constinit const TunableOperation interpolationTunable{"interpolation", "gpu", pointConstants};
constinit const TunableOperation fewPointsTunable{"interpolation at few points", "gpu",
                                                  fewPointsConstants};
constinit const TunableOperation hierarchizationTunable{"hierarchization", "gpu", poleConstants};
constinit const TunableOperation combinationTunable{"combination", "gpu", rowConstants,
                                                    &isRowVariantAllowed};

PointLaunch::PointLaunch(const TuningTable &table, std::size_t valueBytes,
                         const sparse::UnfoldedGrid &nodes)
{
    const auto size = static_cast<double>(nodes.storage());
    const auto many = keyOf(interpolationTunable, valueBytes, size, nodes.dimension());
    threads = positive(tunedValue(threadsConstant, table, many));
    const auto few = keyOf(fewPointsTunable, valueBytes, size, nodes.dimension());
    fewThreads = positive(tunedValue(fewThreadsConstant, table, few));
    parts = positive(tunedValue(partsConstant, table, few));
}

PoleLaunch::PoleLaunch(const TuningTable &table, std::size_t valueBytes,
                       const sparse::SparseGrid &grid)
{
    const auto key = keyOf(hierarchizationTunable, valueBytes, static_cast<double>(grid.points()),
                           grid.dimension());
    threads = positive(tunedValue(warpThreadsConstant, table, key));
    threadsOfPole = positive(tunedValue(poleThreadsConstant, table, key));
}

RowLaunch::RowLaunch(const TuningTable &table, std::size_t columns)
{
    const auto key = keyOf(combinationTunable, sizeof(float), static_cast<double>(columns));
    threads = positive(tunedValue(rowThreadsConstant, table, key));
    rows = tunedValue(rowsConstant, table, key);
    if (isCompiledIn(rows))
        return;
    variant = kernelVariant(source(rows));
    if (!variant)
        rows = RowLaunch().rows;
}

KernelSource RowLaunch::source(int rows)
{
    return {"gpu/sparse/combine_rows.cuh",
            fmt::format("gridhelm::gpu::combineRowsKernel<{}>", rows)};
}

} // namespace gridhelm::gpu
