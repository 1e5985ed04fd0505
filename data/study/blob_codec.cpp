// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/blob_codec.h"

#include "core/codec/packed_codes.h"
#include "core/support/error.h"
#include "data/study/column_multiples.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include <array>
#include <bit>
#include <cstring>

namespace gridhelm::data {

static_assert(std::endian::native == std::endian::little,
              "blobs are little-endian: swap bytes here on other machines");

std::int64_t checksum(std::span<const std::byte> bytes)
{
    return std::bit_cast<std::int64_t>(std::uint64_t{XXH3_64bits(bytes.data(), bytes.size())});
}

EncodedBlob sealed(const BlobKey &key, StoredEncoding encoding, std::span<const std::byte> bytes)
{
    const std::array header{key.table, key.field, key.part, key.owner,
                            static_cast<std::int64_t>(encoding)};
    const auto seed = XXH3_64bits(header.data(), sizeof header);
    return {encoding, bytes,
            std::bit_cast<std::int64_t>(
                std::uint64_t{XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed)})};
}

std::string checkBlob(const BlobKey &key, std::int64_t encoding, std::int64_t storedChecksum,
                      std::span<const std::byte> bytes)
{
    return sealed(key, static_cast<StoredEncoding>(encoding), bytes).checksum == storedChecksum
               ? ""
               : "its checksum does not match";
}

namespace {

constexpr int zstdLevel = 1; // higher levels take far longer for float32 and save little more
constexpr int zstdLevelOfNumbers = 5; // most of which are small: a tenth fewer bytes

/// Byte k of every value, for k = 0, 1, 2, 3: exponents are alike, and compress side by side.
void toPlanes(std::span<const float> values, std::byte *planes)
{
    const auto *bytes = reinterpret_cast<const std::byte *>(values.data());
    for (std::size_t k = 0; k < sizeof(float); ++k) {
        for (std::size_t i = 0; i < values.size(); ++i)
            planes[k * values.size() + i] = bytes[i * sizeof(float) + k];
    }
}

void fromPlanes(const std::byte *planes, std::span<float> values)
{
    const auto n = values.size();
    for (std::size_t i = 0; i < n; ++i) {
        const std::byte bytes[] = {planes[i], planes[n + i], planes[2 * n + i], planes[3 * n + i]};
        std::memcpy(&values[i], bytes, sizeof bytes);
    }
}

/// The compressed bytes, or nothing if they are not at least a tenth fewer.
std::span<const std::byte> compressed(std::span<const std::byte> bytes,
                                      std::vector<std::byte> &memory, int level = zstdLevel)
{
    memory.resize(ZSTD_compressBound(bytes.size()));
    const auto size =
        ZSTD_compress(memory.data(), memory.size(), bytes.data(), bytes.size(), level);
    if (ZSTD_isError(size) || size > bytes.size() / 10 * 9)
        return {};
    return std::span<const std::byte>(memory).first(size);
}

/// Whether other bytes are there, and a tenth fewer than these.
bool isWorthwhile(std::span<const std::byte> others, std::span<const std::byte> bytes)
{
    return !others.empty() && others.size() < bytes.size() / 10 * 9;
}

} // namespace

EncodedBlob BlobEncoder::encode(const BlobKey &key, std::span<const float> values,
                                BlobEncoding encoding)
{
    const auto raw = std::as_bytes(values);
    if (encoding == BlobEncoding::automatic) {
        m_planes.resize(raw.size());
        toPlanes(values, m_planes.data());
        if (const auto shorter = compressed(m_planes, m_compressed); !shorter.empty())
            return sealed(key, StoredEncoding::zstdPlanes, shorter);
    }
    return sealed(key, StoredEncoding::raw, raw);
}

EncodedBlob BlobEncoder::encodeTable(const BlobKey &key, std::span<const float> values,
                                     std::size_t columns, BlobEncoding encoding)
{
    auto result = encode(key, values, encoding);
    const auto multiples =
        encoding == BlobEncoding::automatic ? columnMultiples(values, columns) : std::nullopt;
    if (!multiples)
        return result;
    const auto shorter = compressed(*multiples, m_otherwise, zstdLevelOfNumbers);
    if (isWorthwhile(shorter, result.bytes))
        result = sealed(key, StoredEncoding::zstdMultiples, shorter);
    return result;
}

PackedValues packValues(std::span<const float> values, BlobEncoding encoding)
{
    BlobEncoder encoder;
    const auto blob = encoder.encode({}, values, encoding);
    if (blob.encoding == StoredEncoding::raw)
        return {};
    return {blob.encoding, {blob.bytes.begin(), blob.bytes.end()}};
}

EncodedBlob sealedBlob(const BlobKey &key, std::span<const float> values,
                       const PackedValues &packed)
{
    const bool isRaw = packed.encoding == StoredEncoding::raw;
    const auto bytes = isRaw ? std::as_bytes(values) : std::span(packed.bytes);
    return sealed(key, packed.encoding, bytes);
}

