// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies as somebody makes them who knows the format and means harm: whatever is changed, the
// checksums are right. Damage alone would be stopped by them.
#pragma once

#include "data/study/blob_store.h"
#include "data/study/mesh_store.h"
#include "data/study/row_checksums.h"
#include "data/study/row_sums.h"
#include "data/study/study_file.h"
#include "data/study/study_writer.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

namespace gridhelm::test {

class Forger
{
public:
    explicit Forger(const std::filesystem::path &study)
        : m_writer(data::StudyWriter::open(study))
    {
        database().exec("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;"
                        "PRAGMA ignore_check_constraints = ON");
    }

    SQLite::Database &database() { return m_writer.file().database(); }
    data::StudyWriter &writer() { return m_writer; }
    Forger &execute(const std::string &sql)
    {
        database().exec(sql);
        return *this;
    }

    /// Replaces the bytes of all rows of a table of blobs by these values, uncompressed.
    Forger &putValues(const std::string &table, const std::vector<float> &values)
    {
        SQLite::Statement update(database(), "UPDATE " + table + " SET encoding = 0, bytes = ?");
        update.bindNoCopy(1, values.data(), static_cast<int>(values.size() * sizeof(float)));
        update.exec();
        return *this;
    }

    /// Of everything. What it is made of may be gone: then it stays as it is.
    void correctChecksums()
    {
        const auto attempt = [](auto action) {
            try {
                action();
            } catch (const std::exception &) {
                // A forger's study need not be readable.
            }
        };
        attempt([&] { correctBlobs(); });
        attempt([&] { correctMesh(); });
        attempt([&] { correctGrids(); });
        attempt([&] { correctKriging(); });
        for (const auto table :
             {data::SealedTable::jobs, data::SealedTable::jobLogs, data::SealedTable::holdOuts,
              data::SealedTable::errorFigures, data::SealedTable::submissions,
              data::SealedTable::mesh, data::SealedTable::modeSets,
              data::SealedTable::krigingModels, data::SealedTable::errorBands,
              data::SealedTable::responses, data::SealedTable::wantedMeans,
              data::SealedTable::quantisedModes, data::SealedTable::quantisedRows})
            attempt([&] { data::sealRows(database(), table); });
        for (const auto &table : data::summedTables())
            attempt([&] { data::storeSum(database(), table); });
        attempt([&] { m_writer.file().updateChecksum(); });
    }

private:
    void correctBlobs()
    {
        using data::BlobTable;
        for (const auto &[table, number, part, owner, kind] :
             {std::tuple("snapshots", BlobTable::snapshots, "part", "point", "0"),
              std::tuple("coefficients", BlobTable::coefficients, "part", "point", "provisional"),
              std::tuple("scalar_values", BlobTable::scalarValues, "part", "job", "0"),
              std::tuple("scalar_coefficients", BlobTable::scalarCoefficients, "first", "levels",
                         "provisional"),
              std::tuple("hold_out_values", BlobTable::holdOutValues, "part", "hold_out", "0")}) {
            SQLite::Statement rows(database(), std::string("SELECT rowid, field, ") + part + ", "
                                                   + owner + ", bytes, " + kind + ", encoding FROM "
                                                   + table);
            std::vector<std::array<std::int64_t, 2>> checksums;
            for (data::Query row(rows); row.step();) {
                data::BlobKey key{static_cast<std::int64_t>(number), row.integer(1), row.integer(2),
                                  row.isBlob(3) ? data::checksum(row.blob(3)) : row.integer(3)};
                if (row.integer(5) != 0)
                    key.table =
                        static_cast<std::int64_t>(number == BlobTable::coefficients
                                                      ? BlobTable::provisionalCoefficients
                                                      : BlobTable::provisionalScalarCoefficients);
                checksums.push_back({checksumOf(key, row.integer(6), row.blob(4)), row.integer(0)});
            }
            write(std::string("UPDATE ") + table + " SET checksum = ? WHERE rowid = ?", checksums);
        }
    }

    void correctMesh()
    {
        const auto size = database().execAndGet("SELECT size FROM mesh").getInt64();
        SQLite::Statement rows(database(), "SELECT id, bytes, encoding FROM mesh_parts");
        std::vector<std::array<std::int64_t, 2>> checksums;
        for (data::Query row(rows); row.step();)
            checksums.push_back({checksumOf({static_cast<std::int64_t>(data::BlobTable::mesh), 0,
                                             row.integer(0), size},
                                            row.integer(2), row.blob(1)),
                                 row.integer(0)});
        write("UPDATE mesh_parts SET checksum = ? WHERE id = ?", checksums);
    }

    void correctGrids()
    {
        SQLite::Statement rows(
            database(),
            "SELECT b.id, b.generation, b.part, b.bytes, g.blocks * (SELECT "
            "count(*) FROM parameters), b.encoding FROM grid_blocks AS b JOIN grids AS g ON "
            "g.generation = b.generation");
        std::vector<std::array<std::int64_t, 2>> checksums;
        for (data::Query row(rows); row.step();)
            checksums.push_back({checksumOf({static_cast<std::int64_t>(data::BlobTable::gridBlocks),
                                             row.integer(1), row.integer(2), row.integer(4)},
                                            row.integer(5), row.blob(3)),
                                 row.integer(0)});
        write("UPDATE grid_blocks SET checksum = ? WHERE id = ?", checksums);
    }

    void correctKriging()
    {
        SQLite::Statement rows(database(),
                               "SELECT p.id, p.field, p.part, p.bytes, m.size, p.encoding FROM "
                               "kriging_parts AS p JOIN kriging_models AS m ON "
                               "m.field = p.field");
        std::vector<std::array<std::int64_t, 2>> checksums;
        for (data::Query row(rows); row.step();)
            checksums.push_back(
                {checksumOf({static_cast<std::int64_t>(data::BlobTable::krigingModels),
                             row.integer(1), row.integer(2), row.integer(4)},
                            row.integer(5), row.blob(3)),
                 row.integer(0)});
        write("UPDATE kriging_parts SET checksum = ? WHERE id = ?", checksums);
    }

    static std::int64_t checksumOf(const data::BlobKey &key, std::int64_t encoding,
                                   std::span<const std::byte> bytes)
    {
        return data::sealed(key, static_cast<data::StoredEncoding>(encoding), bytes).checksum;
    }

    void write(const std::string &sql, const std::vector<std::array<std::int64_t, 2>> &checksums)
    {
        SQLite::Statement update(database(), sql);
        for (const auto &[value, id] : checksums)
            data::Query(update).bind(value).bind(id).run();
    }

    data::StudyWriter m_writer;
};

} // namespace gridhelm::test
