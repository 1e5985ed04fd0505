// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/run/warm_gain.h"

#include <fmt/format.h>

namespace gridhelm::solvers {

std::string savedInWords(const TargetedEnd &cold, const TargetedEnd &warm, std::string_view unit)
{
    if (!cold.isThere || !warm.isThere)
        return fmt::format("not known: the {} start has not reached the target",
                           cold.isThere ? "warm" : "cold");
    if (warm.iterations >= cold.iterations)
        return fmt::format("no {}: {} after the cold start, {} after the warm one", unit,
                           cold.iterations, warm.iterations);
    const auto saved = cold.iterations - warm.iterations;
    return fmt::format("{} of {} {} ({:.0f} %), {:.3g} s instead of {:.3g} s", saved,
                       cold.iterations, unit,
                       100 * static_cast<double>(saved) / static_cast<double>(cold.iterations),
                       warm.seconds, cold.seconds);
}

} // namespace gridhelm::solvers
