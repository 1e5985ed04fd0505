// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson/tuned_option.h"

#include "core/execution/tunable.h"

namespace gridhelm::solvers {

int tunedOption(const Option &option, const OptionValues &options, const TuningTable &tuning,
                const TuningKey &key)
{
    if (const auto asked = wholeOf(option, options); asked > 0)
        return static_cast<int>(asked);
    const auto isPossible = [&](int value) { return value >= 0 && value <= option.high; };
    return nearestTuned(option.key, tuning, key, isPossible).value_or(0);
}

} // namespace gridhelm::solvers
