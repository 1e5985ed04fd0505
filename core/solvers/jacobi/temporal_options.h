// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/options/option.h"

namespace gridhelm::solvers::jacobi {

/// Iterations that `temporal` does in one pass over memory; 0: chosen.
inline constexpr Option depthOption{
    .key = "depth",
    .name = "Depth",
    .help = "Iterations in one pass over memory",
    .form = "N",
    .type = Option::Type::whole,
    .standard = 0,
    .standardName = "chosen",
    .low = 0,
    .high = 64,
    .refusal = "a pass cannot do {value} iterations; choose at most {high}, or 0 for a good "
               "default",
};

} // namespace gridhelm::solvers::jacobi
