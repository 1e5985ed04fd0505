// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"
#include "data/campaign/campaign_steps.h"

#include <string>

namespace gridhelm::cli {

/// "sparse-grid", "kriging" or "auto". Throws gridhelm::Error for anything else.
inline data::SurrogateKind surrogateKindOf(const std::string &name)
{
    if (name == "sparse-grid")
        return data::SurrogateKind::sparseGrid;
    if (name == "kriging")
        return data::SurrogateKind::kriging;
    if (name == "auto")
        return data::SurrogateKind::chosen;
    throw Error("there is no surrogate " + name + ": choose sparse-grid, kriging or auto");
}

} // namespace gridhelm::cli
