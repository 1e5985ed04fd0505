// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/options/option.h"
#include "core/solvers/precision.h"

#include <string>

namespace gridhelm::solvers {

/// How to solve a Poisson problem.
struct PoissonSettings
{
    std::string method; ///< of poissonMethods()
    Precision precision = Precision::float64;
    OptionValues options =
        {}; ///< of the method; those that are not given have their standard value
};

} // namespace gridhelm::solvers
