// SPDX-License-Identifier: GPL-3.0-or-later
//
// Modes of vector studies: what is said of them, their values, and what all coefficients are by
// them.
#include "core/support/checked_math.h"
#include "core/support/memory_check.h"
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

/// Singular values are one row: 256 KiB.
constexpr std::size_t mostModes = std::size_t{1} << 15;

struct StoredSet
{
    std::int64_t field = 0, checksum = 0;
    std::uint64_t points = 0;
    ModeSet set;
};

std::vector<double> readSingularValues(const StudyFile &file, const Query &row)
{
    const auto bytes = row.blob(11);
    std::vector<double> values(bytes.size() / sizeof(double));
    if (values.empty() || values.size() > mostModes || bytes.size() % sizeof(double) != 0
        || row.integer(1) != static_cast<std::int64_t>(values.size()))
        file.throwDamaged("its POD modes are not as many as it says");
    std::memcpy(values.data(), bytes.data(), bytes.size());
    const bool isSound =
        std::ranges::all_of(values, [](double value) { return std::isfinite(value) && value > 0; })
        && std::ranges::is_sorted(values, std::greater<>());
    if (!isSound)
        file.throwDamaged("its singular values are none");
    return values;
}

StoredSet setOf(const StudyFile &file, const Query &row)
{
    StoredSet stored;
    stored.field = row.integer(0);
    stored.checksum = row.integer(13);
    const auto points = row.integer(2), snapshots = row.integer(3);
    const auto weights = row.text(4);
    auto &set = stored.set;
    set.byVolumes = weights == weightsByVolumes;
    set.cut = row.real(5);
    set.cutEnergy = row.real(6);
    set.norm = row.real(7);
    set.meanError = row.real(8);
    set.largestError = row.real(9);
    set.largestDifference = row.real(10);
    constexpr auto mostRuns = static_cast<std::int64_t>(FieldKriging::mostRuns);
    const bool hasRows = points > 0;
    bool isSound = isVector(file) && stored.field >= 0
                   && static_cast<std::size_t>(stored.field) < file.fields().size() && points >= 0
                   && snapshots >= 1 && snapshots <= (hasRows ? points : mostRuns)
                   && (set.byVolumes || weights == weightsEqual);
    for (const double number :
         {set.cut, set.cutEnergy, set.norm, set.meanError, set.largestError, set.largestDifference})
        isSound = isSound && isShare(number);
    set.singularValues = readSingularValues(file, row);
    if (!isSound || set.norm == 0) // modes are of something
        file.throwDamaged("what it says of its POD modes cannot be");
    stored.points = static_cast<std::uint64_t>(points);
    set.snapshots = static_cast<std::uint64_t>(snapshots);
    return stored;
}

std::optional<StoredSet> readSet(const StudyFile &file, FieldIndex field)
{
    static_cast<void>(file.field(field));
    if (!isVector(file))
        return std::nullopt;
    const ReadTransaction together(file);
    std::optional<StoredSet> found;
    TableSum sum;
    for (auto row = file.query(selectAll(SealedTable::modeSets)); row.step();) {
        if (!isSealed(SealedTable::modeSets, row))
            file.throwDamaged("the checksum of what it says of its POD modes does not match");
        sum.add(countOf("mode_sets", std::array{row.integer(0), row.integer(13)}));
        auto stored = setOf(file, row);
        if (stored.field == idOf(field))
            found = std::move(stored);
    }
    file.requireSum("mode_sets", sum);
    if (found)
        found->set.quantised = readQuantised(file, field);
    return found;
}

/// Ids of the points, ascending.
std::vector<std::int64_t> sortedIds(const StudyFile &file)
{
    std::vector<std::int64_t> ids;
    for (std::uint64_t point = 0; point < file.grid()->points(); ++point)
        ids.push_back(file.pointId(point));
    std::ranges::sort(ids);
    return ids;
}

