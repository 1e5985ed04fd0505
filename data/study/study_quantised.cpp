// SPDX-License-Identifier: GPL-3.0-or-later
//
// Modes in few bits: their values, and what is said of them.
#include "data/study/blob_store.h"
#include "data/study/row_checksums.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gridhelm::data {

bool isShare(double number)
{
    return std::isfinite(number) && number >= 0;
}

std::optional<QuantisedModes> readQuantised(const StudyFile &file, FieldIndex field)
{
    std::optional<QuantisedModes> found;
    TableSum sum;
    for (auto row = file.query(selectAll(SealedTable::quantisedModes)); row.step();) {
        if (!isSealed(SealedTable::quantisedModes, row))
            file.throwDamaged("the checksum of what it says of quantised POD modes does not match");
        sum.add(countOf("quantised_modes", std::array{row.integer(0), row.integer(8)}));
        const QuantisedModes of{row.real(1),
                                row.real(2),
                                row.real(3),
                                static_cast<std::uint64_t>(row.integer(4)),
                                static_cast<std::uint64_t>(row.integer(5)),
                                static_cast<std::uint64_t>(row.integer(6))};
        if (!isShare(of.allowed) || !isShare(of.atSnapshots) || !isShare(of.atHoldOuts)
            || row.integer(4) < 1 || row.integer(5) < 0 || row.integer(6) < 1)
            file.throwDamaged("what it says of quantised POD modes cannot be");
        if (row.integer(0) == idOf(field))
            found = of;
    }
    file.requireSum("quantised_modes", sum);
    return found;
}

codec::QuantisedRow readQuantisedBlob(const StudyFile &file, const Query &row, const BlobKey &key,
                                      std::uint64_t values)
{
    const auto bytes = row.blob(2);
    auto problem = checkBlob(key, row.integer(0), row.integer(1), bytes);
    auto read = problem.empty() ? BlobDecoder::decodeQuantised(row.integer(0), bytes, values)
                                : std::nullopt;
    if (problem.empty() && !read)
        problem = "it does not hold " + std::to_string(values) + " quantised values";
    if (!problem.empty())
        file.throwDamaged("a block of values cannot be read: " + problem);
    return *std::move(read);
}

codec::QuantisedRow Study::quantisedModePart(FieldIndex field, std::uint64_t mode,
                                             std::uint64_t part) const
{
    return m_file->guarded([&] {
        requireKind(*m_file, StudyKind::vector);
        const auto values = valuesInPart(field, part);
        auto row = m_file->query("SELECT encoding, checksum, bytes FROM modes "
                                 "WHERE field = ? AND part = ? AND mode = ?");
        if (!row.bind(idOf(field)).bind(part).bind(mode).step())
            m_file->throwDamaged("a chunk of a POD mode is missing");
        return readQuantisedBlob(
            *m_file, row, blobKey(BlobTable::modes, field, part, static_cast<std::int64_t>(mode)),
            values);
    });
}

void StudyWriter::putModePart(FieldIndex field, std::uint64_t mode, std::uint64_t part,
                              const codec::QuantisedRow &values,
                              const std::optional<codec::CodeNeighbours> &packedBy)
{
    inTransaction(*m_file, [&] {
        requireSize(m_file->field(field), valuesInPart(field, part), values.values());
        const auto key = blobKey(BlobTable::modes, field, part, static_cast<std::int64_t>(mode));
        const auto blob = m_file->encoder().encodeQuantised(
            key, values, m_file->field(field).components, packedBy);
        writeModePart(*m_file, key, blob);
    });
}

void StudyWriter::removeModesFrom(FieldIndex field, std::uint64_t mode)
{
    inTransaction(*m_file, [&] {
        m_file->query("DELETE FROM modes WHERE field = ? AND mode >= ?")
            .bind(idOf(field))
            .bind(mode)
            .run();
    });
}

void StudyWriter::setQuantised(FieldIndex field, const ModeSet &set, const modes::ModalRows *rows)
{
    inTransaction(*m_file, [&] {
        if (rows) {
            for (const char *sql : {"DELETE FROM modal_coefficients WHERE field = ?",
                                    "DELETE FROM mode_sets WHERE field = ?"})
                m_file->query(sql).bind(idOf(field)).run();
            setModes(field, set, *rows);
        } else {
            m_file->query("DELETE FROM quantised_modes WHERE field = ?").bind(idOf(field)).run();
            m_file
                ->query("UPDATE mode_sets SET mean_error = ?, largest_error = ?, "
                        "largest_difference = ? WHERE field = ?")
                .bind(set.meanError)
                .bind(set.largestError)
                .bind(set.largestDifference)
                .bind(idOf(field))
                .run();
            sealRow(*m_file, SealedTable::modeSets, idOf(field));
        }
        const auto &of = set.quantised.value();
        m_file
            ->query("INSERT INTO quantised_modes (field, allowed, at_snapshots, at_hold_outs, "
                    "snapshots, hold_outs, frame_bytes, checksum) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, 0)")
            .bind(idOf(field))
            .bind(of.allowed)
            .bind(of.atSnapshots)
            .bind(of.atHoldOuts)
            .bind(of.snapshots)
            .bind(of.holdOuts)
            .bind(of.frameBytes)
            .run();
        sealRow(*m_file, SealedTable::quantisedModes, idOf(field));
    });
}

} // namespace gridhelm::data
