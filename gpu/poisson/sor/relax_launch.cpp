// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/sor/relax_launch.h"

#include <array>

namespace gridhelm::gpu::sor {
namespace {

constexpr std::array valuesOfRows{2, 4};
constexpr TunableConstant rowsConstant{.name = "rows",
                                       .meaning = "of a warp",
                                       .values = valuesOfRows,
                                       .compiledIn = RelaxLaunch().rows};
constexpr std::array valuesOfThreads{64, 128, 256};
constexpr TunableConstant threadsConstant{.name = "threads",
                                          .meaning = "threads of a block",
                                          .values = valuesOfThreads,
                                          .compiledIn = RelaxLaunch().threads};
constexpr std::array<const TunableConstant *, 2> constants{&rowsConstant, &threadsConstant};

} // namespace

constinit const TunableOperation redBlackTunable{"red-black", "gpu", constants};

RelaxLaunch relaxLaunch(const TuningTable &table, std::size_t valueBytes,
                        const solvers::PoissonProblem &problem)
{
    const auto key =
        keyOf(redBlackTunable, valueBytes, static_cast<double>(problem.count()), problem.dimension);
    return {tunedValue(rowsConstant, table, key), tunedValue(threadsConstant, table, key)};
}

} // namespace gridhelm::gpu::sor
