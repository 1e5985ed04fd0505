// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/jacobi/tuned_launch.h"

#include <array>

namespace gridhelm::gpu::jacobi {
namespace {

constexpr std::array<int, 3> valuesOfRows{TunedLaunch::chosen, TunedLaunch::few, TunedLaunch::many};
constexpr TunableConstant rowsConstant{.name = "rows",
                                       .meaning = "of a warp: 1 few, 2 many; 0: by the grid's size",
                                       .values = valuesOfRows,
                                       .compiledIn = TunedLaunch::chosen};
constexpr std::array valuesOfPlanes{0, 4, 8, 16, 32};
constexpr TunableConstant planesConstant{.name = "planes",
                                         .meaning = "of a block; 0: by the grid's size",
                                         .values = valuesOfPlanes,
                                         .compiledIn = 0};
constexpr std::array<const TunableConstant *, 1> constants2D{&rowsConstant};
constexpr std::array<const TunableConstant *, 2> constants3D{&rowsConstant, &planesConstant};

} // namespace

constinit const TunableOperation tunedIn2D{"jacobi tuned", "gpu", constants2D};
constinit const TunableOperation tunedIn3D{"jacobi tuned", "gpu", constants3D};

TunedLaunch tunedLaunch(const TuningTable &table, std::size_t valueBytes,
                        const solvers::PoissonProblem &problem)
{
    const auto key =
        keyOf(tunedIn2D, valueBytes, static_cast<double>(problem.count()), problem.dimension);
    TunedLaunch launch;
    launch.rows = tunedValue(rowsConstant, table, key);
    if (problem.dimension == 3)
        launch.planes = tunedValue(planesConstant, table, key);
    return launch;
}

} // namespace gridhelm::gpu::jacobi
