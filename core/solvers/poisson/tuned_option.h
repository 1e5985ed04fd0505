// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/tuning_table.h"
#include "core/options/option.h"

#include <cstddef>
#include <string_view>

namespace gridhelm::solvers {

/// A whole number of which 0 means a good one: what was asked for, or else what the tuning table
/// has for the operation ("jacobi temporal") on such a device ("cpu", "gpu"), for so many unknowns
/// of so many bytes; 0 leaves it to the method.
int tunedOption(const Option &option, const OptionValues &options, const TuningTable &tuning,
                std::string_view operation, std::string_view device, std::size_t valueBytes,
                std::size_t unknowns);

} // namespace gridhelm::solvers
