// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values of quantised rows.
#pragma once

#include "core/sparse/quantised_row.h"
#include "tests/core/random.h"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace gridhelm::test {

/// Smooth over a grid of rows; components follow each other.
inline std::vector<float> smooth(std::size_t rowLength, std::size_t rows, std::size_t components)
{
    std::vector<float> values;
    for (std::size_t j = 0; j < rows; ++j)
        for (std::size_t i = 0; i < rowLength; ++i)
            for (std::size_t c = 0; c < components; ++c) {
                const double x = static_cast<double>(i) / static_cast<double>(rowLength);
                const double y = static_cast<double>(j) / static_cast<double>(rows);
                values.push_back(static_cast<float>(
                    std::sin(2 * std::numbers::pi * (x + static_cast<double>(c) * y))
                    * std::cos(3 * y)));
            }
    return values;
}

/// Of all widths: the magnitude grows from block to block.
inline std::vector<float> ofAllWidths(Random &random, std::size_t count)
{
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) {
        const auto size = std::exp2(-8.0 + static_cast<double>(i / sparse::quantisedBlock % 40));
        values.push_back(static_cast<float>(size * (2 * random.real() - 1)));
    }
    return values;
}

} // namespace gridhelm::test
