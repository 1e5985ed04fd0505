// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/jacobi/iterations.h"
#include "core/solvers/jacobi/jacobi_state.h"
#include "core/solvers/jacobi/jacobi_stepper.h"

#include <cstdint>
#include <memory>

namespace gridhelm::solvers::jacobi {

/// One way to do Jacobi iterations.
template <typename T>
class Method
{
public:
    virtual ~Method() = default;

    using Pass = jacobi::Pass;

    /// As Iterations::pass().
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
