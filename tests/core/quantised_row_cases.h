// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values of quantised rows.
#pragma once

#include "core/codec/code_differences.h"
#include "tests/core/random.h"

#include <QTest>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
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
        const auto size = std::exp2(-8.0 + static_cast<double>(i / codec::quantisedBlock % 40));
        values.push_back(static_cast<float>(size * (2 * random.real() - 1)));
    }
    return values;
}

/// Columns "count", "value" and "row": numbers of values, and neighbours that such rows may have or
/// not.
inline void addCountsAndNeighbours()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("value");
    QTest::addColumn<int>("row");
    for (const int count : {0, 1, 31, 32, 33, 1000, 5000})
        for (const auto &[value, row] :
             {std::pair{1, 0}, std::pair{3, 0}, std::pair{1, 7}, std::pair{3, 39},
              std::pair{2, 100000}, std::pair{100000, 3}})
            QTest::addRow("%d values, %d, %d", count, value, row) << count << value << row;
}

/// Whether read(write(row, neighbours), values) is the row, bit for bit, whatever its widths.
template <typename Write, typename Read>
bool comesBack(int count, int value, int row, Write write, Read read)
{
    Random random(3);
    const auto values = ofAllWidths(random, static_cast<std::size_t>(count));
    const codec::CodeNeighbours neighbours{static_cast<std::uint32_t>(value),
                                           static_cast<std::uint32_t>(row)};
    for (const double tolerance : {0.0, 1e-3, 0.3, 1e9}) {
        const auto before = codec::QuantisedRow::encode(values, tolerance);
        const auto after = read(write(before, neighbours), before.values());
        if (after.serialised() != before.serialised())
            return false;
    }
    return true;
}

} // namespace gridhelm::test
