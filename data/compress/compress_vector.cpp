// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compress/compress_vector.h"

#include "core/execution/parallel_for.h"
#include "core/sparse/ancestor_rows.h"
#include "core/sparse/growth.h"
#include "core/support/memory_check.h"
#include "core/support/system_info.h"
#include "data/compress/bulk_write.h"
#include "data/study/blob_store.h"
#include "data/study/study_file.h"

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <utility>

namespace gridhelm::data {

namespace {

/// What the file has of one part of a field, for every point.
struct PartState
{
    std::vector<bool> hasSnapshot, hasCoefficient, isProvisional;

    bool operator==(const PartState &) const = default;
};

PartState stateOfPart(const StudyFile &file, FieldIndex field, std::uint64_t part)
{
    const auto points = [&](const char *sql) {
        std::vector<bool> marks(file.grid()->points(), false);
        auto row = file.query(sql);
        row.bind(static_cast<std::int64_t>(field)).bind(part);
        while (row.step())
            marks[file.pointOfId(row.integer(0))] = true;
        return marks;
    };
    return {points("SELECT point FROM snapshots WHERE field = ? AND part = ?"),
            points("SELECT point FROM coefficients WHERE field = ? AND part = ?"),
            points("SELECT point FROM coefficients WHERE field = ? AND part = ? "
                   "AND provisional = 1")};
}

/// A coefficient to compute.
struct Task
{
    std::uint64_t point;
    bool isProvisional; ///< with what is there now
    bool isNew;
    sparse::AncestorWeights ancestors;
};

/// What can be computed of one part, in storage order, so that ancestors come first.
struct Plan
{
    std::vector<Task> tasks;
    std::uint64_t provisional = 0, waiting = 0, missing = 0; ///< see CompressReport
};

Plan makePlan(const sparse::SparseGrid &grid, const PartState &state, bool allowMissing)
{
    Plan plan;
    enum class Result : std::uint8_t { none, provisional, final };
    std::vector<Result> results(grid.points(), Result::none);
    for (std::uint64_t point = 0; point < grid.points(); ++point) {
        const bool wasProvisional = state.isProvisional[point];
        if (state.hasCoefficient[point] && !wasProvisional) {
            results[point] = Result::final;
            continue;
        }
        if (!state.hasSnapshot[point]) {
            ++plan.missing;
            continue;
        }
        auto ancestors = sparse::ancestorWeights(grid, point);
        bool lacksOne = false, isProvisional = false;
        for (auto ancestor : ancestors.points) {
            lacksOne = lacksOne || results[ancestor] == Result::none;
            isProvisional = isProvisional || results[ancestor] != Result::final;
        }
        // A provisional coefficient is computed again even if more is missing below than is allowed
        // now: otherwise it would not fit the new coefficients below it.
        if (lacksOne && !allowMissing && !wasProvisional) {
            ++plan.waiting;
            continue;
        }
        sparse::AncestorWeights there;
        for (std::size_t b = 0; b < ancestors.points.size(); ++b) {
            if (results[ancestors.points[b]] == Result::none)
                continue;
            there.points.push_back(ancestors.points[b]);
            there.weights.push_back(ancestors.weights[b]);
        }
        results[point] = isProvisional ? Result::provisional : Result::final;
        plan.provisional += isProvisional ? 1 : 0;
        plan.tasks.push_back(
            {point, isProvisional, !state.hasCoefficient[point], std::move(there)});
    }
    return plan;
}

/// Neighbouring parts that have the same state, all points at once: one pass over the field.
class Pass
{
public:
    Pass(StudyFile &file, FieldIndex field, std::uint64_t firstPart, std::uint64_t endPart,
         const Plan &plan, const CompressOptions &options)
        : m_file(file)
        , m_field(field)
        , m_firstPart(firstPart)
        , m_endPart(endPart)
        , m_options(options)
        , m_tasks(plan.tasks)
        , m_rows(file.grid()->points())
        , m_uses(file.grid()->points(), 0)
        , m_isWritten(file.grid()->points(), true)
    {
        const auto values = file.field(field).values();
        m_firstColumn = firstPart * Study::partValues();
        m_columns =
            (endPart - 1) * Study::partValues() + partSize(values, endPart - 1) - m_firstColumn;
        for (const auto &task : m_tasks) {
            m_isWritten[task.point] = false;
            for (auto ancestor : task.ancestors.points)
                ++m_uses[ancestor];
        }
    }

