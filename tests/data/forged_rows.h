// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies with rows that nobody would write.
#pragma once

#include "tests/core/random.h"
#include "tests/data/hostile_files.h"
#include "tests/data/study_forger.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <filesystem>
#include <initializer_list>
#include <string>

namespace gridhelm::test {

/// Any value of a column's type, nasty ones among them.
inline std::string randomLiteral(Random &random, const std::string &type)
{
    const auto choose = [&](std::initializer_list<const char *> values) {
        return std::string(values.begin()[random.index(values.size())]);
    };
    if (type == "INTEGER")
        return choose({"0",
                       "1",
                       "2",
                       "-1",
                       "3",
                       "7",
                       "30",
                       "31",
                       "32",
                       "127",
                       "128",
                       "300",
                       "1000",
                       "65536",
                       "65537",
                       "1000000",
                       "2147483647",
                       "2147483648",
                       "-2147483648",
                       "1099511627776",
                       "111111111111",
                       "9223372036854775807",
                       "-9223372036854775808",
                       "NULL"});
    if (type == "REAL")
        return choose({"0.0", "-1.0", "1e308", "-1e308", "1e999", "-1e999", "5e-324", "1.0", "2.0",
                       "1000.0", "1e-300", "NULL"});
    if (type == "BLOB")
        return choose({"x''", "x'00'", "x'0000'", "x'000000'", "x'7f7f7f'", "x'ffffff'",
                       "x'01ff00'", "x'0102030405060708'", "zeroblob(24)", "zeroblob(1200)",
                       "zeroblob(100000)", "x'28b52ffd'", "NULL"});
    return choose({"''",
                   "'x'",
                   "'nan'",
                   "'scalar'",
                   "'vector'",
                   "'linear'",
                   "'logarithmic'",
                   "'time-like'",
                   "'space'",
                   "'boundary'",
                   "'modified'",
                   "'zero'",
                   "'cell'",
                   "'point'",
                   "'done'",
                   "'waiting'",
                   "'gone'",
                   "'1,1,1'",
                   "'31,31,31'",
                   "'3,2'",
                   "'-1,0,99999999999'",
                   "','",
                   "char(0)",
                   "zeroblob(9)",
                   "printf('%.9999c', 'x')",
                   "NULL"});
}

/// Changes, deletes or repeats a row of a table, as somebody with an SQLite shell could.
inline void damageRows(Random &random, SQLite::Database &database)
{
    const auto columns = columnsOfStudy(database);
    // Often what the others are read with.
    const auto &column = [&]() -> const ColumnOfStudy & {
        while (true) {
            const auto &any = columns[random.index(columns.size())];
            const bool isCentral = any.table == "grids" || any.table == "parameters"
                                   || any.table == "fields" || any.table == "study"
                                   || any.table == "mesh" || any.table == "grid_blocks";
            if (isCentral || random.chance(0.4))
                return any;
        }
    }();
    const auto someRowOf = [&](const std::string &what) {
        return "(SELECT " + what + " FROM " + column.table + " ORDER BY rowid LIMIT 1 OFFSET "
               + std::to_string(random.index(1000)) + " % max(1, (SELECT count(*) FROM "
               + column.table + ")))";
    };
    const auto row = " WHERE rowid = " + someRowOf("rowid");
    try {
        const int kind = random.integer(0, 9);
        if (kind == 0)
            database.exec("DELETE FROM " + column.table + row);
        else if (kind == 1)
            database.exec("UPDATE " + column.table + " SET " + column.name + " = "
                          + someRowOf(column.name) + row);
        else
            database.exec("UPDATE " + column.table + " SET " + column.name + " = "
                          + randomLiteral(random, column.type) + (kind < 8 ? row : ""));
    } catch (const SQLite::Exception &) {
        // NOT NULL, UNIQUE, or the type of a column: SQLite does not store it.
    }
}

/// One to three rows of a study; mostly with checksums that are right again, as a program would
/// make them that has an error, or malice.
inline void forgeRows(Random &random, const std::filesystem::path &study)
{
    Forger forger(study);
    for (int changes = random.integer(1, 3); changes > 0; --changes)
        damageRows(random, forger.database());
    if (random.chance(0.8))
        forger.correctChecksums();
}

} // namespace gridhelm::test