EncodedBlob BlobEncoder::encodeBytes(const BlobKey &key, std::span<const std::byte> bytes)
{
    if (const auto shorter = compressed(bytes, m_compressed); !shorter.empty())
        return sealed(key, StoredEncoding::zstd, shorter);
    return sealed(key, StoredEncoding::raw, bytes);
}

EncodedBlob BlobEncoder::encodeQuantised(const BlobKey &key, const codec::QuantisedRow &row,
                                         int components,
                                         const std::optional<codec::CodeNeighbours> &packedBy)
{
    m_serialised = row.serialised();
    EncodedBlob result{StoredEncoding::quantised, m_serialised, 0};
    if (const auto shorter = compressed(m_serialised, m_compressed); !shorter.empty())
        result = {StoredEncoding::zstdQuantised, shorter, 0};
    const auto differences = codec::differencesOf(
        row, codec::likelyNeighbours(row, static_cast<std::size_t>(components)));
    const auto shorter = compressed(differences, m_otherwise, zstdLevelOfNumbers);
    if (isWorthwhile(shorter, result.bytes))
        result = {StoredEncoding::zstdDifferences, shorter, 0};
    if (packedBy) {
        m_packed = codec::packedCodes(row, *packedBy);
        if (isWorthwhile(m_packed, result.bytes))
            result = {StoredEncoding::packed, m_packed, 0};
    }
    return sealed(key, result.encoding, result.bytes);
}

namespace {

/// The decompressed bytes, if they say how many there are, and these are no more than `most`.
std::optional<std::vector<std::byte>> decompressed(std::span<const std::byte> bytes,
                                                   std::size_t most)
{
    const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > most)
        return std::nullopt;
    std::vector<std::byte> plain(size);
    if (ZSTD_decompress(plain.data(), plain.size(), bytes.data(), bytes.size()) != size)
        return std::nullopt;
    return plain;
}

} // namespace

std::optional<codec::QuantisedRow> BlobDecoder::decodeQuantised(std::int64_t encoding,
                                                                std::span<const std::byte> bytes,
                                                                std::size_t values)
{
    // Widths, and values that are all raw, with their last block filled up.
    const auto most = codec::QuantisedRow::headerBytes + values / codec::quantisedBlock + 1
                      + (values + codec::quantisedBlock) * sizeof(float);
    try {
        if (encoding == static_cast<std::int64_t>(StoredEncoding::quantised))
            return codec::QuantisedRow::fromBytes(bytes, values);
        if (encoding == static_cast<std::int64_t>(StoredEncoding::zstdQuantised)) {
            const auto plain = decompressed(bytes, most);
            return plain ? std::optional(codec::QuantisedRow::fromBytes(*plain, values))
                         : std::nullopt;
        }
        if (encoding == static_cast<std::int64_t>(StoredEncoding::zstdDifferences)) {
            const auto plain = decompressed(bytes, sizeof(codec::CodeNeighbours) + most);
            return plain ? std::optional(codec::fromDifferences(*plain, values)) : std::nullopt;
        }
        if (encoding == static_cast<std::int64_t>(StoredEncoding::packed))
            return codec::fromPackedCodes(bytes, values);
    } catch (const Error &) {
    }
    return std::nullopt;
}

bool BlobDecoder::decode(std::int64_t encoding, std::span<const std::byte> bytes,
                         std::span<float> values)
{
    const auto target = std::as_writable_bytes(values);
    if (encoding == static_cast<std::int64_t>(StoredEncoding::raw)) {
        if (bytes.size() != target.size())
            return false;
        if (!bytes.empty())
            std::memcpy(target.data(), bytes.data(), bytes.size());
        return true;
    }
    if (const auto row = decodeQuantised(encoding, bytes, values.size())) {
        row->decode(0, values);
        return true;
    }
    if (encoding == static_cast<std::int64_t>(StoredEncoding::zstdMultiples)) {
        const auto plain = decompressed(bytes, mostMultipleBytes(values.size()));
        return plain && fromColumnMultiples(*plain, values);
    }
    if (encoding != static_cast<std::int64_t>(StoredEncoding::zstdPlanes))
        return false;
    m_planes.resize(target.size());
    if (ZSTD_decompress(m_planes.data(), m_planes.size(), bytes.data(), bytes.size())
        != target.size())
        return false;
    fromPlanes(m_planes.data(), values);
    return true;
}

std::optional<std::uint64_t> BlobDecoder::decodedBytes(std::int64_t encoding,
                                                       std::span<const std::byte> bytes)
{
    if (encoding == static_cast<std::int64_t>(StoredEncoding::raw))
        return bytes.size();
    const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR)
        return std::nullopt;
    return size;
}

bool BlobDecoder::decodeBytes(std::int64_t encoding, std::span<const std::byte> bytes,
                              std::span<char> out)
{
    if (encoding == static_cast<std::int64_t>(StoredEncoding::raw)) {
        if (bytes.size() != out.size())
            return false;
        if (!bytes.empty())
            std::memcpy(out.data(), bytes.data(), bytes.size());
        return true;
    }
    return encoding == static_cast<std::int64_t>(StoredEncoding::zstd)
           && ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size()) == out.size();
}

} // namespace gridhelm::data