/// The first values of a table of so many floats. Those behind them are 0: programs have written
/// rows of points that were taken away again (undoGrowth()).
void readTable(const StudyFile &file, FieldIndex field, const StoredSet &stored,
               std::span<float> values)
{
    const auto modes = stored.set.modes(), all = checkedMultiply(modes + 1, stored.points);
    std::vector<float> piece;
    for (std::uint64_t part = 0; part < partCount(all); ++part) {
        auto row = file.query("SELECT encoding, checksum, bytes FROM modal_coefficients "
                              "WHERE field = ? AND part = ?");
        if (!row.bind(idOf(field)).bind(part).step())
            file.throwDamaged("modal coefficients are missing");
        piece.resize(partSize(all, part));
        readValues(
            file, row, 0,
            blobKey(BlobTable::modalCoefficients, field, part, static_cast<std::int64_t>(modes)),
            piece);
        const auto begin = std::min<std::uint64_t>(part * Study::partValues(), values.size());
        const auto count = std::min<std::uint64_t>(piece.size(), values.size() - begin);
        std::copy_n(piece.begin(), count, values.begin() + static_cast<std::ptrdiff_t>(begin));
        if (std::any_of(piece.begin() + static_cast<std::ptrdiff_t>(count), piece.end(),
                        [](float value) { return value != 0; }))
            file.throwDamaged("there are modal coefficients of points that the grid does not have");
    }
}

std::shared_ptr<const modes::ModalRows> readRows(const StudyFile &file, FieldIndex field,
                                                 const StoredSet &stored)
{
    const auto modes = stored.set.modes(), points = file.grid()->points();
    const auto width = modes + 1;
    requireMemory(2.0 * sizeof(float) * static_cast<double>(width) * static_cast<double>(points),
                  "the modal coefficients of field " + file.field(field).name,
                  "close other programs");
    const auto there = std::min(stored.points, points);
    std::vector<float> table(checkedMultiply(width, there));
    readTable(file, field, stored, table);
    auto rows = std::make_shared<modes::ModalRows>();
    rows->modes = modes;
    rows->coefficients.assign(modes * points, 0.0F);
    rows->residuals.assign(points, 0.0F);
    const auto ids = sortedIds(file);
    for (std::uint64_t i = 0; i < there; ++i) {
        const auto point = file.pointOfId(ids[i]);
        const float *from = table.data() + i * width;
        std::copy_n(from, modes, rows->coefficients.data() + point * modes);
        rows->residuals[point] = from[modes];
    }
    return rows;
}

} // namespace

std::optional<ModeSet> Study::modeSet(FieldIndex field) const
{
    return m_file->guarded([&]() -> std::optional<ModeSet> {
        if (auto stored = readSet(*m_file, field))
            return std::move(stored->set);
        return std::nullopt;
    });
}

void Study::readModePart(FieldIndex field, std::uint64_t mode, std::uint64_t part,
                         std::span<float> values) const
{
    m_file->guarded([&] {
        requireKind(*m_file, StudyKind::vector);
        requireSize(m_file->field(field), valuesInPart(field, part), values.size());
        auto row = m_file->query("SELECT encoding, checksum, bytes FROM modes "
                                 "WHERE field = ? AND part = ? AND mode = ?");
        if (!row.bind(idOf(field)).bind(part).bind(mode).step())
            m_file->throwDamaged("a chunk of a POD mode is missing");
        readValues(*m_file, row, 0,
                   blobKey(BlobTable::modes, field, part, static_cast<std::int64_t>(mode)), values);
    });
}

void Study::readMode(FieldIndex field, std::uint64_t mode, std::span<float> values) const
{
    forParts(m_file->field(field), values, [&](std::uint64_t part, std::span<float> piece) {
        readModePart(field, mode, part, piece);
        return true;
    });
}

