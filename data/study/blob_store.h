// SPDX-License-Identifier: GPL-3.0-or-later
//
// Blobs of values in the study's tables. Private to data.
#pragma once

#include "data/study/study_file.h"

#include <cstdint>
#include <span>

namespace gridhelm::data {

/// First part of a blob's key. The numbers are in checksums, hence in files.
enum class BlobTable : std::int64_t {
    mesh = 1,
    snapshots = 2,
    coefficients = 3,
    holdOutValues = 4,
    scalarValues = 5,
    scalarCoefficients = 6,
    // Of the same tables: whether a row is provisional is part of its checksum.
    provisionalCoefficients = 7,
    provisionalScalarCoefficients = 8,
    gridBlocks = 9, ///< by generation instead of field
    modes = 10,
    modalCoefficients = 11, ///< belong to the number of modes
    krigingModels = 12,     ///< belong to their size
    quantisedCoefficients = 13,
};

constexpr BlobTable coefficientTable(bool isProvisional)
{
    return isProvisional ? BlobTable::provisionalCoefficients : BlobTable::coefficients;
}

inline BlobKey blobKey(BlobTable table, FieldIndex field, std::uint64_t part, std::int64_t owner)
{
    return {static_cast<std::int64_t>(table), static_cast<std::int64_t>(field),
            static_cast<std::int64_t>(part), owner};
}

/// Fills `values` from the columns encoding, checksum, bytes (in this order, from `column` on) of
/// the row that `row` stands on. Throws gridhelm::Error if they are damaged.
void readValues(const StudyFile &file, const Query &row, int column, const BlobKey &key,
                std::span<float> values);

/// The same of values in few bits, as they are stored, from the columns encoding, checksum, bytes.
codec::QuantisedRow readQuantisedBlob(const StudyFile &file, const Query &row, const BlobKey &key,
                                      std::uint64_t values);

/// Throws gridhelm::Error if a value is no finite number: no simulation is stored with such.
void requireFinite(const StudyFile &file, std::span<const float> values);

/// What is stored in a row for these values; bind them in the order encoding, checksum, bytes.
void bindBlob(Query &insert, const EncodedBlob &blob);

/// One part of a point's snapshot or coefficients; false if it is not there.
bool readSnapshotPart(const StudyFile &file, std::int64_t pointId, FieldIndex field,
                      std::uint64_t part, std::span<float> values);
bool readCoefficientPart(const StudyFile &file, std::int64_t pointId, FieldIndex field,
                         std::uint64_t part, std::span<float> values);
/// `blob` has the key of its row: of the table snapshots, and of the one that goes with
/// `isProvisional`. A provisional coefficient is replaced.
void writeSnapshotPart(StudyFile &file, const BlobKey &key, const EncodedBlob &blob);
void writeCoefficientPart(StudyFile &file, const BlobKey &key, const EncodedBlob &blob,
                          bool isProvisional);

/// `blob` has the key of its row in the table modes; what was there is replaced.
void writeModePart(StudyFile &file, const BlobKey &key, const EncodedBlob &blob);

/// The kriging of a field whose modes are written.
void writeKriging(StudyFile &file, FieldIndex field, const FieldKriging &kriging);

/// A field's modes and their kriging, in a transaction of the caller's; whether there were any.
bool removeModesAlone(StudyFile &file, FieldIndex field);
/// The same of its coefficients in few bits.
bool removeQuantisedCoefficients(StudyFile &file, FieldIndex field);
/// Whatever is evaluated in place of a field's exact coefficients.
bool removeModes(StudyFile &file, FieldIndex field);

/// What tables call the weights of norms.
inline constexpr const char *weightsByVolumes = "volumes", *weightsEqual = "equal";

/// Of an error, relative to a norm: finite, and not below 0.
bool isShare(double number);

/// What is said of a field's modes in few bits; nothing if they are not.
std::optional<QuantisedModes> readQuantised(const StudyFile &file, FieldIndex field);

/// Parts of a field of so many values, and where one of them lies.
std::uint64_t partCount(std::uint64_t values);
std::uint64_t partSize(std::uint64_t values, std::uint64_t part);

} // namespace gridhelm::data
