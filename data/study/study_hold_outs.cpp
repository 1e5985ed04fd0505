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

enum class RunKind : std::uint8_t {
    heldOut,
    missing, ///< rows that only say what was asked for
    training
};

std::set<std::int64_t> trainingIds(const StudyFile &file)
{
    std::set<std::int64_t> ids;
    TableSum sum;
    for (auto row = file.query("SELECT hold_out FROM training_runs ORDER BY hold_out");
         row.step();) {
        ids.insert(row.integer(0));
        sum.add(countOf("training_runs", std::array{row.integer(0)}));
    }
    file.requireSum("training_runs", sum);
    return ids;
}

std::vector<HoldOut> readRuns(StudyFile &file, RunKind kind)
{
    return file.guarded([&] {
        std::vector<HoldOut> holdOuts;
        const ReadTransaction together(file);
        std::set<std::int64_t> valued;
        for (auto row = file.query("SELECT DISTINCT hold_out FROM hold_out_values "
                                   "ORDER BY hold_out");
             row.step();)
            valued.insert(row.integer(0));
        const auto training = trainingIds(file);
        const auto kindOf = [&](std::int64_t id) {
            if (!valued.contains(id))
                return RunKind::missing;
            return training.contains(id) ? RunKind::training : RunKind::heldOut;
        };
        TableSum sum;
        for (auto row = file.query(selectAll(SealedTable::holdOuts)); row.step();) {
            if (!isSealed(SealedTable::holdOuts, row))
                file.throwDamaged("the checksum of a validation point does not match");
            sum.add(countOf("hold_outs", std::array{row.integer(0), row.integer(3)}));
            if (kindOf(row.integer(0)) == kind)
                holdOuts.push_back({row.integer(0), readParameters(file, row.blob(1))});
        }
        file.requireSum("hold_outs", sum);
        return holdOuts;
    });
}

} // namespace

std::vector<HoldOut> Study::holdOuts() const
{
    return readRuns(*m_file, RunKind::heldOut);
}

std::vector<HoldOut> Study::missingHoldOuts() const
{
    return readRuns(*m_file, RunKind::missing);
}

std::vector<HoldOut> Study::trainingRuns() const
{
    return readRuns(*m_file, RunKind::training);
}

std::vector<HoldOut> Study::trainingRuns(FieldIndex field) const
{
    return m_file->guarded([&] {
        const ReadTransaction together(*m_file);
        std::set<std::int64_t> having;
        auto row = m_file->query("SELECT DISTINCT hold_out FROM hold_out_values WHERE field = ?");
        row.bind(idOf(field));
        while (row.step())
            having.insert(row.integer(0));
        auto runs = trainingRuns();
        std::erase_if(runs, [&](const HoldOut &run) { return !having.contains(run.id); });
        return runs;
    });
}

bool Study::readHoldOutPart(std::int64_t id, FieldIndex field, std::uint64_t part,
                            std::span<float> values) const
{
    return m_file->guarded([&] {
        requireSize(m_file->field(field), valuesInPart(field, part), values.size());
        auto row = m_file->query("SELECT encoding, checksum, bytes FROM hold_out_values "
                                 "WHERE hold_out = ? AND field = ? AND part = ?");
        row.bind(id).bind(idOf(field)).bind(part);
        if (!row.step())
            return false;
        readValues(*m_file, row, 0, blobKey(BlobTable::holdOutValues, field, part, id), values);
        return true;
    });
}

bool Study::readHoldOut(std::int64_t id, FieldIndex field, std::span<float> values) const
{
    return forParts(m_file->field(field), values, [&](std::uint64_t part, std::span<float> piece) {
        return readHoldOutPart(id, field, part, piece);
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

std::int64_t StudyWriter::addTrainingRun(std::span<const double> parameters)
{
    return inTransaction(*m_file, [&] {
        requireKind(*m_file, StudyKind::vector);
        const auto id = addHoldOut(parameters);
        m_file->query("INSERT INTO training_runs (hold_out) VALUES (?)").bind(id).run();
        return id;
    });
}

void StudyWriter::takeHoldOutsAsTrainingRuns()
{
    inTransaction(*m_file, [&] {
        m_file
            ->query("INSERT INTO training_runs (hold_out) SELECT DISTINCT hold_out "
                    "FROM hold_out_values WHERE hold_out NOT IN "
                    "(SELECT hold_out FROM training_runs)")
            .run();
        for (const char *sql : {"DELETE FROM error_figures WHERE kind IN ('held-out', 'indicator', "
                                "'compared sparse grid at hold-outs', "
                                "'compared kriging at hold-outs')",
                                "DELETE FROM error_bands"})
            m_file->query(sql).run();
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
            ->query("DELETE FROM hold_outs WHERE id NOT IN (SELECT hold_out FROM hold_out_values) "
                    "AND id NOT IN (SELECT hold_out FROM training_runs)")
            .run();
        for (const auto &of : parameters)
            addHoldOut(of);
    });
}

} // namespace gridhelm::data
