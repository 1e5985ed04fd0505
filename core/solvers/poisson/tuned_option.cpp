// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson/tuned_option.h"

#include <algorithm>
#include <string>

namespace gridhelm::solvers {

int tunedOption(const Option &option, const OptionValues &options, const TuningTable &tuning,
                std::string_view operation, std::string_view device, std::size_t valueBytes,
                std::size_t unknowns)
{
    if (const auto asked = wholeOf(option, options); asked > 0)
        return static_cast<int>(asked);
    const auto size = TuningTable::sizeClassOf(static_cast<double>(unknowns));
    const int tuned =
        tuning.find({std::string(operation), std::string(device), valueBytes, size}, option.key, 0);
    return std::clamp(tuned, 0, static_cast<int>(option.high));
}

} // namespace gridhelm::solvers
