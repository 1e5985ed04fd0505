// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plain bytes (a mesh, a grid's blocks) in rows of 256 KiB, each under its checksum. Private to
// data.
#pragma once

#include "data/study/blob_codec.h"
#include "data/study/query.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace gridhelm::data {

/// Bytes of one part, before compression; the last one may be shorter.
constexpr std::uint64_t bytesOfPart = std::uint64_t{1} << 18;

/// Where part number `part` of something belongs.
using KeyOfPart = std::function<BlobKey(std::int64_t part)>;

/// write(part, encoded bytes) for all parts, in their order.
void encodeParts(std::span<const std::byte> bytes, const KeyOfPart &keyOf, BlobEncoder &encoder,
                 const std::function<void(std::int64_t, const EncodedBlob &)> &write);

/// Fills `all` from the rows of a query for part, encoding, checksum and bytes, which come in the
/// order of the parts. Returns what is wrong; nothing if all is well.
std::string decodeParts(Query &row, const KeyOfPart &keyOf, std::span<char> all);

} // namespace gridhelm::data
