// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/sor/sor_settings.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gridhelm::solvers {

/// How to solve a Poisson problem with a method of the SOR family, as it was typed. What is not for
/// the method is refused.
struct SorSetup
{
    std::string method = "red-black";
    std::string precision = "double";
    std::optional<std::string> relaxation;
    std::optional<std::string> direction;
    std::optional<std::string> shape;             ///< "16x32" or, as in [Di2010], "16x32x32"
    std::optional<std::string> iterationsPerPass; ///< named pass
    std::string prefix = "--";                    ///< as in PoissonSetup
};

/// Throws gridhelm::Error.
SorSettings sorSettings(const SorSetup &setup);

/// Iterations that the method does in one go, or that belong together.
std::uint64_t granuleOf(const SorSettings &settings);

} // namespace gridhelm::solvers
