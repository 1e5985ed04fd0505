// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_3.h"

#include "data/study/grid_store.h"
#include "data/study/query.h"
#include "data/study/row_sums.h"

#include <SQLiteCpp/Statement.h>

#include <string_view>

namespace gridhelm::data::schema {

namespace {

/// Nothing in an empty file.
void writeBlocksOfGrids(SQLite::Database &database)
{
    const auto rows = readGridRows(database);
    if (rows.empty())
        return;
    const ParameterSpace space(readParameterRows(database));
    const auto kind =
        parseStudyKind(database.execAndGet("SELECT kind FROM study WHERE id = 1").getString());
    BlobEncoder encoder;
    for (std::size_t i = 0; i < rows.size(); ++i)
        writeBlocks(database, static_cast<std::int64_t>(i), *truncatedGrid(rows[i], space, kind),
                    encoder);
}

} // namespace

void moveToVersion3(SQLite::Database &database)
{
    writeBlocksOfGrids(database);
    for (const auto &table : summedTables(3)) {
        const std::string_view name = table.name;
        if (name == "grid_blocks" || name == "submissions")
            storeSum(database, table);
    }
}

} // namespace gridhelm::data::schema
