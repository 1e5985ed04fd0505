// SPDX-License-Identifier: GPL-3.0-or-later
//
// Coefficients in few bits: their values, and what is said of them.
#include "data/study/blob_store.h"
#include "data/study/row_checksums.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace gridhelm::data {

namespace {

constexpr float noRow = -1;

/// By ascending ids.
std::vector<std::uint64_t> pointsWithRows(const StudyFile &file, FieldIndex field)
{
    std::vector<std::uint64_t> points;
    auto row = file.query("SELECT DISTINCT point FROM quantised_coefficients WHERE field = ? "
                          "ORDER BY point");
    for (row.bind(idOf(field)); row.step();)
        points.push_back(file.pointOfId(row.integer(0)));
    return points;
}

struct StoredRowSet
{
    std::int64_t checksum = 0;
    std::uint64_t points = 0;
    QuantisedCoefficients set; ///< residuals as they are stored
};

StoredRowSet rowSetOf(const StudyFile &file, const Query &row)
{
    StoredRowSet stored;
    auto &set = stored.set;
    const auto weights = row.text(2);
    stored.checksum = row.integer(13);
    set.byVolumes = weights == weightsByVolumes;
    set.norm = row.real(3);
    set.bits = {row.real(4),
                row.real(5),
                row.real(6),
                static_cast<std::uint64_t>(row.integer(7)),
                static_cast<std::uint64_t>(row.integer(8)),
                static_cast<std::uint64_t>(row.integer(10))};
    set.rowBytes = static_cast<std::uint64_t>(row.integer(9));
    const auto bytes = row.blob(11);
    set.residuals.resize(bytes.size() / sizeof(float));
    std::memcpy(set.residuals.data(), bytes.data(), set.residuals.size() * sizeof(float));
    const bool isSound =
        isVector(file) && row.integer(1) >= 1 && row.integer(7) >= 1 && row.integer(8) >= 0
        && row.integer(9) >= 1 && row.integer(10) >= 1
        && static_cast<std::int64_t>(set.residuals.size()) == row.integer(1)
        && bytes.size() % sizeof(float) == 0 && (set.byVolumes || weights == weightsEqual)
        && set.norm > 0 && std::isfinite(set.norm) && isShare(set.bits.allowed)
        && isShare(set.bits.atSnapshots) && isShare(set.bits.atHoldOuts)
        && std::ranges::all_of(set.residuals,
                               [](float residual) { return isShare(double{residual}); });
    if (!isSound)
        file.throwDamaged("what it says of quantised coefficients cannot be");
    return stored;
}

std::optional<StoredRowSet> readRowSet(const StudyFile &file, FieldIndex field)
{
    static_cast<void>(file.field(field));
    if (!isVector(file))
        return std::nullopt;
    std::optional<StoredRowSet> found;
    TableSum sum;
    for (auto row = file.query(selectAll(SealedTable::quantisedRows)); row.step();) {
        if (!isSealed(SealedTable::quantisedRows, row))
            file.throwDamaged(
                "the checksum of what it says of quantised coefficients does not match");
        sum.add(countOf("quantised_rows", std::array{row.integer(0), row.integer(13)}));
        if (row.integer(0) == idOf(field))
            found = rowSetOf(file, row);
    }
    file.requireSum("quantised_rows", sum);
    return found;
}

/// With one residual for each point of the grid.
QuantisedCoefficients spread(const StudyFile &file, FieldIndex field, const StoredRowSet &stored)
{
    auto set = stored.set;
    const auto points = pointsWithRows(file, field);
    if (points.size() != stored.set.residuals.size())
        file.throwDamaged("there are not as many quantised coefficients as it says");
    set.residuals.assign(file.grid()->points(), noRow);
    for (std::size_t i = 0; i < points.size(); ++i)
        set.residuals[points[i]] = stored.set.residuals[i];
    return set;
}

} // namespace

bool QuantisedCoefficients::hasRow(std::uint64_t point) const
{
    return residuals[point] >= 0;
}

