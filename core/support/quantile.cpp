// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/quantile.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace gridhelm {

double quantile(std::vector<double> values, double share)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(at));
    return values[at];
}

double relativeSpread(const std::vector<double> &values)
{
    return (quantile(values, 0.75) - quantile(values, 0.25)) / quantile(values, 0.5);
}

} // namespace gridhelm
