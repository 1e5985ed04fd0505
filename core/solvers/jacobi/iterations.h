// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/poisson/poisson_iterations.h"

#include <cstdint>

namespace gridhelm::solvers::jacobi {

using Pass = Advance;

/// Jacobi's iterations on one back end, pass by pass.
template <typename T>
class Iterations : public PoissonIterations<T>
{
public:
    /// As many iterations as the method does at once, at most `most` (1 or more). The largest
    /// change is that of the last iteration, if these were all and the method has it.
    virtual Pass pass(std::uint64_t most) = 0;

    Advance advance(std::uint64_t iterations, const std::stop_token &stop) final
    {
        Advance done;
        while (done.iterations < iterations && !stop.stop_requested()) {
            const auto last = pass(iterations - done.iterations);
            done.iterations += last.iterations;
            done.earlierSeconds += last.earlierSeconds;
            done.largestChange = last.largestChange;
        }
        return done;
    }
};

} // namespace gridhelm::solvers::jacobi
