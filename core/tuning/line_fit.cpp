// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/line_fit.h"

namespace gridhelm::tuning {

Line fitLine(std::span<const TimedAmount> timed)
{
    const auto count = static_cast<double>(timed.size());
    double meanAmount = 0, meanSeconds = 0;
    for (const auto &each : timed) {
        meanAmount += each.amount / count;
        meanSeconds += each.seconds / count;
    }
    double square = 0, product = 0;
    for (const auto &each : timed) {
        const double amount = each.amount - meanAmount;
        square += amount * amount;
        product += amount * (each.seconds - meanSeconds);
    }
    if (square <= 0)
        return {0, meanSeconds / meanAmount};
    const double slope = product / square;
    return {meanSeconds - slope * meanAmount, slope};
}

} // namespace gridhelm::tuning
