// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace gridhelm::solvers {

struct PmmSettings
{
    /// advance() ends after a sweep in which no value decreased by more than this; without it, only
    /// after the wanted number of sweeps.
    std::optional<double> stopChange;
};

} // namespace gridhelm::solvers
