// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/byte_parts.h"

#include <algorithm>

namespace gridhelm::data {

void encodeParts(std::span<const std::byte> bytes, const KeyOfPart &keyOf, BlobEncoder &encoder,
                 const std::function<void(std::int64_t, const EncodedBlob &)> &write)
{
    std::int64_t part = 0;
    for (std::uint64_t at = 0; at < bytes.size(); at += bytesOfPart, ++part) {
        const auto piece = bytes.subspan(at, std::min(bytesOfPart, bytes.size() - at));
        write(part, encoder.encodeBytes(keyOf(part), piece));
    }
}

std::string decodeParts(Query &row, const KeyOfPart &keyOf, std::span<char> all)
{
    std::uint64_t at = 0;
    for (std::int64_t part = 0; row.step(); ++part) {
        const auto bytes = row.blob(3);
        if (auto problem = checkBlob(keyOf(part), row.integer(1), row.integer(2), bytes);
            !problem.empty())
            return problem;
        if (row.integer(0) != part || at >= all.size())
            return "it has chunks that do not belong to it";
        const auto size = std::min<std::uint64_t>(bytesOfPart, all.size() - at);
        if (!BlobDecoder::decodeBytes(row.integer(1), bytes, all.subspan(at, size)))
            return "a chunk is not as long as it should be";
        at += size;
    }
    return at == all.size() ? "" : "chunks of it are missing";
}

} // namespace gridhelm::data