    /// Returns false if it was stopped. `report(parts)` is told what has been written.
    bool run(const std::function<bool(std::uint64_t)> &report)
    {
        // As much is in memory three times.
        constexpr std::size_t batchBytes = std::size_t{32} << 20;
        // Commits wait for the disk, and are what a kill goes back to.
        constexpr std::size_t transactionBytes = std::size_t{256} << 20;
        const auto batchTasks = std::max<std::size_t>(batchBytes / (m_columns * sizeof(float)), 1);
        Batch batch = nextBatch({}, batchTasks);
        read(batch);
        compute(batch);
        while (!batch.empty()) {
            Transaction transaction(m_file);
            std::uint64_t parts = 0;
            for (std::size_t bytes = 0; !batch.empty() && bytes < transactionBytes;) {
                // The next batch is read and computed while this one is on its way to the disk.
                const Batch next = nextBatch(batch, batchTasks);
                read(next);
                auto computed = std::async(std::launch::async, [&] { compute(next); });
                removeModes(m_file, m_field); // which do not know of these coefficients
                write(batch);
                m_file.startFlush();
                computed.get();
                bytes += batch.size() * m_columns * sizeof(float);
                parts += batch.size() * (m_endPart - m_firstPart);
                release(batch);
                batch = next;
            }
            transaction.commit();
            if (!report(parts))
                return false;
        }
        return true;
    }

private:
    using Batch = std::span<const Task>;

    Batch nextBatch(Batch batch, std::size_t tasks) const
    {
        const auto begin =
            batch.empty() ? 0
                          : static_cast<std::size_t>(batch.data() - m_tasks.data()) + batch.size();
        return Batch(m_tasks).subspan(begin, std::min(tasks, m_tasks.size() - begin));
    }

    using Row = std::unique_ptr<float[]>;

    /// One that was released, if there is one: fresh memory would be zeroed page by page.
    Row newRow()
    {
        if (m_unusedRows.empty())
            return std::make_unique_for_overwrite<float[]>(m_columns);
        auto row = std::move(m_unusedRows.back());
        m_unusedRows.pop_back();
        return row;
    }

    using ReadPart = bool (*)(const StudyFile &, std::int64_t, FieldIndex, std::uint64_t,
                              std::span<float>);

    void readRow(std::uint64_t point, ReadPart readPart)
    {
        auto row = newRow();
        for (auto part = m_firstPart; part < m_endPart; ++part) {
            const std::span<float> piece(row.get() + part * Study::partValues() - m_firstColumn,
                                         partSize(m_file.field(m_field).values(), part));
            if (!readPart(m_file, m_file.pointId(point), m_field, part, piece))
                m_file.throwDamaged("a chunk of a snapshot is missing");
        }
        m_rows[point] = std::move(row);
    }

    void read(Batch batch)
    {
        for (const auto &task : batch) {
            readRow(task.point, readSnapshotPart);
            for (auto ancestor : task.ancestors.points) {
                if (!m_rows[ancestor])
                    readRow(ancestor, readCoefficientPart);
            }
        }
    }

    void compute(Batch batch)
    {
        std::vector<sparse::RowToHierarchize> rows;
        for (const auto &task : batch) {
            auto &row = rows.emplace_back(sparse::RowToHierarchize{m_rows[task.point].get(), {}});
            for (std::size_t b = 0; b < task.ancestors.points.size(); ++b)
                row.ancestors.push_back(
                    {m_rows[task.ancestors.points[b]].get(), task.ancestors.weights[b]});
        }
        sparse::hierarchizeRows(rows, m_columns, m_options.cpu);
    }

    /// Parts are encoded side by side, a few at a time; the file takes them one after the other.
    void write(Batch batch)
    {
        const auto values = m_file.field(m_field).values();
        const std::size_t parts = m_endPart - m_firstPart, pieces = batch.size() * parts;
        // Threads wait for each other longer than a few values take.
        constexpr std::size_t few = 32768;
        const auto chunk = std::max<std::size_t>(few / std::max<std::size_t>(m_columns, 1), 1);
        m_encoders.resize(4 * static_cast<std::size_t>(std::max(m_options.cpu.threads, 1)));
        struct Piece
        {
            BlobKey key;
            std::span<const float> values;
            EncodedBlob blob = {};
        };
        std::vector<Piece> some;
        for (std::size_t first = 0; first < pieces; first += some.size()) {
            some.clear();
            for (auto i = first; i < std::min(first + m_encoders.size(), pieces); ++i) {
                const auto &task = batch[i / parts];
                const auto part = m_firstPart + i % parts;
                const float *row = m_rows[task.point].get();
                some.push_back(
                    {blobKey(coefficientTable(task.isProvisional), m_field, part,
                             m_file.pointId(task.point)),
                     {row + part * Study::partValues() - m_firstColumn, partSize(values, part)}});
            }
            parallelFor(some.size(), m_options.cpu, chunk, [&](std::size_t i) {
                some[i].blob =
                    m_encoders[i].encode(some[i].key, some[i].values, m_options.encoding);
            });
            for (std::size_t i = 0; i < some.size(); ++i)
                writeCoefficientPart(m_file, some[i].key, some[i].blob,
                                     batch[(first + i) / parts].isProvisional);
        }
    }

