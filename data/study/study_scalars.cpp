// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values and coefficients of scalar studies.
#include "core/support/memory_check.h"
#include "data/study/blob_store.h"
#include "data/study/scalar_rows.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

#include <algorithm>

namespace gridhelm::data {

void forScalarJobs(const StudyFile &file, FieldIndex field,
                   const std::function<void(const std::vector<std::uint64_t> &points)> &action)
{
    auto row = file.query("SELECT generation, levels, position FROM scalar_values "
                          "JOIN jobs ON jobs.id = job WHERE field = ? AND part = 0 ORDER BY job");
    row.bind(static_cast<std::int64_t>(field));
    while (row.step())
        action(file.pointsOfJob(row.integer(0), file.pointOfKey(row.blob(1), row.integer(2))));
}

void forRunsOfChunk(const StudyFile &file, std::span<const std::byte> levels, std::int64_t first,
                    std::int64_t count,
                    const std::function<void(std::uint64_t offset, std::uint64_t point,
                                             std::uint64_t count)> &action)
{
    const auto &grid = *file.grid();
    const auto d = static_cast<std::size_t>(grid.dimension());
    std::uint64_t offset = 0;
    const auto end = static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
    for (std::size_t i = 0; i + d <= levels.size(); i += d) {
        const auto begin = i == 0 ? first : 0;
        const auto point = file.pointOfKey(levels.subspan(i, d), begin);
        const auto block =
            *grid.findBlock({reinterpret_cast<const sparse::Level *>(levels.data()) + i, d});
        const auto inBlock = grid.blockOffset(block) + grid.blockSize(block) - point;
        const auto here = std::min(inBlock, end - offset);
        action(offset, point, here);
        offset += here;
    }
    if (offset != end)
        file.throwDamaged("a block of coefficients has another size than its levels");
}

std::vector<float> Study::readScalarValues(JobId id, FieldIndex field) const
{
    return m_file->guarded([&] {
        requireKind(*m_file, StudyKind::scalar);
        const auto of = job(id);
        std::vector<float> values(of.points.size());
        for (std::uint64_t part = 0; part < partCount(values.size()); ++part) {
            auto row = m_file->query("SELECT encoding, checksum, bytes FROM scalar_values "
                                     "WHERE job = ? AND field = ? AND part = ?");
            if (!row.bind(id).bind(static_cast<std::int64_t>(field)).bind(part).step()) {
                if (part > 0 || of.state == JobState::done)
                    m_file->throwDamaged("values of a job are missing");
                return std::vector<float>{};
            }
            readValues(
                *m_file, row, 0, blobKey(BlobTable::scalarValues, field, part, id),
                std::span(values).subspan(part * partValues(), partSize(values.size(), part)));
        }
        return values;
    });
}

std::vector<float> Study::readScalarCoefficients(FieldIndex field, int groups) const
{
    return m_file->guarded([&] {
        requireKind(*m_file, StudyKind::scalar);
        static_cast<void>(m_file->field(field));
        const auto &inGrid = *grid();
        const int wanted = groups < 0 ? inGrid.groups() : std::clamp(groups, 0, inGrid.groups());
        const auto points = inGrid.groupFirstPoint(wanted);
        requireMemory(static_cast<double>(points) * sizeof(float),
                      "a field of " + std::to_string(points) + " coefficients",
                      "read fewer levels");
        std::vector<float> coefficients(points, 0.0F), chunk;
        const ReadTransaction together(*m_file);
        auto row =
            m_file->query("SELECT levels, first, count, level_sum, encoding, checksum, bytes, "
                          "provisional "
                          "FROM scalar_coefficients WHERE field = ? AND level_sum < ? ORDER BY id");
        row.bind(static_cast<std::int64_t>(field)).bind(wanted);
        while (row.step()) {
            const auto levels = row.blob(0);
            const auto first = row.integer(1), count = row.integer(2);
            if (count < 1 || static_cast<std::uint64_t>(count) > points)
                m_file->throwDamaged("a block of coefficients is larger than its grid");
            chunk.resize(static_cast<std::size_t>(count));
            const auto d = std::min(levels.size(), static_cast<std::size_t>(inGrid.dimension()));
            if (first < 0
                || row.integer(3)
                       != sparse::levelSums(
                              {reinterpret_cast<const sparse::Level *>(levels.data()), d},
                              inGrid.dense())
                              .group)
                m_file->throwDamaged("a block of coefficients is in the wrong group");
            const auto key = blobKey(row.integer(7) != 0 ? BlobTable::provisionalScalarCoefficients
                                                         : BlobTable::scalarCoefficients,
                                     field, static_cast<std::uint64_t>(first), checksum(levels));
            readValues(*m_file, row, 4, key, chunk);
            forRunsOfChunk(*m_file, levels, first, count,
                           [&](std::uint64_t offset, std::uint64_t point, std::uint64_t size) {
                               if (point + size > points)
                                   m_file->throwDamaged("a block of coefficients is in the wrong "
                                                        "group");
                               std::copy_n(
                                   chunk.begin() + static_cast<std::ptrdiff_t>(offset), size,
                                   coefficients.begin() + static_cast<std::ptrdiff_t>(point));
                           });
        }
        return coefficients;
    });
}

void StudyWriter::putScalarValues(JobId id, FieldIndex field, std::span<const float> values)
{
    inTransaction(*m_file, [&] {
        requireKind(*m_file, StudyKind::scalar);
        const auto theJob = job(id);
        if (theJob.state == JobState::done)
            throw Error("job " + std::to_string(id)
                        + " is done already: what has succeeded is not replaced");
        requireFiniteValues(m_file->field(field), theJob.points.size(), values);
        for (std::uint64_t part = 0; part < partCount(values.size()); ++part) {
            const auto piece = partOf(values, part);
            const auto blob = m_file->encoder().encode(
                blobKey(BlobTable::scalarValues, field, part, id), piece, m_file->snapshotEncoding);
            auto insert = m_file->query("INSERT OR REPLACE INTO scalar_values (job, field, part, "
                                        "encoding, checksum, bytes) VALUES (?, ?, ?, ?, ?, ?)");
            insert.bind(id).bind(idOf(field)).bind(part);
            bindBlob(insert, blob);
            insert.run();
        }
    });
}

} // namespace gridhelm::data
