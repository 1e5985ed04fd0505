// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/study_writer.h"

#include "core/support/checked_math.h"
#include "data/study/blob_store.h"
#include "data/study/mesh_store.h"
#include "data/study/row_checksums.h"
#include "data/study/study_file.h"
#include "data/study/study_limits.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace gridhelm::data {

// ---- transactions -------------------------------------------------------------------------------

Transaction::Transaction(StudyFile &file)
    : m_file(&file)
{
    file.guarded([&] { file.begin(); });
}

Transaction::~Transaction()
{
    if (m_open)
        m_file->rollBack();
}

void Transaction::commit()
{
    m_file->guarded([&] { m_file->commit(); });
    m_open = false;
}

namespace {

/// action() in a transaction of its own, or as part of the one that is open.
template <typename Action>
auto inTransaction(StudyFile &file, Action action)
{
    return file.guarded([&] {
        Transaction transaction(file);
        if constexpr (std::is_void_v<decltype(action())>) {
            action();
            transaction.commit();
        } else {
            auto result = action();
            transaction.commit();
            return result;
        }
    });
}

double secondsSince1970()
{
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::int64_t idOf(FieldIndex field)
{
    return static_cast<std::int64_t>(field);
}

void requireKind(const StudyFile &file, StudyKind kind)
{
    if (file.description().kind != kind)
        throw Error(file.path().string() + " is a " + std::string(toString(file.description().kind))
                    + " study, and this is for " + std::string(toString(kind))
                    + " ones: choose another study");
}

void requireFiniteValues(const Field &field, std::uint64_t wanted, std::span<const float> values)
{
    if (values.size() != wanted)
        throw Error("field " + field.name + " needs " + std::to_string(wanted)
                    + " values here, and there are " + std::to_string(values.size()));
    const auto bad =
        std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
    if (bad != values.end())
        throw Error("value " + std::to_string(bad - values.begin() + 1) + " of field " + field.name
                    + " is no finite number: the run has failed, or was stopped too early");
}

} // namespace

// ---- opening and closing ------------------------------------------------------------------------

StudyWriter::StudyWriter(std::unique_ptr<StudyFile> file, WriterLock lock)
    : Study(std::move(file))
    , m_lock(std::move(lock))
{
}

StudyWriter StudyWriter::create(const std::filesystem::path &path,
                                const StudyDescription &description, const std::stop_token &stop)
{
    WriterLock lock(path);
    if (std::filesystem::exists(path))
        throw Error(path.string() + " exists already: choose another name, or remove it first");
    auto file = StudyFile::create(path, description, stop);
    return {std::move(file), std::move(lock)};
}

StudyWriter StudyWriter::open(const std::filesystem::path &path)
{
    if (!std::filesystem::exists(path)) // without a lock file beside what is not there
        throw Error("there is no file " + path.string() + ": check its name");
    WriterLock lock(path);
    auto file = StudyFile::openForWriting(path);
    return {std::move(file), std::move(lock)};
}

StudyWriter::StudyWriter(StudyWriter &&) noexcept = default;

StudyWriter &StudyWriter::operator=(StudyWriter &&other) noexcept
{
    if (this != &other) {
        StudyWriter old(std::move(*this)); // closes what was open here, as the destructor does
        Study::operator=(std::move(other));
        m_lock = std::move(other.m_lock);
    }
    return *this;
}

StudyWriter::~StudyWriter()
{
    try {
        close();
    } catch (const std::exception &) {
        // The log stays beside the file; the next writer brings it in.
    }
}

std::string StudyWriter::close()
{
    if (!m_file)
        return {};
    const auto lock = std::move(m_lock); // released after the file has been closed
    const auto file = std::move(m_file);
    return file->close();
}

void StudyWriter::settle()
{
    m_file->guarded([&] { m_file->settle(); });
}

// ---- mesh, fields -------------------------------------------------------------------------------

void StudyWriter::setMesh(const Mesh &mesh)
{
    inTransaction(*m_file, [&] {
        if (const auto old = this->mesh()) {
            if (*old == mesh)
                return;
            throw Error("this mesh (" + mesh.kind + ", " + std::to_string(mesh.points) + " points, "
                        + std::to_string(mesh.cells) + " cells) differs from the study's ("
                        + old->kind + ", " + std::to_string(old->points) + " points, "
                        + std::to_string(old->cells)
                        + " cells): all snapshots must share one mesh, so resample them onto it");
        }
        writeMesh(m_file->database(), "mesh", mesh, m_file->encoder());
        sealRow(*m_file, SealedTable::mesh, 1);
    });
}

FieldIndex StudyWriter::addField(const Field &field)
{
    return inTransaction(*m_file, [&]() -> FieldIndex {
        for (FieldIndex i = 0; i < fields().size(); ++i) {
            if (fields()[i].name != field.name)
                continue;
            if (fields()[i] == field)
                return i;
            throw Error("field " + field.name + " has " + std::to_string(field.values())
                        + " values of " + std::to_string(field.components)
                        + " components, and the study's has " + std::to_string(fields()[i].values())
                        + " of " + std::to_string(fields()[i].components)
                        + " (or its unit or place differs): all snapshots must be alike");
        }
        requireSensible(field);
        if (description().kind == StudyKind::scalar && field.values() != 1)
            throw Error("field " + field.name + " has " + std::to_string(field.values())
                        + " values: in a scalar study every grid point has one");
        for (const char *sql :
             {"SELECT 1 FROM snapshots LIMIT 1", "SELECT 1 FROM coefficients LIMIT 1",
              "SELECT 1 FROM scalar_values LIMIT 1"}) {
            if (m_file->query(sql).step())
                throw Error("field " + field.name
                            + " comes too late: the study has snapshots without it; make a new "
                              "study");
        }
        m_file
            ->query("INSERT INTO fields (id, name, unit, components, association, entities) "
                    "VALUES (?, ?, ?, ?, ?, ?)")
            .bind(static_cast<std::int64_t>(fields().size()))
            .bind(std::string_view(field.name))
            .bind(std::string_view(field.unit))
            .bind(field.components)
            .bind(toString(field.association))
            .bind(field.entities)
            .run();
        m_file->updateChecksum();
        m_file->load();
        return fields().size() - 1;
    });
}

void StudyWriter::setSimulation(const std::string &simulation)
{
    inTransaction(*m_file, [&] {
        m_file->query("UPDATE study SET simulation = ? WHERE id = 1")
            .bind(std::string_view(simulation))
            .run();
        m_file->updateChecksum();
        m_file->load();
    });
}

void StudyWriter::setTitle(const std::string &title)
{
    inTransaction(*m_file, [&] {
        m_file->query("UPDATE study SET title = ? WHERE id = 1")
            .bind(std::string_view(title))
            .run();
        m_file->updateChecksum();
        m_file->load();
    });
}

// ---- jobs ---------------------------------------------------------------------------------------

namespace {

/// Whether the point, or the job, has values of all fields.
bool hasAllSnapshots(const StudyFile &file, const Job &job)
{
    if (file.fields().empty())
        return false;
    for (FieldIndex field = 0; field < file.fields().size(); ++field) {
        if (file.description().kind == StudyKind::scalar) {
            // The parts of a job's values are written in one transaction.
            auto row =
                file.query("SELECT 1 FROM scalar_values WHERE job = ? AND field = ? AND part = 0");
            if (!row.bind(job.id).bind(idOf(field)).step())
                return false;
            continue;
        }
        for (auto point : job.points) { // the parts of a snapshot are written in one transaction
            auto row =
                file.query("SELECT 1 FROM snapshots WHERE field = ? AND part = 0 AND point = ?");
            if (!row.bind(idOf(field)).bind(file.pointId(point)).step())
                return false;
        }
    }
    return true;
}

} // namespace

namespace {

void sealJob(const StudyFile &file, JobId id)
{
    sealRow(file, SealedTable::jobs, id);
    sealRow(file, SealedTable::jobLogs, id);
}

} // namespace

void StudyWriter::startJob(JobId id)
{
    inTransaction(*m_file, [&] {
        if (job(id).state == JobState::done)
            throw Error("job " + std::to_string(id)
                        + " is done already: what has succeeded is not run again");
        m_file
            ->query("UPDATE jobs SET state = 'running', attempts = attempts + 1, started = ?, "
                    "finished = 0 WHERE id = ?")
            .bind(secondsSince1970())
            .bind(id)
            .run();
        sealRow(*m_file, SealedTable::jobs, id);
    });
}

void StudyWriter::finishJob(JobId id, const std::string &log)
{
    inTransaction(*m_file, [&] {
        if (!hasAllSnapshots(*m_file, job(id)))
            throw Error("job " + std::to_string(id)
                        + " cannot be done: some of its snapshots are missing");
        m_file->query("UPDATE jobs SET state = 'done', finished = ?, log = ? WHERE id = ?")
            .bind(secondsSince1970())
            .bind(std::string_view(log))
            .bind(id)
            .run();
        sealJob(*m_file, id);
    });
}

void StudyWriter::failJob(JobId id, const std::string &log)
{
    inTransaction(*m_file, [&] {
        if (job(id).state == JobState::done)
            throw Error("job " + std::to_string(id) + " is done already, so it cannot fail");
        m_file->query("UPDATE jobs SET state = 'failed', finished = ?, log = ? WHERE id = ?")
            .bind(secondsSince1970())
            .bind(std::string_view(log))
            .bind(id)
            .run();
        sealJob(*m_file, id);
    });
}

void StudyWriter::resetJob(JobId id)
{
    inTransaction(*m_file, [&] {
        if (job(id).state == JobState::done)
            throw Error("job " + std::to_string(id)
                        + " is done already: what has succeeded is not run again");
        m_file->query("UPDATE jobs SET state = 'waiting' WHERE id = ?").bind(id).run();
        sealRow(*m_file, SealedTable::jobs, id);
    });
}

std::size_t StudyWriter::resetRunningJobs()
{
    std::vector<JobId> running;
    for (const auto &one : jobs()) {
        if (one.state == JobState::running)
            running.push_back(one.id);
    }
    if (running.empty()) // nothing is written in vain
        return 0;
    return inTransaction(*m_file, [&] {
        for (const auto id : running)
            resetJob(id);
        return running.size();
    });
}

// ---- snapshots ----------------------------------------------------------------------------------

namespace {

std::span<const float> partOf(std::span<const float> values, std::uint64_t part)
{
    return values.subspan(part * Study::partValues(), partSize(values.size(), part));
}

/// One part of a snapshot, as key.part says; encoded here if it was not before.
EncodedBlob blobOf(const StudyFile &file, const BlobKey &key, std::span<const float> values,
                   const PackedParts &packed)
{
    const auto piece = partOf(values, static_cast<std::uint64_t>(key.part));
    if (packed.empty())
        return file.encoder().encode(key, piece, file.snapshotEncoding);
    return sealedBlob(key, piece, packed.at(static_cast<std::size_t>(key.part)));
}

} // namespace

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

std::size_t StudyWriter::finishDeliveredJobs(const std::string &log)
{
    return inTransaction(*m_file, [&] {
        std::size_t finished = 0;
        for (const auto &candidate : jobs()) {
            if (candidate.state == JobState::done || !hasAllSnapshots(*m_file, candidate))
                continue;
            finishJob(candidate.id, log);
            ++finished;
        }
        return finished;
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

void StudyWriter::compact()
{
    m_file->guarded([&] { m_file->database().exec("VACUUM"); });
}

// ---- hold-outs, figures, views ------------------------------------------------------------------

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

void StudyWriter::putErrorFigures(std::span<const ErrorFigure> figures)
{
    // NULL is what SQLite would make of NaN, the worst error of all.
    const auto number = [](double value) {
        return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
    };
    inTransaction(*m_file, [&] {
        for (const auto &figure : figures) {
            static_cast<void>(m_file->field(figure.field));
            m_file->query("DELETE FROM error_figures WHERE kind = ? AND field = ?")
                .bind(toString(figure.kind))
                .bind(idOf(figure.field))
                .run();
        }
        for (const auto &figure : figures) {
            if (figure.parameters.size() != description().space.parameters().size())
                throw Error("an error figure needs a value of every parameter");
            m_file
                ->query("INSERT INTO error_figures (kind, field, parameters, relative_l2, "
                        "maximum, relative_maximum, grid_points, missing_points, checksum) "
                        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)")
                .bind(toString(figure.kind))
                .bind(idOf(figure.field))
                .bind(std::as_bytes(std::span(figure.parameters)))
                .bind(number(figure.relativeL2))
                .bind(number(figure.maximum))
                .bind(number(figure.relativeMaximum))
                .bind(figure.gridPoints)
                .bind(figure.missingPoints)
                .run();
            sealRow(*m_file, SealedTable::errorFigures, m_file->database().getLastInsertRowid());
        }
    });
}

void StudyWriter::putView(const View &view)
{
    inTransaction(*m_file, [&] {
        m_file->query("INSERT OR REPLACE INTO views (name, checksum, json) VALUES (?, 0, ?)")
            .bind(std::string_view(view.name))
            .bind(std::string_view(view.json))
            .run();
        sealRow(*m_file, SealedTable::views, m_file->database().getLastInsertRowid());
    });
}

void StudyWriter::removeView(std::string_view name)
{
    inTransaction(*m_file,
                  [&] { m_file->query("DELETE FROM views WHERE name = ?").bind(name).run(); });
}

// ---- growing ------------------------------------------------------------------------------------

std::uint64_t StudyWriter::growGrid(int level, std::span<const int> caps,
                                    const std::stop_token &stop)
{
    return inTransaction(*m_file, [&] {
        const auto before = grid()->points();
        auto grown = description();
        grown.space = grown.space.withLevelCaps(caps);
        grown.level = level;
        m_file->addGrid(grown, stop);
        for (std::size_t t = 0; t < caps.size(); ++t) {
            m_file->query("UPDATE parameters SET level_cap = ? WHERE dimension = ?")
                .bind(caps[t])
                .bind(static_cast<std::int64_t>(t))
                .run();
        }
        m_file->updateChecksum();
        m_file->load();
        return grid()->points() - before;
    });
}

} // namespace gridhelm::data