std::shared_ptr<const QuantisedCoefficients> Study::quantisedCoefficients(FieldIndex field) const
{
    return m_file->guarded([&]() -> std::shared_ptr<const QuantisedCoefficients> {
        const ReadTransaction together(*m_file);
        const auto stored = readRowSet(*m_file, field);
        if (!stored)
            return nullptr;
        auto &kept = m_file->quantisedRows(field);
        if (!kept.rows || kept.checksum != stored->checksum)
            kept = {stored->checksum,
                    std::make_shared<QuantisedCoefficients>(spread(*m_file, field, *stored))};
        return kept.rows;
    });
}

codec::QuantisedRow Study::quantisedCoefficientPart(std::uint64_t point, FieldIndex field,
                                                    std::uint64_t part) const
{
    return m_file->guarded([&] {
        requireKind(*m_file, StudyKind::vector);
        const auto values = valuesInPart(field, part);
        const auto id = m_file->pointId(point);
        auto row = m_file->query("SELECT encoding, checksum, bytes FROM quantised_coefficients "
                                 "WHERE field = ? AND point = ? AND part = ?");
        if (!row.bind(idOf(field)).bind(id).bind(part).step())
            m_file->throwDamaged("a chunk of a quantised coefficient is missing");
        return readQuantisedBlob(
            *m_file, row, blobKey(BlobTable::quantisedCoefficients, field, part, id), values);
    });
}

void StudyWriter::putQuantisedCoefficientPart(std::uint64_t point, FieldIndex field,
                                              std::uint64_t part, const codec::QuantisedRow &values)
{
    inTransaction(*m_file, [&] {
        requireSize(m_file->field(field), valuesInPart(field, part), values.values());
        const auto key =
            blobKey(BlobTable::quantisedCoefficients, field, part, m_file->pointId(point));
        const auto blob =
            m_file->encoder().encodeQuantised(key, values, m_file->field(field).components);
        auto insert =
            m_file->query("INSERT OR REPLACE INTO quantised_coefficients (field, point, part, "
                          "encoding, checksum, bytes) VALUES (?, ?, ?, ?, ?, ?)");
        insert.bind(key.field).bind(key.owner).bind(key.part);
        bindBlob(insert, blob);
        insert.run();
    });
}

bool removeQuantisedCoefficients(StudyFile &file, FieldIndex field)
{
    file.query("DELETE FROM quantised_coefficients WHERE field = ?").bind(idOf(field)).run();
    return file.query("DELETE FROM quantised_rows WHERE field = ?").bind(idOf(field)).run() > 0;
}

bool StudyWriter::removeQuantisedCoefficients(FieldIndex field)
{
    return inTransaction(*m_file,
                         [&] { return data::removeQuantisedCoefficients(*m_file, field); });
}

void StudyWriter::setQuantisedCoefficients(FieldIndex field, const QuantisedCoefficients &set)
{
    inTransaction(*m_file, [&] {
        if (set.residuals.size() != grid()->points())
            throw Error(std::to_string(set.residuals.size()) + " residuals do not fit a grid of "
                        + std::to_string(grid()->points()) + " points: give one for each");
        removeModesAlone(*m_file, field); // pictures are of one or of the other
        std::vector<float> residuals;
        for (const auto point : pointsWithRows(*m_file, field))
            residuals.push_back(set.residuals[point]);
        m_file
            ->query("INSERT OR REPLACE INTO quantised_rows (field, points, weights, norm, allowed, "
                    "at_snapshots, at_hold_outs, snapshots, hold_outs, row_bytes, frame_bytes, "
                    "checksum, residuals) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)")
            .bind(idOf(field))
            .bind(std::uint64_t{residuals.size()})
            .bind(std::string_view(set.byVolumes ? weightsByVolumes : weightsEqual))
            .bind(set.norm)
            .bind(set.bits.allowed)
            .bind(set.bits.atSnapshots)
            .bind(set.bits.atHoldOuts)
            .bind(set.bits.snapshots)
            .bind(set.bits.holdOuts)
            .bind(set.rowBytes)
            .bind(set.bits.frameBytes)
            .bind(std::as_bytes(std::span(residuals)))
            .run();
        sealRow(*m_file, SealedTable::quantisedRows, idOf(field));
    });
}

} // namespace gridhelm::data
