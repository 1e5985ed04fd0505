// SPDX-License-Identifier: GPL-3.0-or-later
//
// Quantised rows for storage: in place of each code what it differs from what its neighbours
// foretell, which takes fewer bits once it is compressed (docs/theory/quantisation.md).
#pragma once

#include "core/codec/quantised_row.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::codec {

/// Where the neighbours of a value are, as places before it in the row. Code x(i) is foretold as
/// x(i - value) + x(i - row) - x(i - value - row), the Lorenzo predictor of two dimensions
/// [Ibarria2003]; without rows as x(i - value).
struct CodeNeighbours
{
    std::uint32_t value = 1; ///< the value before, of the same component
    std::uint32_t row = 0;   ///< that of the row before; 0: there are no rows
};

/// Those by which the least is left of a row's codes, as far as a sample tells: rows of any length
/// are tried, so that nothing need be known of the mesh. `components` follow each other.
CodeNeighbours likelyNeighbours(const QuantisedRow &row, std::size_t components);

/// All of a row: its neighbours, what serialised() begins with, values that are raw, and all
/// differences, first their low bytes, then their high ones.
std::vector<std::byte> differencesOf(const QuantisedRow &row, const CodeNeighbours &neighbours);

/// The row, bit for bit. Throws gridhelm::Error if these are not so many values.
QuantisedRow fromDifferences(std::span<const std::byte> bytes, std::size_t values);

} // namespace gridhelm::codec
