// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/modes/rounded_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::modes {

namespace {

/// The largest power of 2 that is not larger; 0 where float32 has none.
double powerBelow(double number)
{
    if (!(number >= double{std::numeric_limits<float>::min()}) || !std::isfinite(number))
        return 0;
    return std::ldexp(1.0, std::ilogb(number));
}

} // namespace

double coefficientStep(double error, std::size_t modes, double weights)
{
    return powerBelow(std::sqrt(12 / static_cast<double>(modes)) * error / weights);
}

ModalRows roundedRows(const ModalRows &rows, double step)
{
    auto rounded = rows;
    if (step > 0)
        for (float &value : rounded.coefficients) // no zeros with a sign
            value = static_cast<float>(std::nearbyint(double{value} / step) * step) + 0.0F;
    return rounded;
}

void roundUp(std::vector<float> &residuals)
{
    if (residuals.empty())
        return;
    const double step = std::ldexp(powerBelow(double{std::ranges::max(residuals)}), -15);
    if (step < double{std::numeric_limits<float>::min()})
        return;
    for (float &value : residuals)
        value = static_cast<float>(std::ceil(double{value} / step) * step);
}

} // namespace gridhelm::modes
