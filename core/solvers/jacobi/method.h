// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/jacobi/jacobi_state.h"
#include "core/solvers/jacobi/jacobi_stepper.h"
#include "core/solvers/stepper.h"

#include <cstdint>
#include <memory>

namespace gridhelm::solvers::jacobi {

/// One way to do Jacobi iterations.
template <typename T>
class Method
{
public:
    virtual ~Method() = default;

    /// What one pass made.
    struct Pass
    {
        std::uint64_t iterations = 0;
        double largestChange = StepReport::none;
    };

    /// As many iterations as the method does at once, at most `most` (1 or more). The largest
    /// change is that of the last iteration, if these were all and the method has it.
    virtual Pass pass(JacobiState<T> &state, std::uint64_t most) = 0;
};

template <typename T>
std::unique_ptr<Method<T>> makeNaive();
template <typename T>
std::unique_ptr<Method<T>> makeTuned(const JacobiState<T> &state);
/// Depth 0 chooses how many iterations to do in a pass.
template <typename T>
std::unique_ptr<Method<T>> makeTemporal(const JacobiState<T> &state, int depth);
template <typename T>
std::unique_ptr<Method<T>> makeAsync(const JacobiState<T> &state, const JacobiOptions &options);

} // namespace gridhelm::solvers::jacobi
