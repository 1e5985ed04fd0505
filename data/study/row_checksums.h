// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checksums of the rows that are not blobs of values. Private to data.
#pragma once

#include "data/study/query.h"

#include <SQLiteCpp/Database.h>

#include <cstdint>

namespace gridhelm::data {

class StudyFile;

/// A table whose rows carry a checksum over all of their columns.
enum class SealedTable : std::uint8_t {
    jobs,
    jobLogs,
    holdOuts,
    errorFigures,
    submissions,
    mesh,
    modeSets,
    krigingModels,
    errorBands,
    nodeBands,
    refinements,
    errorHistory,
    plannedRuns,
    quantisedModes,
    responses,
    wantedMeans,
    quantisedRows
};

/// What reads all rows, in the order of their numbers, and what reads the row of a number; to be
/// kept as they are (StudyFile::query). The covered columns come first, then rowid and
/// the stored checksum.
const char *selectAll(SealedTable table);
const char *selectOne(SealedTable table);

/// The checksum of the row that `row`, a query with the columns of selectAll(), stands on.
std::int64_t checksumOf(SealedTable table, const Query &row);
/// Whether it is the stored one.
bool isSealed(SealedTable table, const Query &row);

/// Stores the checksum of one row, or of all.
void sealRow(const StudyFile &file, SealedTable table, std::int64_t rowId);
void sealRows(const SQLite::Database &database, SealedTable table);

} // namespace gridhelm::data
