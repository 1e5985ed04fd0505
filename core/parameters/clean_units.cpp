// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameters/clean_units.h"

#include "core/support/clean_text.h"

#include <utility>

namespace gridhelm {

ParameterSpace withCleanUnits(const ParameterSpace &space)
{
    auto parameters = space.parameters();
    for (auto &parameter : parameters)
        parameter.unit = cleanLine(parameter.unit);
    return ParameterSpace(std::move(parameters));
}

} // namespace gridhelm
