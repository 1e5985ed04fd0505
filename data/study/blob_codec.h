// SPDX-License-Identifier: GPL-3.0-or-later
//
// float32 values as the bytes of a blob, with a checksum that also says where they belong.
#pragma once

#include "core/codec/code_differences.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

/// How snapshots and coefficients are stored. `automatic` tries zstd on byte planes (bytes of equal
/// significance side by side), part by part, and keeps it where it saves a tenth.
enum class BlobEncoding : std::uint8_t { raw, automatic };

/// Where a blob belongs: part of its checksum, so that a blob in the wrong place is noticed.
struct BlobKey
{
    std::int64_t table = 0;
    std::int64_t field = 0;
    std::int64_t part = 0;
    std::int64_t owner = 0; ///< point, hold-out, job ...
};

/// XXH3 of bytes that are no blob.
std::int64_t checksum(std::span<const std::byte> bytes);

/// How the bytes of a blob are to be read. The numbers are in files.
enum class StoredEncoding : std::int64_t {
    raw = 0,             ///< little-endian float32, or plain bytes
    zstdPlanes = 1,      ///< zstd of byte planes: all lowest bytes first, then the next ones ...
    zstd = 2,            ///< zstd of plain bytes
    quantised = 3,       ///< codec::QuantisedRow::serialised()
    zstdQuantised = 4,   ///< zstd of that
    zstdDifferences = 5, ///< zstd of codec::differencesOf()
    zstdMultiples = 6,   ///< zstd of columnMultiples()
    packed = 7,          ///< codec::packedCodes()
};

struct EncodedBlob
{
    StoredEncoding encoding = StoredEncoding::raw;
    std::span<const std::byte> bytes; ///< of the values themselves, or of the encoder's memory
    std::int64_t checksum = 0;        ///< of the key, the encoding and the bytes
};
EncodedBlob sealed(const BlobKey &key, StoredEncoding encoding, std::span<const std::byte> bytes);

/// Keeps its scratch memory from blob to blob. Results are valid until the next call.
class BlobEncoder
{
public:
    EncodedBlob encode(const BlobKey &key, std::span<const float> values, BlobEncoding encoding);
    /// A table, row by row, whose values may have been rounded.
    EncodedBlob encodeTable(const BlobKey &key, std::span<const float> values, std::size_t columns,
                            BlobEncoding encoding);
    EncodedBlob encodeBytes(const BlobKey &key, std::span<const std::byte> bytes);
    /// `components` of a node follow each other in the row. In as few bytes as can be, which takes
    /// longer to write and to read, where `packedBy` says which neighbours foretell codes.
    EncodedBlob encodeQuantised(const BlobKey &key, const codec::QuantisedRow &row, int components,
                                const std::optional<codec::CodeNeighbours> &packedBy = {});

private:
    std::vector<std::byte> m_planes, m_compressed, m_serialised, m_otherwise, m_packed;
};

/// Values encoded before it is known where they belong: what takes long of storing them, by any
/// thread.
struct PackedValues
{
    StoredEncoding encoding = StoredEncoding::raw;
    std::vector<std::byte> bytes; ///< none if raw: they are the values' own
};
PackedValues packValues(std::span<const float> values, BlobEncoding encoding);
using PackedParts = std::vector<PackedValues>; ///< of values that are stored in several blobs
/// What encode() would have given; `packed` was made of these values.
EncodedBlob sealedBlob(const BlobKey &key, std::span<const float> values,
                       const PackedValues &packed);

/// Empty if all is well, otherwise what is wrong ("its checksum does not match").
std::string checkBlob(const BlobKey &key, std::int64_t encoding, std::int64_t storedChecksum,
                      std::span<const std::byte> bytes);

class BlobDecoder
{
public:
    /// Fills `values` from bytes whose checksum has been compared. Returns false if they are not
    /// that many values in that encoding.
    bool decode(std::int64_t encoding, std::span<const std::byte> bytes, std::span<float> values);
    /// The same for quantised values alone, as they are; nothing if they are no such values.
    static std::optional<codec::QuantisedRow>
    decodeQuantised(std::int64_t encoding, std::span<const std::byte> bytes, std::size_t values);
    /// The same for bytes; `size` is how many there must be.
    static bool decodeBytes(std::int64_t encoding, std::span<const std::byte> bytes,
                            std::span<char> out);

    /// How many bytes decode() would need, as the blob itself says; nothing if it does not say.
    static std::optional<std::uint64_t> decodedBytes(std::int64_t encoding,
                                                     std::span<const std::byte> bytes);

private:
    std::vector<std::byte> m_planes;
};

} // namespace gridhelm::data
