// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is left to tune of a machine that has been tuned before.
#pragma once

#include "core/tuning/machine_tuning.h"

#include <cstddef>
#include <vector>

namespace gridhelm::tuning {

/// Takes those cases out that were tuned before, with constants that can be chosen, and returns
/// what is known of them.
std::vector<TuningEntry> takeKnown(std::vector<TuningDevice> &devices);

std::size_t countOfCases(const std::vector<TuningDevice> &devices);

} // namespace gridhelm::tuning
