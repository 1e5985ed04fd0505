// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/blob_store.h"

#include "data/study/study.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

namespace gridhelm::data {

void readValues(const StudyFile &file, const Query &row, int column, const BlobKey &key,
                std::span<float> values)
{
    const auto bytes = row.blob(column + 2);
    auto problem = checkBlob(key, row.integer(column), row.integer(column + 1), bytes);
    if (problem.empty() && !file.decoder().decode(row.integer(column), bytes, values))
        problem = "it does not hold " + std::to_string(values.size()) + " values";
    if (!problem.empty())
        file.throwDamaged("a block of values cannot be read: " + problem);
    requireFinite(file, values);
}

void requireFinite(const StudyFile &file, std::span<const float> values)
{
    // Exponents of all ones, without a branch in the loop: as fast as memory.
    constexpr std::uint32_t exponent = 0x7f800000;
    std::uint32_t bad = 0;
    for (const float value : values)
        bad |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(value) & exponent)
                                          == exponent);
    if (bad != 0)
        file.throwDamaged("a block of values holds some that are not finite numbers");
}

void bindBlob(Query &insert, const EncodedBlob &blob)
{
    insert.bind(static_cast<std::int64_t>(blob.encoding)).bind(blob.checksum).bind(blob.bytes);
}

namespace {

bool readPart(const StudyFile &file, Query &row, const BlobKey &key, std::span<float> values)
{
    row.bind(key.field).bind(key.part).bind(key.owner);
    if (!row.step())
        return false;
    readValues(file, row, 0, key, values);
    return true;
}

} // namespace

bool readSnapshotPart(const StudyFile &file, std::int64_t pointId, FieldIndex field,
                      std::uint64_t part, std::span<float> values)
{
    auto row = file.query("SELECT encoding, checksum, bytes FROM snapshots "
                          "WHERE field = ? AND part = ? AND point = ?");
    return readPart(file, row, blobKey(BlobTable::snapshots, field, part, pointId), values);
}

bool readCoefficientPart(const StudyFile &file, std::int64_t pointId, FieldIndex field,
                         std::uint64_t part, std::span<float> values)
{
    auto row = file.query("SELECT encoding, checksum, bytes, provisional FROM coefficients "
                          "WHERE field = ? AND part = ? AND point = ?");
    auto key = blobKey(BlobTable::coefficients, field, part, pointId);
    row.bind(key.field).bind(key.part).bind(key.owner);
    if (!row.step())
        return false;
    key.table = static_cast<std::int64_t>(coefficientTable(row.integer(3) != 0));
    readValues(file, row, 0, key, values);
    return true;
}

void writeSnapshotPart(StudyFile &file, const BlobKey &key, const EncodedBlob &blob)
{
    auto insert =
        file.query("INSERT OR REPLACE INTO snapshots (field, part, point, encoding, checksum, "
                   "bytes) VALUES (?, ?, ?, ?, ?, ?)");
    insert.bind(key.field).bind(key.part).bind(key.owner);
    bindBlob(insert, blob);
    insert.run();
}

void writeCoefficientPart(StudyFile &file, const BlobKey &key, const EncodedBlob &blob,
                          bool isProvisional)
{
    auto insert =
        file.query("INSERT OR REPLACE INTO coefficients (field, part, point, provisional, "
                   "encoding, checksum, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)");
    insert.bind(key.field).bind(key.part).bind(key.owner).bind(isProvisional ? 1 : 0);
    bindBlob(insert, blob);
    insert.run();
}

std::uint64_t partCount(std::uint64_t values)
{
    return (values + Study::partValues() - 1) / Study::partValues();
}

std::uint64_t partSize(std::uint64_t values, std::uint64_t part)
{
    return std::min(values - part * Study::partValues(), Study::partValues());
}

} // namespace gridhelm::data
