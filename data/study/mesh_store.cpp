// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/mesh_store.h"

#include "core/support/checked_math.h"
#include "data/study/blob_store.h"
#include "data/study/byte_parts.h"
#include "data/study/mesh_limits.h"
#include "data/study/row_checksums.h"
#include "data/study/study_file.h"

namespace gridhelm::data {

namespace {

KeyOfPart keysOf(std::int64_t size)
{
    return [size](std::int64_t part) {
        return BlobKey{static_cast<std::int64_t>(BlobTable::mesh), 0, part, size};
    };
}

} // namespace

void writeMesh(SQLite::Database &database, const std::string &table, const Mesh &mesh,
               BlobEncoder &encoder)
{
    const auto size = narrow<std::int64_t>(mesh.encoded.size());
    SQLite::Statement head(database, "INSERT INTO " + table
                                         + " (id, kind, points, cells, size, checksum) "
                                           "VALUES (1, ?, ?, ?, ?, 0)");
    Query(head)
        .bind(std::string_view(mesh.kind))
        .bind(mesh.points)
        .bind(mesh.cells)
        .bind(size)
        .run();
    SQLite::Statement insert(database, "INSERT INTO mesh_parts (id, encoding, checksum, bytes) "
                                       "VALUES (?, ?, ?, ?)");
    encodeParts(std::as_bytes(std::span(mesh.encoded)), keysOf(size), encoder,
                [&](std::int64_t part, const EncodedBlob &blob) {
                    Query row(insert);
                    row.bind(part);
                    bindBlob(row, blob);
                    row.run();
                });
}

namespace {

struct StoredMesh
{
    Mesh mesh; ///< without its bytes
    std::int64_t size = 0;
};

std::optional<StoredMesh> readHead(const StudyFile &file)
{
    auto row = file.query(selectOne(SealedTable::mesh));
    if (!row.bind(1).step())
        return std::nullopt;
    if (!isSealed(SealedTable::mesh, row))
        file.throwDamaged("the checksum of its mesh's description does not match");
    if (row.integer(1) < 0 || row.integer(2) < 0 || row.integer(3) < 0)
        file.throwDamaged("its mesh has a negative size");
    StoredMesh stored{{row.text(0),
                       {},
                       static_cast<std::uint64_t>(row.integer(1)),
                       static_cast<std::uint64_t>(row.integer(2))},
                      row.integer(3)};
    return stored;
}

} // namespace

std::optional<Mesh> readMeshHeader(const StudyFile &file)
{
    const auto stored = readHead(file);
    return stored ? std::optional(stored->mesh) : std::nullopt;
}

std::optional<Mesh> readMesh(const StudyFile &file)
{
    auto stored = readHead(file);
    if (!stored)
        return std::nullopt;
    auto &mesh = stored->mesh;
    // A few bytes of compressed zeros would take all memory.
    requireEncodedSize(mesh.kind, mesh.points, mesh.cells,
                       static_cast<std::uint64_t>(stored->size));
    mesh.encoded.resize(static_cast<std::size_t>(stored->size));
    auto row = file.query("SELECT id, encoding, checksum, bytes FROM mesh_parts ORDER BY id");
    if (const auto problem = decodeParts(row, keysOf(stored->size), mesh.encoded); !problem.empty())
        file.throwDamaged("its mesh cannot be read: " + problem);
    return std::move(mesh);
}

} // namespace gridhelm::data
