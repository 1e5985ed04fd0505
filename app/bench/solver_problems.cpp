// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/solver_problems.h"

#include "core/solvers/measured_problems.h"
#include "core/support/memory_check.h"
#include "core/support/system_info.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gridhelm::bench {

using namespace solvers;

PoissonProblem spikeProblem(std::size_t n)
{
    auto problem = unitLaplaceProblem(2, n);
    problem.source.emplace<SpikeSource>();
    for (auto &side : problem.sides)
        side.value = 1;
    requireMemory(static_cast<double>(n) * static_cast<double>(n) * sizeof(double),
                  "the benchmark of iterative solvers", "give a smaller --size");
    problem.initialGuess.emplace(problem.count(), 1.0);
    return problem;
}

std::size_t sizeBeyondCache(int dimension, Precision precision, std::size_t copies)
{
    constexpr std::uint64_t smallest = std::uint64_t{128} << 20;
    const auto bytes =
        static_cast<double>(std::max(4 * querySystemInfo().lastLevelCacheBytes, smallest));
    const double values =
        bytes * static_cast<double>(copies) / (precision == Precision::float32 ? 4 : 8);
    return static_cast<std::size_t>(std::ceil(std::pow(values, 1.0 / dimension)));
}

const char *nameOf(Precision precision)
{
    return precision == Precision::float32 ? "float" : "double";
}

} // namespace gridhelm::bench
