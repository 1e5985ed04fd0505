// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compress/compress_scalar.h"

#include "core/sparse/backend.h"
#include "core/support/memory_check.h"
#include "data/compress/bulk_write.h"
#include "data/study/blob_store.h"
#include "data/study/study_file.h"

#include <algorithm>
#include <optional>

namespace gridhelm::data {

namespace {

using sparse::SparseGrid;

struct NodalValues
{
    std::vector<double> values;
    std::vector<bool> isMissing;
    std::uint64_t missing = 0;
};

NodalValues readNodalValues(const StudyWriter &writer, FieldIndex field)
{
    const auto points = writer.grid()->points();
    NodalValues nodal{std::vector<double>(points, 0.0), std::vector<bool>(points, true), points};
    for (const auto &job : writer.jobs()) {
        const auto values = writer.readScalarValues(job.id, field);
        for (std::size_t i = 0; i < values.size(); ++i) {
            nodal.values[job.points[i]] = static_cast<double>(values[i]);
            nodal.isMissing[job.points[i]] = false;
        }
        nodal.missing -= values.size();
    }
    return nodal;
}

/// With missing points: their coefficient is 0. Blocks of one class are never below each other, so
/// a class at a time is computed with all coefficients known so far.
ComputedOn hierarchizeWithMissing(const std::shared_ptr<const SparseGrid> &grid, NodalValues &nodal,
                                  const sparse::Backend &backend)
{
    const auto d = static_cast<std::size_t>(grid->dimension());
    std::vector<double> coefficients(grid->points(), 0.0);
    ComputedOn where;
    for (const auto &blockClass : grid->blockClasses()) {
        const auto count = std::uint64_t{blockClass.blocks} << blockClass.blockBits;
        std::vector<double> x(count * d), below(count);
        for (std::uint64_t i = 0; i < count; ++i)
            grid->coordinates(blockClass.firstPoint + i, std::span(x).subspan(i * d, d));
        where |= backend.load(grid, coefficients)
                     ->interpolate({x, grid->dimension()}, sparse::EvaluationOutput<double>{below});
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto point = blockClass.firstPoint + i;
            if (!nodal.isMissing[point])
                coefficients[point] = nodal.values[point] - below[i];
        }
    }
    nodal.values = std::move(coefficients);
    return where;
}

/// Writes chunks of whole blocks of one group, and of pieces of larger blocks.
class ChunkWriter
{
public:
    ChunkWriter(StudyFile &file, FieldIndex field, bool isProvisional, BlobEncoding encoding)
        : m_file(file)
        , m_grid(*file.grid())
        , m_field(field)
        , m_isProvisional(isProvisional)
        , m_encoding(encoding)
    {
    }

    void addBlock(std::size_t block, std::span<const double> coefficients)
    {
        const auto levels = m_grid.levelVector(block);
        const int group = sparse::levelSums(levels, m_grid.dense()).group;
        if (group != m_group || m_values.size() + coefficients.size() > maxValues)
            flush();
        m_group = group;
        m_levels.insert(m_levels.end(), levels.begin(), levels.end());
        while (coefficients.size() > maxValues) {
            append(coefficients.first(maxValues));
            coefficients = coefficients.subspan(maxValues);
            const auto next = m_first + static_cast<std::int64_t>(maxValues);
            flush();
            m_first = next;
            m_levels.assign(levels.begin(), levels.end());
        }
        append(coefficients);
        if (m_first > 0)
            flush();
    }

    void flush()
    {
        if (!m_values.empty()) {
            const auto levels = std::as_bytes(std::span(m_levels));
            const auto blob = m_file.encoder().encode(
                blobKey(m_isProvisional ? BlobTable::provisionalScalarCoefficients
                                        : BlobTable::scalarCoefficients,
                        m_field, static_cast<std::uint64_t>(m_first), checksum(levels)),
                m_values, m_encoding);
            auto insert = m_file.query(
                "INSERT INTO scalar_coefficients (field, level_sum, first, count, provisional, "
                "levels, encoding, checksum, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
            insert.bind(static_cast<std::int64_t>(m_field))
                .bind(m_group)
                .bind(m_first)
                .bind(static_cast<std::int64_t>(m_values.size()))
                .bind(m_isProvisional ? 1 : 0)
                .bind(levels);
            bindBlob(insert, blob);
            insert.run();
        }
        m_values.clear();
        m_levels.clear();
        m_first = 0;
    }

private:
    static constexpr std::size_t maxValues = Study::partValues();

    void append(std::span<const double> coefficients)
    {
        for (double coefficient : coefficients)
            m_values.push_back(static_cast<float>(coefficient));
    }

    StudyFile &m_file;
    const SparseGrid &m_grid;
    FieldIndex m_field;
    bool m_isProvisional;
    BlobEncoding m_encoding;
    int m_group = -1;
    std::int64_t m_first = 0;
    std::vector<sparse::Level> m_levels;
    std::vector<float> m_values;
};

} // namespace

void compressScalarField(StudyWriter &writer, FieldIndex field, const CompressOptions &options,
                         CompressReport &report)
{
    auto &file = writer.file();
    const auto grid = file.grid();
    requireMemory(static_cast<double>(grid->points()) * 3 * sizeof(double),
                  "compressing a field of " + std::to_string(grid->points()) + " values",
                  "close other programs, or lower the level");
    const auto before = writer.coefficientStates(field);
    const auto count = [&](CoefficientState state) {
        return static_cast<std::uint64_t>(std::ranges::count(before, state));
    };
    auto nodal = readNodalValues(writer, field);
    report.missing += nodal.missing;
    const auto finalBefore = count(CoefficientState::final);
    const auto provisionalBefore = count(CoefficientState::provisional);
    const auto toDo = grid->points() - nodal.missing - finalBefore;
    if (toDo == 0)
        return;
    if (nodal.missing > 0 && !options.allowMissing) {
        report.waiting += toDo - provisionalBefore;
        report.provisional += provisionalBefore;
        return;
    }

    const auto backend =
        options.backend ? options.backend : sparse::makeOmpBackend(ExecutionContext(options.cpu));
    const bool isProvisional = nodal.missing > 0;
    report.computedOn |= isProvisional ? hierarchizeWithMissing(grid, nodal, *backend)
                                       : backend->hierarchize(*grid, nodal.values);

    std::optional<BulkWrite> bulk;
    if (static_cast<double>(toDo) * sizeof(double) >= longWrite)
        bulk.emplace(file);
    Transaction transaction(file);
    file.query("DELETE FROM scalar_coefficients WHERE field = ? AND provisional = 1")
        .bind(static_cast<std::int64_t>(field))
        .run();
    ChunkWriter chunks(file, field, isProvisional, options.encoding);
    for (std::size_t block = 0; block < grid->blocks(); ++block) {
        const auto offset = grid->blockOffset(block), size = grid->blockSize(block);
        if (before[offset] != CoefficientState::final) // of all of the block: chunks are whole
            chunks.addBlock(block, std::span(nodal.values).subspan(offset, size));
    }
    chunks.flush();
    transaction.commit();
    report.computed += toDo - provisionalBefore;
    report.recomputed += provisionalBefore;
    report.provisional += isProvisional ? toDo : 0;
    if (options.progress)
        report.cancelled = !options.progress(toDo, toDo);
}

} // namespace gridhelm::data
