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
enum class SealedTable : std::uint8_t { jobs, jobLogs, holdOuts, errorFigures, views, mesh };

/// What to read of a row, without WHERE; the last column is the stored checksum, the one before
/// is the row's number in SQLite.
const char *columnsOf(SealedTable table);

/// The checksum of the row that `row`, a query of columnsOf(), stands on.
std::int64_t checksumOf(SealedTable table, const Query &row);
/// Whether it is the stored one.
bool isSealed(SealedTable table, const Query &row);

/// Stores the checksum of one row, or of all.
void sealRow(const StudyFile &file, SealedTable table, std::int64_t rowId);
void sealRows(const SQLite::Database &database, SealedTable table);

} // namespace gridhelm::data
