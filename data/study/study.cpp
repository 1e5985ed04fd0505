// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/study.h"

#include "core/support/memory_check.h"
#include "data/study/blob_store.h"
#include "data/study/study_file.h"

#include <algorithm>
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
    return m_file->guarded([&] {
        auto row = m_file->query("PRAGMA data_version");
        row.step();
        return row.integer(0);
    });
}

void Study::refresh()
{
    m_file->guarded([&] { m_file->reload(); });
}

std::optional<Mesh> Study::mesh() const
{
    return m_file->guarded([&]() -> std::optional<Mesh> {
        auto row = m_file->query("SELECT kind, points, cells, size, encoding, checksum, bytes "
                                 "FROM mesh WHERE id = 1");
        if (!row.step())
            return std::nullopt;
        Mesh mesh;
        mesh.kind = row.text(0);
        mesh.points = static_cast<std::uint64_t>(row.integer(1));
        mesh.cells = static_cast<std::uint64_t>(row.integer(2));
        const auto size = row.integer(3);
        const auto bytes = row.blob(6);
        auto problem = checkBlob(
            {static_cast<std::int64_t>(BlobTable::mesh), row.integer(1), row.integer(2), size},
            row.integer(5), bytes);
        if (problem.empty()) {
            if (size < 0)
                m_file->throwDamaged("its mesh has a negative size");
            requireMemory(static_cast<double>(size), "the mesh of the study",
                          "close other programs");
            mesh.encoded.resize(static_cast<std::size_t>(size));
            if (!BlobDecoder::decodeBytes(row.integer(4), bytes, mesh.encoded))
                problem = "it is not as long as it says";
        }
        if (!problem.empty())
            m_file->throwDamaged("its mesh cannot be read: " + problem);
        return mesh;
    });
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

/// From the columns id, generation, levels, position, state, attempts, started, finished.
Job jobOf(const StudyFile &file, const Query &row)
{
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
        for (auto row = m_file->query("SELECT id, generation, levels, position, state, attempts, "
                                      "started, finished FROM jobs ORDER BY id");
             row.step();)
            jobs.push_back(jobOf(*m_file, row));
        return jobs;
    });
}

Job Study::job(JobId id) const
{
    return m_file->guarded([&] {
        auto row = m_file->query("SELECT id, generation, levels, position, state, attempts, "
                                 "started, finished FROM jobs WHERE id = ?");
        if (!row.bind(id).step())
            throw Error("the study has no job number " + std::to_string(id));
        return jobOf(*m_file, row);
    });
}

std::string Study::jobLog(JobId id) const
{
    return m_file->guarded([&] {
        auto row = m_file->query("SELECT log FROM jobs WHERE id = ?");
        if (!row.bind(id).step())
            throw Error("the study has no job number " + std::to_string(id));
        return row.text(0);
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
                          "JOIN jobs ON jobs.id = job WHERE field = ? ORDER BY job");
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
        std::vector<float> values;
        auto row = m_file->query("SELECT encoding, checksum, bytes FROM scalar_values "
                                 "WHERE job = ? AND field = ?");
        if (row.bind(id).bind(static_cast<std::int64_t>(field)).step()) {
            values.resize(job(id).points.size());
            readValues(*m_file, row, 0, blobKey(BlobTable::scalarValues, field, 0, id), values);
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
        auto row =
            m_file->query("SELECT levels, first, count, level_sum, encoding, checksum, bytes "
                          "FROM scalar_coefficients WHERE field = ? AND level_sum < ? ORDER BY id");
        row.bind(static_cast<std::int64_t>(field)).bind(wanted);
        while (row.step()) {
            const auto levels = row.blob(0);
            const auto first = row.integer(1), count = row.integer(2);
            if (count < 1 || static_cast<std::uint64_t>(count) > points)
                m_file->throwDamaged("a block of coefficients is larger than its grid");
            chunk.resize(static_cast<std::size_t>(count));
            const auto key = blobKey(BlobTable::scalarCoefficients, field,
                                     static_cast<std::uint64_t>(first), checksum({}, levels));
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

// ---- hold-outs, figures, views ------------------------------------------------------------------

namespace {

std::vector<double> readParameters(const StudyFile &file, std::span<const std::byte> bytes)
{
    std::vector<double> values(file.description().space.parameters().size());
    if (bytes.size() != values.size() * sizeof(double))
        file.throwDamaged("parameter values are missing");
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

} // namespace

std::vector<HoldOut> Study::holdOuts() const
{
    return m_file->guarded([&] {
        std::vector<HoldOut> holdOuts;
        for (auto row = m_file->query("SELECT id, parameters FROM hold_outs ORDER BY id");
             row.step();)
            holdOuts.push_back({row.integer(0), readParameters(*m_file, row.blob(1))});
        return holdOuts;
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

std::vector<ErrorFigure> Study::errorFigures() const
{
    return m_file->guarded([&] {
        std::vector<ErrorFigure> figures;
        for (auto row = m_file->query("SELECT kind, field, parameters, relative_l2, maximum, "
                                      "relative_maximum, grid_points, missing_points "
                                      "FROM error_figures ORDER BY id");
             row.step();) {
            ErrorFigure figure;
            const auto kind = row.text(0);
            for (auto known : {ErrorKind::heldOut, ErrorKind::leaveOneOut, ErrorKind::indicator}) {
                if (kind == toString(known))
                    figure.kind = known;
            }
            figure.field = static_cast<FieldIndex>(row.integer(1));
            if (figure.field >= fields().size())
                m_file->throwDamaged("an error figure names a field that is not there");
            figure.parameters = readParameters(*m_file, row.blob(2));
            figure.relativeL2 = row.real(3);
            figure.maximum = row.real(4);
            figure.relativeMaximum = row.real(5);
            figure.gridPoints = static_cast<std::uint64_t>(row.integer(6));
            figure.missingPoints = static_cast<std::uint64_t>(row.integer(7));
            figures.push_back(std::move(figure));
        }
        return figures;
    });
}

std::vector<std::string> Study::viewNames() const
{
    return m_file->guarded([&] {
        std::vector<std::string> names;
        for (auto row = m_file->query("SELECT name FROM views ORDER BY name"); row.step();)
            names.push_back(row.text(0));
        return names;
    });
}

std::optional<View> Study::view(std::string_view name) const
{
    return m_file->guarded([&]() -> std::optional<View> {
        auto row = m_file->query("SELECT json FROM views WHERE name = ?");
        if (!row.bind(name).step())
            return std::nullopt;
        return View{std::string(name), row.text(0)};
    });
}

} // namespace gridhelm::data
