// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/stepper.h"

#include <variant>
#include <vector>

namespace gridhelm::test {

/// The whole field, in double.
inline std::vector<double> valuesOf(const solvers::Stepper &stepper)
{
    return std::visit([](auto values) { return std::vector<double>(values.begin(), values.end()); },
                      stepper.field().values);
}

} // namespace gridhelm::test
