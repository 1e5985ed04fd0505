// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables of float32 values that have been rounded, as bytes that compress well: in place of each
// value how many times it is the step of its column. Nothing is lost. Private to data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::data {

/// Of a table, row by row; its last row may be a part of one. The step of a column is the largest
/// power of 2 of which all its values are multiples. Nothing where a value is more than 2^31 steps,
/// not finite, or a zero with a sign. Number of columns, the step of each as its binary exponent,
/// then all multiples, column by column: first their lowest bytes, then the next ones.
std::optional<std::vector<std::byte>> columnMultiples(std::span<const float> values,
                                                      std::size_t columns);

/// How many bytes that can be for so many values, whatever the columns.
std::size_t mostMultipleBytes(std::size_t values);

/// The values, bit for bit. False if these are not so many.
bool fromColumnMultiples(std::span<const std::byte> bytes, std::span<float> values);

} // namespace gridhelm::data
