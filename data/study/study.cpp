// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/study.h"

#include "core/support/memory_check.h"
#include "data/study/blob_store.h"
#include "data/study/mesh_store.h"
#include "data/study/row_checksums.h"
#include "data/study/study_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

namespace gridhelm::data {

Study Study::open(const std::filesystem::path &path)
{
    return Study(StudyFile::openForReading(path));
}

Study::Study(std::unique_ptr<StudyFile> file)
    : m_file(std::move(file))
{
}

Study::Study(Study &&) noexcept = default;
Study &Study::operator=(Study &&) noexcept = default;
Study::~Study() = default;

const std::filesystem::path &Study::path() const
{
    return m_file->path();
}

std::string Study::notice() const
{
    return m_file->notice();
}

const StudyDescription &Study::description() const
{
    return m_file->description();
}

std::shared_ptr<const sparse::SparseGrid> Study::grid() const
{
    return m_file->grid();
}

const std::vector<Field> &Study::fields() const
{
    return m_file->fields();
}

FieldIndex Study::fieldIndex(std::string_view name) const
{
    std::string names;
    for (FieldIndex i = 0; i < fields().size(); ++i) {
        if (fields()[i].name == name)
            return i;
        names += (i == 0 ? "" : ", ") + fields()[i].name;
    }
    throw Error(
        "the study has no field \"" + std::string(name) + "\": "
        + (names.empty() ? "it has none yet, run some of its jobs first" : "choose from " + names));
}

std::int64_t Study::dataVersion() const
{
    return m_file->guarded([&] { return m_file->dataVersion(); });
}

void Study::refresh()
{
    m_file->guarded([&] { m_file->reload(); });
}

std::optional<Mesh> Study::mesh() const
{
    return m_file->guarded([&] { return readMesh(*m_file); });
}

std::optional<Mesh> Study::meshHeader() const
{
    return m_file->guarded([&] { return readMeshHeader(*m_file); });
}

// ---- jobs ---------------------------------------------------------------------------------------

namespace {

JobState parseJobState(const StudyFile &file, const std::string &text)
{
    for (auto state : {JobState::waiting, JobState::running, JobState::done, JobState::failed}) {
        if (text == toString(state))
            return state;
    }
    file.throwDamaged("a job is in no state that there is");
}

/// From a row of selectAll(jobs).
Job jobOf(const StudyFile &file, const Query &row)
{
    if (!isSealed(SealedTable::jobs, row))
        file.throwDamaged("the checksum of a job does not match");
    if (!std::isfinite(row.real(6)) || !std::isfinite(row.real(7)))
        file.throwDamaged("a job was run at no time that there is");
    Job job;
    job.id = row.integer(0);
    job.points = file.pointsOfJob(row.integer(1), file.pointOfKey(row.blob(2), row.integer(3)));
    job.state = parseJobState(file, row.text(4));
    job.attempts = static_cast<int>(row.integer(5));
    job.started = row.real(6);
    job.finished = row.real(7);
    return job;
}

} // namespace

std::vector<Job> Study::jobs() const
{
    return m_file->guarded([&] {
        std::vector<Job> jobs;
        for (auto row = m_file->query(selectAll(SealedTable::jobs)); row.step();)
            jobs.push_back(jobOf(*m_file, row));
        return jobs;
    });
}

Job Study::job(JobId id) const
{
    return m_file->guarded([&] {
        auto row = m_file->query(selectOne(SealedTable::jobs));
        if (!row.bind(id).step())
            throw Error("the study has no job number " + std::to_string(id));
        return jobOf(*m_file, row);
    });
}

std::string Study::jobLog(JobId id) const
{
    return m_file->guarded([&] {
        auto row = m_file->query(selectOne(SealedTable::jobLogs));
        if (!row.bind(id).step())
            throw Error("the study has no job number " + std::to_string(id));
        if (!isSealed(SealedTable::jobLogs, row))
            m_file->throwDamaged("the checksum of a job's log does not match");
        return row.text(1);
    });
}

// ---- what is there ------------------------------------------------------------------------------

namespace {

bool isVector(const StudyFile &file)
{
    return file.description().kind == StudyKind::vector;
}

void requireKind(const StudyFile &file, StudyKind kind)
{
    if (file.description().kind != kind)
        throw Error(file.path().string() + " is a " + std::string(toString(file.description().kind))
                    + " study, and this is for " + std::string(toString(kind))
                    + " ones: choose another study");
}

/// action(point) for every point that the rows name in column 0.
template <typename Action>
void forPoints(const StudyFile &file, Query &&row, Action action)
{
    while (row.step())
        action(file.pointOfId(row.integer(0)));
}

/// action(points of the job) for every job whose values of this field are there.
template <typename Action>
void forScalarJobs(const StudyFile &file, FieldIndex field, Action action)
{
    auto row = file.query("SELECT job, generation, levels, position FROM scalar_values "
                          "JOIN jobs ON jobs.id = job WHERE field = ? AND part = 0 ORDER BY job");
    row.bind(static_cast<std::int64_t>(field));
    while (row.step())
        action(row.integer(0),
               file.pointsOfJob(row.integer(1), file.pointOfKey(row.blob(2), row.integer(3))));
}

/// action(offset in the chunk, first point, count) for the runs of neighbouring values of a chunk.
template <typename Action>
void forRunsOfChunk(const StudyFile &file, std::span<const std::byte> levels, std::int64_t first,
                    std::int64_t count, Action action)
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

} // namespace

std::vector<bool> Study::pointsWithSnapshots(FieldIndex field) const
{
    return m_file->guarded([&] {
        static_cast<void>(m_file->field(field));
        std::vector<bool> isThere(grid()->points(), false);
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
            forScalarJobs(*m_file, field, [&](JobId, const std::vector<std::uint64_t> &points) {
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

std::vector<CoefficientState> Study::coefficientStates(FieldIndex field) const
{
    return m_file->guarded([&] {
        std::vector<CoefficientState> states(grid()->points(), CoefficientState::none);
        if (!isVector(*m_file)) {
            auto row = m_file->query("SELECT levels, first, count, provisional FROM "
                                     "scalar_coefficients WHERE field = ? ORDER BY id");
            row.bind(static_cast<std::int64_t>(field));
            while (row.step()) {
                const auto state =
                    row.integer(3) == 0 ? CoefficientState::final : CoefficientState::provisional;
                forRunsOfChunk(*m_file, row.blob(0), row.integer(1), row.integer(2),
                               [&](std::uint64_t, std::uint64_t point, std::uint64_t count) {
                                   std::fill_n(states.begin() + static_cast<std::ptrdiff_t>(point),
                                               count, state);
                               });
            }
            const auto isThere = pointsWithSnapshots(field);
            for (std::size_t i = 0; i < states.size(); ++i) {
                if (!isThere[i])
                    states[i] = CoefficientState::none;
            }
            return states;
        }
        // Parts of a point may differ while compress() is at work on a study larger than memory.
        std::vector<std::uint64_t> partsThere(states.size(), 0);
        const auto partsOfField = parts(field);
        auto there = m_file->query("SELECT point FROM coefficients WHERE field = ? AND part < ?");
        there.bind(static_cast<std::int64_t>(field)).bind(partsOfField);
        forPoints(*m_file, std::move(there), [&](std::uint64_t point) { ++partsThere[point]; });
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (partsThere[i] == partsOfField)
                states[i] = CoefficientState::final;
        }
        auto provisional = m_file->query("SELECT point FROM coefficients WHERE field = ? "
                                         "AND part < ? AND provisional = 1");
        provisional.bind(static_cast<std::int64_t>(field)).bind(partsOfField);
        forPoints(*m_file, std::move(provisional), [&](std::uint64_t point) {
            if (states[point] == CoefficientState::final)
                states[point] = CoefficientState::provisional;
        });
        return states;
    });
}

// ---- values -------------------------------------------------------------------------------------

std::uint64_t Study::parts(FieldIndex field) const
{
    return partCount(m_file->field(field).values());
}

std::uint64_t Study::valuesInPart(FieldIndex field, std::uint64_t part) const
{
    const auto &described = m_file->field(field);
    if (part >= partCount(described.values()))
        throw Error("field " + described.name + " has "
                    + std::to_string(partCount(described.values())) + " parts, so there is no part "
                    + std::to_string(part));
    return partSize(described.values(), part);
}

namespace {

void requireSize(const Field &field, std::uint64_t wanted, std::size_t given)
{
    if (given != wanted)
        throw Error("field " + field.name + " has " + std::to_string(wanted)
                    + " values here, and there are " + std::to_string(given));
}

} // namespace

bool Study::readSnapshotPart(std::uint64_t point, FieldIndex field, std::uint64_t part,
                             std::span<float> values) const
{
    return m_file->guarded([&] {
        requireKind(*m_file, StudyKind::vector);
        requireSize(m_file->field(field), valuesInPart(field, part), values.size());
        return data::readSnapshotPart(*m_file, m_file->pointId(point), field, part, values);
    });
}

bool Study::readCoefficientPart(std::uint64_t point, FieldIndex field, std::uint64_t part,
                                std::span<float> values) const
{
    return m_file->guarded([&] {
        requireKind(*m_file, StudyKind::vector);
        requireSize(m_file->field(field), valuesInPart(field, part), values.size());
        return data::readCoefficientPart(*m_file, m_file->pointId(point), field, part, values);
    });
}

namespace {

/// readPart(part, piece of values) for all parts; false if one is not there.
bool forParts(const Field &field, std::span<float> values,
              const std::function<bool(std::uint64_t, std::span<float>)> &readPart)
{
    requireSize(field, field.values(), values.size());
    for (std::uint64_t part = 0; part < partCount(field.values()); ++part) {
        if (!readPart(part,
                      values.subspan(part * Study::partValues(), partSize(field.values(), part))))
            return false;
    }
    return true;
}

} // namespace

bool Study::readSnapshot(std::uint64_t point, FieldIndex field, std::span<float> values) const
{
    return forParts(m_file->field(field), values, [&](std::uint64_t part, std::span<float> piece) {
        return readSnapshotPart(point, field, part, piece);
    });
}

bool Study::readCoefficients(std::uint64_t point, FieldIndex field, std::span<float> values) const
{
    return forParts(m_file->field(field), values, [&](std::uint64_t part, std::span<float> piece) {
        return readCoefficientPart(point, field, part, piece);
    });
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

namespace {

/// A chunk that cannot be found would count as zeros: nothing would tell that from the truth.
void requireAllChunks(const StudyFile &file)
{
    TableSum sum;
    for (auto row = file.query("SELECT id, checksum FROM scalar_coefficients "
                               "INDEXED BY scalar_coefficients_by_group WHERE field >= 0");
         row.step();)
        sum.add(countOf("scalar_coefficients", std::array{row.integer(0), row.integer(1)}));
    file.requireSum("scalar_coefficients", sum);
}

} // namespace

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
        requireAllChunks(*m_file);
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
                       != sparse::levelSum(
                           {reinterpret_cast<const sparse::Level *>(levels.data()), d}))
                m_file->throwDamaged("a block of coefficients is in the wrong group");
            const auto key =
                blobKey(row.integer(7) != 0 ? BlobTable::provisionalScalarCoefficients
                                            : BlobTable::scalarCoefficients,
                        field, static_cast<std::uint64_t>(first), checksum({}, levels));
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

} // namespace gridhelm::data
