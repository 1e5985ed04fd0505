// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"
#include "data/campaign/campaign_steps.h"

#include <string>

namespace gridhelm::data {

/// "sparse-grid", "kriging" or "auto". Throws gridhelm::Error for anything else.
inline SurrogateKind surrogateKindOf(const std::string &name)
{
    if (name == "sparse-grid")
        return SurrogateKind::sparseGrid;
    if (name == "kriging")
        return SurrogateKind::kriging;
    if (name == "auto")
        return SurrogateKind::chosen;
    throw Error("there is no surrogate " + name + ": choose sparse-grid, kriging or auto");
}

} // namespace gridhelm::data