std::shared_ptr<const modes::ModalRows> Study::modalRows(FieldIndex field) const
{
    return m_file->guarded([&]() -> std::shared_ptr<const modes::ModalRows> {
        const ReadTransaction together(*m_file);
        const auto stored = readSet(*m_file, field);
        if (!stored || stored->points == 0)
            return nullptr;
        auto &kept = m_file->modalRows(field);
        if (!kept.rows || kept.checksum != stored->checksum)
            kept = {stored->checksum, readRows(*m_file, field, *stored)};
        return kept.rows;
    });
}

namespace {

/// Where a part of a mode belongs in the table: mode by mode, so that in a file that has been
/// compacted what a first picture reads lies together. 0: anywhere.
std::int64_t placeOf(const BlobKey &key)
{
    constexpr int partBits = 22, modeBits = 17, fieldBits = 23;
    const auto fits = [](std::int64_t number, int bits) { return number >> bits == 0; };
    if (!fits(key.part, partBits) || !fits(key.owner, modeBits) || !fits(key.field + 1, fieldBits))
        return 0;
    return (key.field + 1) << (partBits + modeBits) | key.owner << partBits | key.part;
}

} // namespace

void writeModePart(StudyFile &file, const BlobKey &key, const EncodedBlob &blob)
{
    file.query("DELETE FROM modes WHERE field = ? AND part = ? AND mode = ?")
        .bind(key.field)
        .bind(key.part)
        .bind(key.owner)
        .run();
    // Programs that number rows one by one may have taken the place for another row.
    const auto place = placeOf(key);
    auto insert =
        file.query("INSERT INTO modes (id, field, part, mode, encoding, checksum, bytes) "
                   "VALUES (CASE WHEN ? = 0 OR EXISTS (SELECT 1 FROM modes WHERE id = ?) THEN NULL "
                   "ELSE ? END, ?, ?, ?, ?, ?, ?)");
    insert.bind(place).bind(place).bind(place);
    insert.bind(key.field).bind(key.part).bind(key.owner);
    bindBlob(insert, blob);
    insert.run();
}

void StudyWriter::putModePart(FieldIndex field, std::uint64_t mode, std::uint64_t part,
                              std::span<const float> values)
{
    inTransaction(*m_file, [&] {
        const auto &described = m_file->field(field);
        requireFiniteValues(described, valuesInPart(field, part), values);
        const auto key = blobKey(BlobTable::modes, field, part, static_cast<std::int64_t>(mode));
        const auto blob = m_file->encoder().encode(key, values, m_file->snapshotEncoding);
        writeModePart(*m_file, key, blob);
    });
}

namespace {

/// points: that have modal coefficients.
void writeSet(const StudyFile &file, FieldIndex field, const ModeSet &set, std::uint64_t points)
{
    requireKind(file, StudyKind::vector);
    if (set.modes() == 0 || set.modes() > mostModes)
        throw Error("field " + file.field(field).name + " cannot have "
                    + std::to_string(set.modes()) + " POD modes: cut more of the energy, so that "
                    + "there are at most " + std::to_string(mostModes));
    file.query("INSERT INTO mode_sets (field, modes, points, snapshots, weights, cut, cut_energy, "
               "norm, mean_error, largest_error, largest_difference, checksum, singular_values) "
               "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)")
        .bind(idOf(field))
        .bind(set.modes())
        .bind(points)
        .bind(set.snapshots)
        .bind(std::string_view(set.byVolumes ? weightsByVolumes : weightsEqual))
        .bind(set.cut)
        .bind(set.cutEnergy)
        .bind(set.norm)
        .bind(set.meanError)
        .bind(set.largestError)
        .bind(set.largestDifference)
        .bind(std::as_bytes(std::span(set.singularValues)))
        .run();
    sealRow(file, SealedTable::modeSets, idOf(field));
}

/// What modal_coefficients has of all points together, but the last ones that have none: points
/// that a growth has added can be taken away again as long as nothing is known of them. Not fewer
/// rows than `snapshots`.
std::vector<float> tableOf(const StudyFile &file, const modes::ModalRows &rows,
                           std::uint64_t snapshots)
{
    std::vector<float> table;
    table.reserve((rows.modes + 1) * rows.rows());
    for (const auto id : sortedIds(file)) {
        const auto point = file.pointOfId(id);
        const float *from = rows.coefficients.data() + point * rows.modes;
        table.insert(table.end(), from, from + rows.modes);
        table.push_back(rows.residuals[point]);
    }
    const auto width = rows.modes + 1, least = std::max<std::uint64_t>(snapshots, 1) * width;
    const auto isZero = [](float value) { return value == 0; };
    while (table.size() > least
           && std::all_of(table.end() - static_cast<std::ptrdiff_t>(width), table.end(), isZero))
        table.resize(table.size() - width);
    return table;
}

} // namespace

