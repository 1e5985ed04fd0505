// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson/methods.h"

namespace gridhelm::solvers {

constinit const PoissonFamily sorFamily{
    .id = "sor",
    .name = "SOR",
    .summary = "Successive over-relaxation for Poisson's equation: SOR, SSOR, red-black, "
               "multi-layer",
    // A flop for every neighbour and 2, with f 3; 3 values moved (one colour read, the other read
    // and written, twice half a grid), 4 with f.
    .count = [](const PoissonProblem &problem) -> CountedUpdate {
        const bool hasSource = !std::holds_alternative<std::monostate>(problem.source);
        return {2.0 * problem.dimension + (hasSource ? 3 : 2), hasSource ? 4.0 : 3.0};
    },
    // Values, h^2 f and the copy for readers, and f while it is sampled.
    .bytesPerUnknown = [](const PoissonProblem &,
                          std::size_t valueBytes) { return 3 * valueBytes + sizeof(double); },
};

} // namespace gridhelm::solvers
