// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace gridhelm::kriging {

/// What a correlation depends on besides its smoothness. All positive but the nugget.
struct Hyperparameters
{
    std::vector<double> lengths; ///< one for each parameter, in warped coordinates of [0, 1]
    /// What measurements, or what the correlation cannot follow, add to the variance of a run,
    /// relative to the process's; at least 0.
    double nugget = 0;
    /// Of the warping, one of each for each parameter; both empty where coordinates stay as they
    /// are.
    std::vector<double> warpA, warpB;

    bool isWarped() const { return !warpA.empty(); }
    bool operator==(const Hyperparameters &) const = default;
};

} // namespace gridhelm::kriging