void StudyWriter::setModes(FieldIndex field, const ModeSet &set, const modes::ModalRows &rows)
{
    inTransaction(*m_file, [&] {
        const auto points = grid()->points();
        if (rows.modes != set.modes() || rows.rows() != points
            || rows.coefficients.size() != points * rows.modes)
            throw Error(std::to_string(rows.rows()) + " rows of modal coefficients do not fit a "
                        + "grid of " + std::to_string(points) + " points: give one for each");
        const auto table = tableOf(*m_file, rows, set.snapshots);
        writeSet(*m_file, field, set, table.size() / (rows.modes + 1));
        for (std::uint64_t part = 0; part < partCount(table.size()); ++part) {
            const auto key = blobKey(BlobTable::modalCoefficients, field, part,
                                     static_cast<std::int64_t>(rows.modes));
            const auto blob = m_file->encoder().encodeTable(
                key, partOf(table, part), rows.modes + 1, m_file->snapshotEncoding);
            auto insert =
                m_file->query("INSERT INTO modal_coefficients (field, part, encoding, checksum, "
                              "bytes) VALUES (?, ?, ?, ?, ?)");
            insert.bind(key.field).bind(key.part);
            bindBlob(insert, blob);
            insert.run();
        }
    });
}

namespace {

/// Of a surrogate that is replaced.
void removeErrors(StudyFile &file, FieldIndex field)
{
    // Comparisons are of both kinds of surrogate, and say that the kind is chosen by them.
    for (const char *sql :
         {"DELETE FROM error_figures WHERE field = ? AND kind NOT LIKE 'compared %'",
          "DELETE FROM error_bands WHERE field = ?"})
        file.query(sql).bind(idOf(field)).run();
}

} // namespace

void StudyWriter::setKriging(FieldIndex field, const ModeSet &set, const FieldKriging &kriging)
{
    inTransaction(*m_file, [&] {
        writeSet(*m_file, field, set, 0);
        writeKriging(*m_file, field, kriging);
        removeErrors(*m_file, field);
    });
}

bool removeModesAlone(StudyFile &file, FieldIndex field)
{
    // What is left is another surrogate, of which its errors say nothing.
    if (file.query("SELECT 1 FROM kriging_models WHERE field = ?").bind(idOf(field)).step())
        removeErrors(file, field);
    for (const char *sql :
         {"DELETE FROM modes WHERE field = ?", "DELETE FROM modal_coefficients WHERE field = ?",
          "DELETE FROM kriging_parts WHERE field = ?",
          "DELETE FROM kriging_models WHERE field = ?"})
        file.query(sql).bind(idOf(field)).run();
    return file.query("DELETE FROM mode_sets WHERE field = ?").bind(idOf(field)).run() > 0;
}

bool removeModes(StudyFile &file, FieldIndex field)
{
    const bool hadRows = removeQuantisedCoefficients(file, field);
    return removeModesAlone(file, field) || hadRows;
}

bool StudyWriter::removeModes(FieldIndex field)
{
    return inTransaction(*m_file, [&] { return data::removeModes(*m_file, field); });
}

} // namespace gridhelm::data
