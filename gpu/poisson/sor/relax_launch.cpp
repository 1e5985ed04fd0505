// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/sor/relax_launch.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace gridhelm::gpu::sor {
namespace {

constexpr std::array valuesOfRows{1, 2, 4, 6};
constexpr TunableConstant rowsConstant{.name = "rows",
                                       .meaning = "of a warp",
                                       .values = valuesOfRows,
                                       .compiledIn = RelaxLaunch::fewRows};
constexpr std::array valuesOfThreads{64, 128, 256, 512};
constexpr TunableConstant threadsConstant{.name = "threads",
                                          .meaning = "threads of a block",
                                          .values = valuesOfThreads,
                                          .compiledIn = RelaxLaunch::compiledThreads};
constexpr std::array<const TunableConstant *, 2> constants{&rowsConstant, &threadsConstant};

bool isCompiledIn(int rows, int threads)
{
    return (rows == RelaxLaunch::fewRows || rows == RelaxLaunch::manyRows)
           && threads <= RelaxLaunch::compiledThreads;
}

bool isAllowed(std::span<const int> variant)
{
    return isCompiledIn(variant[0], variant[1]) || canCompileKernels();
}

} // namespace

constinit const TunableOperation redBlackTunable{"red-black", "gpu", constants, &isAllowed};

RelaxLaunch relaxLaunch(const TuningTable &table, std::size_t valueBytes,
                        const solvers::PoissonProblem &problem)
{
    const auto key =
        keyOf(redBlackTunable, valueBytes, static_cast<double>(problem.count()), problem.dimension);
    RelaxLaunch launch;
    launch.rows = tunedValue(rowsConstant, table, key);
    launch.threads = tunedValue(threadsConstant, table, key);
    if (isCompiledIn(launch.rows, launch.threads))
        return launch;
    const bool is3D = problem.dimension == 3;
    launch.variant = kernelVariant(valueBytes == sizeof(float)
                                       ? relaxSource<float>(is3D, launch.rows, launch.threads)
                                       : relaxSource<double>(is3D, launch.rows, launch.threads));
    return launch.variant ? launch : RelaxLaunch();
}

template <typename T>
KernelSource relaxSource(bool is3D, int rows, int threads)
{
    return {"gpu/poisson/sor/relax_rows.cuh",
            fmt::format("gridhelm::gpu::sor::relaxRows<{}, {}, {}, {}>",
                        sizeof(T) == sizeof(float) ? "float" : "double", rows, is3D, threads)};
}

template KernelSource relaxSource<float>(bool, int, int);
template KernelSource relaxSource<double>(bool, int, int);

} // namespace gridhelm::gpu::sor
