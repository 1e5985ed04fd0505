// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/poisson_problem.h"
#include "core/solvers/precision.h"
#include "core/solvers/stepper.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

namespace gridhelm::solvers {

enum class JacobiMethod { naive, tuned, temporal, async0, async1, async2, async3 };

std::string_view nameOf(JacobiMethod method);
/// Throws gridhelm::Error for a name that no method has.
JacobiMethod jacobiMethod(std::string_view name);
/// Whether it uses one thread, whatever the device has.
bool isSerial(JacobiMethod method);

struct JacobiOptions
{
    JacobiMethod method = JacobiMethod::tuned;
    Precision precision = Precision::float32;

    /// Of the asynchronous methods: iterations of a tile between two synchronisations of all tiles,
    /// not counting the one that closes the launch. Even, for async3 any number from 1 on.
    int asyncFactor = 6;
    /// Columns and rows of a tile of the asynchronous methods; 0 chooses.
    std::array<std::size_t, 2> tile{0, 0};
    /// Iterations that `temporal` does in one pass over memory; 0 chooses.
    int depth = 0;
};

/// On the context's CPU.
/// Throws gridhelm::Error, before it allocates, for input that cannot be solved (see
/// requireSoluble()), and for options out of range; only naive and tuned solve 3D problems.
///
/// Counted per unknown and iteration: 5 flops in 2D (4 additions, of which one is the source's, and
/// the division), 7 in 3D; a value read and one written, and one more read if f is an array.
std::unique_ptr<Stepper> makeJacobiStepper(PoissonProblem problem, const JacobiOptions &options,
                                           const ExecutionContext &context);

} // namespace gridhelm::solvers
