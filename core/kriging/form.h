// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kriging/smoothness.h"

#include <vector>

namespace gridhelm::kriging {

/// What is decided before hyperparameters are fitted.
struct Form
{
    Smoothness smoothness = Smoothness::matern52;
    std::vector<int> linear; ///< parameters in which the mean is linear; none: it is constant
    bool isWarped = false;

    bool operator==(const Form &) const = default;
};

} // namespace gridhelm::kriging
