// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/jacobi/jacobi_stepper.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gridhelm::solvers {

/// How to solve a Poisson problem with Jacobi's iteration, as it was typed. What is not for the
/// method is refused.
struct JacobiSetup
{
    std::string method = "tuned";
    std::string precision = "double";
    std::optional<std::string> asyncFactor; ///< named alpha
    std::optional<std::string> tile;        ///< "64x32"
    std::optional<std::string> depth;
    std::string prefix = "--"; ///< as in PoissonSetup
};

/// Throws gridhelm::Error.
JacobiOptions jacobiOptions(const JacobiSetup &setup);

bool isAsynchronous(JacobiMethod method);

/// Iterations of one pass or launch, whose method is another if it is asked for fewer.
std::uint64_t granuleOf(const JacobiOptions &options);

} // namespace gridhelm::solvers
