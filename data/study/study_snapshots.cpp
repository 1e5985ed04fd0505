// SPDX-License-Identifier: GPL-3.0-or-later
//
// Snapshots: which are there, reading, putting, dropping.
#include "data/study/blob_store.h"
#include "data/study/scalar_rows.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

#include <algorithm>

namespace gridhelm::data {

std::vector<bool> Study::pointsWithSnapshots(FieldIndex field) const
{
    return m_file->guarded([&] {
        static_cast<void>(m_file->field(field));
        const bool isScattered = description().design == StudyDesign::scattered;
        std::vector<bool> isThere(grid()->points(), isScattered);
        const auto mark = [&](std::uint64_t point) { isThere[point] = true; };
        const auto id = static_cast<std::int64_t>(field);
        if (isVector(*m_file)) {
            auto snapshots =
                m_file->query("SELECT point FROM snapshots WHERE field = ? AND part = 0");
            snapshots.bind(id);
            forPoints(*m_file, std::move(snapshots), mark);
            auto coefficients =
                m_file->query("SELECT point FROM coefficients WHERE field = ? AND part = 0");
            coefficients.bind(id);
            forPoints(*m_file, std::move(coefficients), mark);
        } else {
            forScalarJobs(*m_file, field, [&](const std::vector<std::uint64_t> &points) {
                std::ranges::for_each(points, mark);
            });
        }
        return isThere;
    });
}

std::vector<bool> Study::pointsWithSnapshots() const
{
    std::vector<bool> isThere(grid()->points(), !fields().empty());
    for (FieldIndex field = 0; field < fields().size(); ++field) {
        const auto ofField = pointsWithSnapshots(field);
        for (std::size_t i = 0; i < isThere.size(); ++i)
            isThere[i] = isThere[i] && ofField[i];
    }
    return isThere;
}

std::uint64_t Study::missingPoints(FieldIndex field) const
{
    const auto isThere = pointsWithSnapshots(field);
    return static_cast<std::uint64_t>(std::ranges::count(isThere, false));
}

std::uint64_t Study::parts(FieldIndex field) const
{
    return partCount(m_file->field(field).values());
}

std::uint64_t Study::valuesInPart(FieldIndex field, std::uint64_t part) const
{
    const auto &described = m_file->field(field);
    if (part >= partCount(described.values()))
        throw Error("field " + described.name + " has "
                    + std::to_string(partCount(described.values()))
                    + " chunks, so there is no chunk " + std::to_string(part));
    return partSize(described.values(), part);
}

bool Study::readSnapshotPart(std::uint64_t point, FieldIndex field, std::uint64_t part,
                             std::span<float> values) const
{
    return m_file->guarded([&] {
        requireKind(*m_file, StudyKind::vector);
        requireSize(m_file->field(field), valuesInPart(field, part), values.size());
        return data::readSnapshotPart(*m_file, m_file->pointId(point), field, part, values);
    });
}

bool Study::readSnapshot(std::uint64_t point, FieldIndex field, std::span<float> values) const
{
    return forParts(m_file->field(field), values, [&](std::uint64_t part, std::span<float> piece) {
        return readSnapshotPart(point, field, part, piece);
    });
}

void StudyWriter::setSnapshotEncoding(BlobEncoding encoding)
{
    m_file->snapshotEncoding = encoding;
}

PackedParts StudyWriter::packed(std::span<const float> values) const
{
    PackedParts parts;
    for (std::uint64_t part = 0; part < partCount(values.size()); ++part)
        parts.push_back(packValues(partOf(values, part), m_file->snapshotEncoding));
    return parts;
}

void StudyWriter::putSnapshot(std::uint64_t point, FieldIndex field, std::span<const float> values,
                              const PackedParts &packed)
{
    inTransaction(*m_file, [&] {
        requireKind(*m_file, StudyKind::vector);
        const auto &described = m_file->field(field);
        requireFiniteValues(described, described.values(), values);
        const auto id = m_file->pointId(point);
        auto row =
            m_file->query("SELECT 1 FROM coefficients WHERE field = ? AND part = 0 AND point = ?");
        if (row.bind(idOf(field)).bind(id).step())
            throw Error("the snapshot at "
                        + description().space.toText(description().space.valuesAt(*grid(), point))
                        + " is compressed already: what is in use is not replaced");
        for (std::uint64_t part = 0; part < partCount(values.size()); ++part) {
            const auto key = blobKey(BlobTable::snapshots, field, part, id);
            writeSnapshotPart(*m_file, key, blobOf(*m_file, key, values, packed));
        }
    });
}

std::uint64_t StudyWriter::dropSnapshots()
{
    requireKind(*m_file, StudyKind::vector);
    return inTransaction(*m_file, [&] {
        std::uint64_t bytes = 0;
        for (FieldIndex field = 0; field < fields().size(); ++field) {
            const auto states = coefficientStates(field);
            for (std::uint64_t point = 0; point < states.size(); ++point) {
                if (states[point] != CoefficientState::final)
                    continue;
                const auto id = m_file->pointId(point);
                for (std::uint64_t part = 0; part < parts(field); ++part) {
                    auto row = m_file->query("SELECT length(bytes) FROM snapshots WHERE "
                                             "field = ? AND part = ? AND point = ?");
                    row.bind(idOf(field)).bind(part).bind(id);
                    if (!row.step())
                        continue;
                    bytes += static_cast<std::uint64_t>(row.integer(0));
                    m_file
                        ->query("DELETE FROM snapshots WHERE field = ? AND part = ? AND "
                                "point = ?")
                        .bind(idOf(field))
                        .bind(part)
                        .bind(id)
                        .run();
                }
            }
        }
        return bytes;
    });
}

} // namespace gridhelm::data
