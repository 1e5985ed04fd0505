// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/low_confidence.h"

#include <fmt/format.h>

#include <cmath>

namespace gridhelm::ui {

double indicatorAt(double error, const std::optional<ErrorBand> &band)
{
    if (!band)
        return error;
    constexpr double belowAll = -1, aboveAll = 1e30;
    if (!(band->factor > 0))
        return band->offset > error ? belowAll : aboveAll;
    return (error - band->offset) / band->factor;
}

std::string lowConfidenceText(double percent, const std::optional<ErrorBand> &band)
{
    if (!band)
        return fmt::format("dark: indicator above {:.3g} % of the range", percent);
    return fmt::format("dark: may be off by more than {:.3g} % of the range (holds at {:.0f} % of "
                       "the validation points' nodes)",
                       percent, std::floor(100 * band->coverage));
}

} // namespace gridhelm::ui
