// SPDX-License-Identifier: GPL-3.0-or-later
//
// Hold-outs: small rows, each under a checksum of its own, and their values.
#include "data/study/blob_store.h"
#include "data/study/row_checksums.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

#include <array>
#include <set>

namespace gridhelm::data {

namespace {

/// Those with values, or those without: rows that only say what was asked for.
std::vector<HoldOut> readHoldOuts(StudyFile &file, bool withValues)
{
    return file.guarded([&] {
        std::vector<HoldOut> holdOuts;
        const ReadTransaction together(file);
        std::set<std::int64_t> valued;
        for (auto row = file.query("SELECT DISTINCT hold_out FROM hold_out_values "
                                   "ORDER BY hold_out");
             row.step();)
            valued.insert(row.integer(0));
        TableSum sum;
        for (auto row = file.query(selectAll(SealedTable::holdOuts)); row.step();) {
            if (!isSealed(SealedTable::holdOuts, row))
                file.throwDamaged("the checksum of a hold-out does not match");
            sum.add(countOf("hold_outs", std::array{row.integer(0), row.integer(3)}));
            if (valued.contains(row.integer(0)) == withValues)
                holdOuts.push_back({row.integer(0), readParameters(file, row.blob(1))});
        }
        file.requireSum("hold_outs", sum);
        return holdOuts;
    });
}

} // namespace

std::vector<HoldOut> Study::holdOuts() const
{
    return readHoldOuts(*m_file, true);
}

std::vector<HoldOut> Study::missingHoldOuts() const
{
    return readHoldOuts(*m_file, false);
}

bool Study::readHoldOut(std::int64_t id, FieldIndex field, std::span<float> values) const
{
    return m_file->guarded([&] {
        return forParts(
            m_file->field(field), values, [&](std::uint64_t part, std::span<float> piece) {
                auto row = m_file->query("SELECT encoding, checksum, bytes FROM hold_out_values "
                                         "WHERE hold_out = ? AND field = ? AND part = ?");
                row.bind(id).bind(static_cast<std::int64_t>(field)).bind(part);
                if (!row.step())
                    return false;
                readValues(*m_file, row, 0, blobKey(BlobTable::holdOutValues, field, part, id),
                           piece);
                return true;
            });
    });
}

std::int64_t StudyWriter::addHoldOut(std::span<const double> parameters)
{
    return inTransaction(*m_file, [&] {
        description().space.requireInside(parameters);
        m_file->query("INSERT INTO hold_outs (checksum, parameters) VALUES (0, ?)")
            .bind(std::as_bytes(parameters))
            .run();
        const auto id = static_cast<std::int64_t>(m_file->database().getLastInsertRowid());
        sealRow(*m_file, SealedTable::holdOuts, id);
        return id;
    });
}

void StudyWriter::putHoldOut(std::int64_t id, FieldIndex field, std::span<const float> values,
                             const PackedParts &packed)
{
    inTransaction(*m_file, [&] {
        const auto &described = m_file->field(field);
        requireFiniteValues(described, described.values(), values);
        for (std::uint64_t part = 0; part < partCount(values.size()); ++part) {
            const auto key = blobKey(BlobTable::holdOutValues, field, part, id);
            const auto blob = blobOf(*m_file, key, values, packed);
            auto insert = m_file->query(
                "INSERT OR REPLACE INTO hold_out_values (hold_out, field, part, encoding, "
                "checksum, bytes) VALUES (?, ?, ?, ?, ?, ?)");
            insert.bind(id).bind(key.field).bind(key.part);
            bindBlob(insert, blob);
            insert.run();
        }
    });
}

void StudyWriter::setMissingHoldOuts(std::span<const std::vector<double>> parameters)
{
    inTransaction(*m_file, [&] {
        m_file
            ->query("DELETE FROM hold_outs WHERE id NOT IN (SELECT hold_out FROM hold_out_values)")
            .run();
        for (const auto &of : parameters)
            addHoldOut(of);
    });
}

} // namespace gridhelm::data
