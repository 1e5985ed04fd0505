// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson/methods.h"

namespace gridhelm::solvers {

constinit const PoissonFamily jacobiFamily{
    .id = "jacobi",
    .name = "Jacobi",
    .summary = "Jacobi's iteration for Poisson's equation: exact, blocked in time, or asynchronous",
    // 4 or 6 additions, of which one is the source's, and the division; a value read and one
    // written, and one more read if f is an array.
    .count = [](const PoissonProblem &problem) -> CountedUpdate {
        return {problem.dimension == 3 ? 7.0 : 5.0, hasSourceArray(problem) ? 3.0 : 2.0};
    },
    // Two grids and the field; f in double while it is sampled, then as an array.
    .bytesPerUnknown =
        [](const PoissonProblem &problem, std::size_t valueBytes) {
            return 3 * valueBytes + (hasSourceArray(problem) ? sizeof(double) + valueBytes : 0);
        },
};

} // namespace gridhelm::solvers
