// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/surrogate/value_bands.h"

#include "core/surrogate/error_band.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gridhelm {

ValueBands::ValueBands(std::size_t values, std::size_t holdOuts)
    : m_holdOuts(holdOuts)
    , m_outOf(static_cast<std::size_t>(std::lround(1 / (1 - claimableCoverage(holdOuts)))))
    , m_kept((holdOuts + 1) / m_outOf) // the k-th smallest and those behind it
    , m_largest(values * m_kept, 0.0F)
    , m_counts(values, 0)
{
}

void ValueBands::add(std::span<const float> errors)
{
    for (std::size_t i = 0; i < errors.size(); ++i) {
        float error = errors[i];
        if (std::isnan(error))
            continue;
        ++m_counts[i];
        float *largest = m_largest.data() + i * m_kept;
        for (std::size_t k = 0; k < m_kept; ++k)
            if (error > largest[k])
                std::swap(error, largest[k]);
    }
}

std::vector<float> ValueBands::offsets() const
{
    std::vector<float> offsets(m_counts.size(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (m_counts[i] == 0)
            continue;
        const auto rank = std::max<std::size_t>(1, (m_counts[i] + std::size_t{1}) / m_outOf);
        offsets[i] = m_largest[i * m_kept + rank - 1];
    }
    return offsets;
}

std::size_t ValueBands::valuesOfFewer() const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_counts, [this](std::uint32_t count) {
        return count > 0 && count + std::size_t{1} < m_outOf;
    }));
}

double ValueBands::coverage() const
{
    return claimableCoverage(m_holdOuts);
}

std::vector<float> errorsOf(std::span<const float> evaluated, std::span<const float> truth)
{
    std::vector<float> errors(evaluated.size());
    for (std::size_t i = 0; i < errors.size(); ++i) {
        const float error = std::abs(evaluated[i] - truth[i]);
        errors[i] = std::isnan(error) ? std::numeric_limits<float>::infinity() : error;
    }
    return errors;
}

} // namespace gridhelm
