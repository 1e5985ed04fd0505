// SPDX-License-Identifier: GPL-3.0-or-later
//
// Quantised rows in as few bytes as can be, for files that shall be small: it takes some ten times
// as long to read them as those of code_differences.h (docs/theory/quantisation.md).
#pragma once

#include "core/codec/code_differences.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::codec {

/// Each code is foretold as a sum of those before it that are near, with weights that are fitted to
/// the row (least squares), and what it differs is coded with as many bits as it is surprising,
/// next to how far off its neighbours were [Wu1997].
std::vector<std::byte> packedCodes(const QuantisedRow &row, const CodeNeighbours &neighbours);

/// The row, bit for bit. Bytes that are damaged are an error (gridhelm::Error) or another row of so
/// many values: checksums are compared before.
QuantisedRow fromPackedCodes(std::span<const std::byte> bytes, std::size_t values);

} // namespace gridhelm::codec
