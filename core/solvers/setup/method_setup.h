// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/options/option.h"
#include "core/solvers/poisson/poisson_method.h"
#include "core/solvers/poisson/poisson_settings.h"

#include <string>
#include <utility>
#include <vector>

namespace gridhelm::solvers {

/// A method for Poisson's equation as it was asked for.
struct MethodSetup
{
    std::string method;
    std::string precision = "double";
    std::vector<std::pair<const Option *, std::string>> typed; ///< options, as text
    OptionValues chosen;                                       ///< options that need no reading
    std::string prefix = "--";                                 ///< as in PoissonSetup
};

/// Throws gridhelm::Error, also for options that are not for the method.
PoissonSettings poissonSettings(const PoissonFamily &family, const MethodSetup &setup);

} // namespace gridhelm::solvers
