// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/version_2.h"

#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "data/study/blob_store.h"
#include "data/study/mesh_store.h"
#include "data/study/row_checksums.h"
#include "data/study/row_sums.h"
#include "data/study/study_writer.h"

#include <SQLiteCpp/Statement.h>

#include <string>
#include <utility>
#include <vector>

namespace gridhelm::data::schema {

namespace {

void requireSound(const BlobKey &key, std::int64_t checksum, std::span<const std::byte> bytes,
                  const char *what)
{
    if (const auto problem = checkBlob(key, checksum, bytes); !problem.empty())
        throw Error(std::string(what) + " cannot be read: " + problem);
}

void cutMesh(SQLite::Database &database)
{
    SQLite::Statement old(database, "SELECT kind, points, cells, size, encoding, checksum, bytes "
                                    "FROM mesh WHERE id = 1");
    Query row(old);
    if (!row.step())
        return;
    const auto size = row.integer(3);
    requireSound({static_cast<std::int64_t>(BlobTable::mesh), row.integer(1), row.integer(2), size},
                 row.integer(5), row.blob(6), "its mesh");
    Mesh mesh{row.text(0),
              {},
              static_cast<std::uint64_t>(row.integer(1)),
              static_cast<std::uint64_t>(row.integer(2))};
    if (size < 0)
        throw Error("its mesh has a negative size");
    requireMemory(static_cast<double>(size), "the mesh of the study", "close other programs");
    mesh.encoded.resize(static_cast<std::size_t>(size));
    if (!BlobDecoder::decodeBytes(row.integer(4), row.blob(6), mesh.encoded))
        throw Error("its mesh is not as long as it says");
    BlobEncoder encoder;
    writeMesh(database, "new_mesh", mesh, encoder);
}

/// Values of one job in parts, as snapshots have them.
void cutScalarValues(SQLite::Database &database)
{
    SQLite::Statement old(database, "SELECT job, field, encoding, checksum, bytes "
                                    "FROM scalar_values ORDER BY id");
    SQLite::Statement insert(database, "INSERT INTO new_scalar_values (job, field, part, encoding, "
                                       "checksum, bytes) VALUES (?, ?, ?, ?, ?, ?)");
    BlobEncoder encoder;
    BlobDecoder decoder;
    std::vector<float> values;
    for (Query row(old); row.step();) {
        const auto job = row.integer(0), field = row.integer(1), encoding = row.integer(2);
        const auto bytes = row.blob(4);
        const BlobKey key{static_cast<std::int64_t>(BlobTable::scalarValues), field, 0, job};
        requireSound(key, row.integer(3), bytes, "the values of a job");
        const auto size = BlobDecoder::decodedBytes(encoding, bytes);
        if (!size || *size % sizeof(float) != 0)
            throw Error("the values of a job cannot be read: they are not numbers");
        requireMemory(static_cast<double>(*size), "the values of a job", "close other programs");
        values.resize(*size / sizeof(float));
        if (!decoder.decode(encoding, bytes, values))
            throw Error("the values of a job cannot be read: they are fewer than they say");
        for (std::uint64_t part = 0; part < partCount(values.size()); ++part) {
            auto partKey = key;
            partKey.part = static_cast<std::int64_t>(part);
            const auto blob =
                encoder.encode(partKey,
                               std::span(values).subspan(part * Study::partValues(),
                                                         partSize(values.size(), part)),
                               encoding == 0 ? BlobEncoding::raw : BlobEncoding::automatic);
            Query write(insert);
            write.bind(job).bind(field).bind(partKey.part);
            bindBlob(write, blob);
            write.run();
        }
    }
}

/// Provisional coefficients say so in their checksums from now on.
void sealProvisional(SQLite::Database &database, const char *select, const char *update,
                     BlobTable before, BlobTable after)
{
    SQLite::Statement rows(database, select);
    SQLite::Statement write(database, update);
    std::vector<std::array<std::int64_t, 2>> checksums;
    for (Query row(rows); row.step();) {
        // id, field, part, owner (or the levels that stand for one), checksum, bytes
        const auto owner = row.isBlob(3) ? checksum({}, row.blob(3)) : row.integer(3);
        BlobKey key{static_cast<std::int64_t>(before), row.integer(1), row.integer(2), owner};
        requireSound(key, row.integer(4), row.blob(5), "a block of coefficients");
        key.table = static_cast<std::int64_t>(after);
        checksums.push_back({checksum(key, row.blob(5)), row.integer(0)});
    }
    for (const auto &[value, id] : checksums)
        Query(write).bind(value).bind(id).run();
}

/// The plan's last table named the folder of its author, by an absolute path.
void forgetOrigin(SQLite::Database &database)
{
    SQLite::Statement select(database, "SELECT simulation FROM study WHERE id = 1");
    Query row(select);
    if (!row.step())
        return;
    auto plan = row.text(0);
    const auto at = plan.rfind("\n[gridhelm-origin]\n");
    if (at == std::string::npos)
        return;
    plan.resize(at);
    SQLite::Statement update(database, "UPDATE study SET simulation = ? WHERE id = 1");
    Query(update).bind(std::string_view(plan)).run();
}

/// A table of that version alone.
void sealViews(SQLite::Database &database)
{
    SQLite::Statement rows(database, "SELECT name, json FROM views ORDER BY name");
    SQLite::Statement update(database, "UPDATE views SET checksum = ? WHERE name = ?");
    std::vector<std::pair<std::string, std::int64_t>> checksums; // not to change what is being read
    for (Query row(rows); row.step();) {
        RowHash hash("views");
        row.addTo(hash, 0);
        row.addTo(hash, 1);
        checksums.emplace_back(row.text(0), hash.value());
    }
    for (const auto &[name, value] : checksums)
        Query(update).bind(value).bind(std::string_view(name)).run();
}

} // namespace

void moveToVersion2(SQLite::Database &database)
{
    cutMesh(database);
    cutScalarValues(database);
    database.exec("DROP TABLE mesh; ALTER TABLE new_mesh RENAME TO mesh;"
                  "DROP TABLE scalar_values;"
                  "ALTER TABLE new_scalar_values RENAME TO scalar_values");
    sealProvisional(database,
                    "SELECT id, field, part, point, checksum, bytes FROM coefficients "
                    "WHERE provisional = 1 ORDER BY id",
                    "UPDATE coefficients SET checksum = ? WHERE id = ?", BlobTable::coefficients,
                    BlobTable::provisionalCoefficients);
    sealProvisional(database,
                    "SELECT id, field, first, levels, checksum, bytes FROM scalar_coefficients "
                    "WHERE provisional = 1 ORDER BY id",
                    "UPDATE scalar_coefficients SET checksum = ? WHERE id = ?",
                    BlobTable::scalarCoefficients, BlobTable::provisionalScalarCoefficients);
    forgetOrigin(database);
    for (const auto table : {SealedTable::jobs, SealedTable::jobLogs, SealedTable::holdOuts,
                             SealedTable::errorFigures, SealedTable::mesh})
        sealRows(database, table);
    sealViews(database);
    for (const auto &table : summedTables(2))
        storeSum(database, table);
}

} // namespace gridhelm::data::schema
