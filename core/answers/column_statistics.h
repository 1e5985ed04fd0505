// SPDX-License-Identifier: GPL-3.0-or-later
//
// Means, deviations and percentiles of many columns of samples side by side, a column in each lane.
#pragma once

#include "core/answers/row_products.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::answers {

struct ColumnStatistics
{
    std::array<double, blockColumns> mean, deviation;
    std::array<double, blockColumns> above;             ///< samples above the threshold
    std::vector<std::array<float, blockColumns>> ranks; ///< the sample of each wanted rank
};

/// samples[i * blockColumns + j]: the i-th of `count` samples of column j, 2 to 2^24; finite ones.
/// `ranks`: how many samples of its column each wanted one is not below, below `count`; what comes
/// is exactly what sorting would put there. Sums are in double precision.
void columnStatistics(const float *samples, std::size_t count, std::span<const std::size_t> ranks,
                      std::optional<double> threshold, ColumnStatistics &statistics);

} // namespace gridhelm::answers
