// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/tuning_table.h"
#include "core/options/option.h"

namespace gridhelm::solvers {

/// A whole number of which 0 means a good one: what was asked for, or else what the tuning table
/// has for the key, or one that is near; 0 leaves it to the method.
int tunedOption(const Option &option, const OptionValues &options, const TuningTable &tuning,
                const TuningKey &key);

} // namespace gridhelm::solvers
