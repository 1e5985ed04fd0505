// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a table's rows are those that were written: asked once, before anything is looked for in
// it. What a query does not find is only then not there. Private to data.
#pragma once

#include "data/study/row_sums.h"

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// Reads a table from its first row to its last, without its values, and each of its indices of
/// numbers. Says what is wrong as a clause, nothing if all is well: numbers of rows ascend, so that
/// pages that lead to themselves do not lead on for ever; rows add up to `expected`, or are
/// `mostRows` at most where the table has no sum; and its indices lead to these rows, in their
/// order. With `mayUseIndex` the index "_rows", if the table has one, is read in its place: what
/// rows have of their own is then compared when their values are read, which their checksums seal
/// together with the key that they are looked for by. To be called in a read transaction.
std::string problemOfRows(const SQLite::Database &database, const SummedTable &table,
                          const std::optional<TableSum> &expected, std::int64_t mostRows,
                          bool mayUseIndex = true);

/// The tables that a statement reads: behind FROM and JOIN.
std::vector<std::string> tablesIn(std::string_view sql);

} // namespace gridhelm::data
