// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/surrogate/value_bands.h"

#include "core/surrogate/error_band.h"

#include <cmath>
#include <limits>
#include <utility>

namespace gridhelm {

namespace {

/// How many errors of so many are at least as large as the k-th smallest, it and those behind it.
std::size_t largestOf(std::size_t holdOuts)
{
    const auto outOf = static_cast<std::size_t>(std::lround(1 / (1 - claimableCoverage(holdOuts))));
    const auto rank = holdOuts + 1 - (holdOuts + 1) / outOf;
    return holdOuts - rank + 1;
}

} // namespace

ValueBands::ValueBands(std::size_t values, std::size_t holdOuts)
    : m_holdOuts(holdOuts)
    , m_kept(largestOf(holdOuts))
    , m_largest(values * m_kept, 0.0F)
{
}

void ValueBands::add(std::span<const float> evaluated, std::span<const float> truth)
{
    for (std::size_t i = 0; i < evaluated.size(); ++i) {
        float error = std::abs(evaluated[i] - truth[i]);
        if (std::isnan(error))
            error = std::numeric_limits<float>::infinity();
        float *largest = m_largest.data() + i * m_kept;
        for (std::size_t k = 0; k < m_kept; ++k)
            if (error > largest[k])
                std::swap(error, largest[k]);
    }
}

std::vector<float> ValueBands::offsets() const
{
    std::vector<float> offsets(m_largest.size() / m_kept);
    for (std::size_t i = 0; i < offsets.size(); ++i)
        offsets[i] = m_largest[(i + 1) * m_kept - 1];
    return offsets;
}

double ValueBands::coverage() const
{
    return claimableCoverage(m_holdOuts);
}

} // namespace gridhelm