    /// Gives back rows that no coefficient needs any more.
    void release(Batch batch)
    {
        const auto releaseIfUnused = [&](std::uint64_t point) {
            if (m_uses[point] == 0 && m_isWritten[point] && m_rows[point])
                m_unusedRows.push_back(std::move(m_rows[point]));
        };
        for (const auto &task : batch) {
            m_isWritten[task.point] = true;
            for (auto ancestor : task.ancestors.points) {
                --m_uses[ancestor];
                releaseIfUnused(ancestor);
            }
            releaseIfUnused(task.point);
        }
    }

    StudyFile &m_file;
    FieldIndex m_field;
    std::uint64_t m_firstPart, m_endPart;
    const CompressOptions &m_options;
    std::span<const Task> m_tasks;
    std::size_t m_firstColumn, m_columns;
    std::vector<Row> m_rows; ///< of points in use
    std::vector<Row> m_unusedRows;
    std::vector<BlobEncoder> m_encoders;
    std::vector<std::uint32_t> m_uses; ///< coefficients still to be released
    std::vector<bool> m_isWritten;
};

/// How many parts of all rows that a plan needs fit into the memory allowed; at least one.
std::uint64_t partsInMemory(const Plan &plan, std::uint64_t gridPoints,
                            const CompressOptions &options)
{
    std::vector<bool> isNeeded(gridPoints, false);
    for (const auto &task : plan.tasks) {
        isNeeded[task.point] = true;
        for (auto ancestor : task.ancestors.points)
            isNeeded[ancestor] = true;
    }
    const auto rows = static_cast<double>(std::ranges::count(isNeeded, true));
    const double bytes = options.memoryBytes > 0 ? options.memoryBytes
                                                 : static_cast<double>(availableMemoryBytes()) / 2;
    const double partBytes = rows * static_cast<double>(Study::partValues() * sizeof(float));
    requireMemory(partBytes, "compressing " + std::to_string(plan.tasks.size()) + " snapshots",
                  "close other programs, or compress more often, as snapshots arrive");
    return static_cast<std::uint64_t>(std::clamp(bytes / std::max(partBytes, 1.0), 1.0, 1e12));
}

} // namespace

void compressVectorField(StudyWriter &writer, FieldIndex field, const CompressOptions &options,
                         CompressReport &report)
{
    auto &file = writer.file();
    const auto grid = file.grid();
    const auto parts = writer.parts(field);
    const auto bytes = static_cast<double>(writer.fields()[field].values()) * sizeof(float);
    std::optional<BulkWrite> bulk;
    std::uint64_t part = 0, done = 0;
    while (part < parts) {
        const auto state = stateOfPart(file, field, part);
        const auto plan = makePlan(*grid, state, options.allowMissing);
        const auto most = std::min(partsInMemory(plan, grid->points(), options), parts - part);
        auto end = part + 1;
        while (end < part + most && stateOfPart(file, field, end) == state)
            ++end;
        if (!bulk && static_cast<double>(plan.tasks.size()) * bytes >= longWrite)
            bulk.emplace(file);
        if (!plan.tasks.empty()) {
            report.computedOn |= ComputedOn::cpu();
            const auto total = plan.tasks.size() * parts;
            Pass pass(file, field, part, end, plan, options);
            report.cancelled = !pass.run([&](std::uint64_t newParts) {
                done += newParts;
                return !options.progress || options.progress(done, std::max(done, total));
            });
        }
        if (end == parts) { // every part has the same counts at the end
            for (const auto &task : plan.tasks)
                ++(task.isNew ? report.computed : report.recomputed);
            report.provisional += plan.provisional;
            report.waiting += plan.waiting;
            report.missing += plan.missing;
        }
        if (report.cancelled)
            return;
        part = end;
    }
}

} // namespace gridhelm::data
