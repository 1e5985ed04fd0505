// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/surrogate/error_curve.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gridhelm {

std::optional<double> runsForError(std::span<const ErrorAtRuns> curve, double wished)
{
    constexpr double recent = 1.0 / 8, clearlyFewer = 2.0 / 3, mostGrowth = 1000;
    double most = 0, last = 0;
    for (const auto &point : curve) {
        if (point.runs > most) {
            most = point.runs;
            last = point.error;
        }
    }
    if (!(most > 0))
        return std::nullopt;
    if (last <= wished)
        return most;
    double n = 0, sumX = 0, sumY = 0, sumXX = 0, sumXY = 0, fewest = most;
    for (const auto &point : curve) {
        if (!(point.error > 0) || point.runs < recent * most)
            continue;
        const double x = std::log(point.runs / most), y = std::log(point.error);
        n += 1;
        sumX += x;
        sumY += y;
        sumXX += x * x;
        sumXY += x * y;
        fewest = std::min(fewest, point.runs);
    }
    if (n < 2 || fewest > clearlyFewer * most)
        return std::nullopt;
    const double power = (n * sumXY - sumX * sumY) / (n * sumXX - sumX * sumX);
    if (!(power < 0))
        return std::nullopt;
    const double atMost = (sumY - power * sumX) / n; // logarithm of the fitted error
    const double growth = std::exp((std::log(wished) - atMost) / power);
    if (!(growth <= mostGrowth))
        return std::nullopt;
    return most * std::max(growth, 1.0);
}

} // namespace gridhelm
