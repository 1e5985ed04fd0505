// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compress/stored_rows.h"

#include "core/execution/parallel_for.h"
#include "core/sparse/ancestor_rows.h"
#include "core/support/error.h"
#include "data/study/study_file.h"

#include <algorithm>
#include <utility>

namespace gridhelm::data {

std::vector<std::uint64_t> pointsWithCoefficients(const Study &study, FieldIndex field)
{
    std::vector<std::uint64_t> points;
    const auto states = study.coefficientStates(field);
    for (std::uint64_t point = 0; point < states.size(); ++point) {
        if (states[point] != CoefficientState::none)
            points.push_back(point);
    }
    return points;
}

bool areSnapshotsStored(const Study &study, FieldIndex field)
{
    const auto isThere = study.pointsWithSnapshots(field);
    auto stored = study.file().query("SELECT count(*) FROM snapshots WHERE field = ? AND part = 0");
    stored.bind(static_cast<std::int64_t>(field)).step();
    return stored.integer(0) >= std::ranges::count(isThere, true);
}

StoredRows::StoredRows(const Study &study, FieldIndex field)
    : m_study(study)
    , m_field(field)
{
}

std::size_t StoredRows::values() const
{
    return m_study.fields()[m_field].values();
}

void StoredRows::read(std::size_t first, modes::MatrixView<float> block)
{
    const auto part = first / Study::partValues(), offset = first % Study::partValues();
    m_part.resize(m_study.valuesInPart(m_field, part));
    const bool isWhole = block.columns == m_part.size();
    for (std::size_t i = 0; i < block.rows; ++i) {
        if (isWhole) {
            readPart(i, part, {block.row(i), block.columns});
            continue;
        }
        readPart(i, part, m_part);
        std::copy_n(m_part.data() + offset, block.columns, block.row(i));
    }
}

void StoredRows::throwGone(const std::string &what) const
{
    throw Error(what + " of field " + m_study.fields()[m_field].name
                + " are missing in the middle of the work: another program has taken them away; "
                  "repeat the command");
}

StoredCoefficients::StoredCoefficients(const Study &study, FieldIndex field,
                                       const std::vector<std::uint64_t> &points)
    : StoredRows(study, field)
    , m_points(points)
{
}

void StoredCoefficients::readPart(std::size_t row, std::uint64_t part, std::span<float> values)
{
    if (!study().readCoefficientPart(m_points[row], field(), part, values))
        throwGone("coefficients");
}

StoredSnapshots::StoredSnapshots(const Study &study, FieldIndex field,
                                 const std::vector<std::uint64_t> &points)
    : StoredRows(study, field)
    , m_points(points)
{
}

void StoredSnapshots::readPart(std::size_t row, std::uint64_t part, std::span<float> values)
{
    if (!study().readSnapshotPart(m_points[row], field(), part, values))
        throwGone("snapshots");
}

StoredTrainingRuns::StoredTrainingRuns(const Study &study, FieldIndex field,
                                       const std::vector<std::int64_t> &runs)
    : StoredRows(study, field)
    , m_runs(runs)
{
}

void StoredTrainingRuns::readPart(std::size_t row, std::uint64_t part, std::span<float> values)
{
    if (!study().readHoldOutPart(m_runs[row], field(), part, values))
        throwGone("snapshots");
}

JoinedRows::JoinedRows(std::unique_ptr<modes::SnapshotBlocks> first,
                       std::unique_ptr<modes::SnapshotBlocks> second)
    : m_first(std::move(first))
    , m_second(std::move(second))
{
}

std::size_t JoinedRows::snapshots() const
{
    return m_first->snapshots() + m_second->snapshots();
}

void JoinedRows::read(std::size_t first, modes::MatrixView<float> block)
{
    const auto rows = m_first->snapshots();
    auto upper = block, lower = block;
    upper.rows = rows;
    lower.rows = m_second->snapshots();
    lower.data = block.data + rows * block.stride;
    if (upper.rows > 0)
        m_first->read(first, upper);
    if (lower.rows > 0)
        m_second->read(first, lower);
}

RebuiltSnapshots::RebuiltSnapshots(const Study &study, FieldIndex field,
                                   const std::vector<std::uint64_t> &points, const CpuDevice &cpu)
    : StoredCoefficients(study, field, points)
    , m_ancestors(points.size())
    , m_cpu(cpu)
{
    const auto grid = study.grid();
    parallelFor(points.size(), cpu, 16, [&](std::size_t i) {
        const auto all = sparse::ancestorWeights(*grid, points[i]);
        for (std::size_t b = 0; b < all.points.size(); ++b) {
            const auto found = std::ranges::lower_bound(points, all.points[b]);
            if (found == points.end() || *found != all.points[b])
                continue; // counts 0
            m_ancestors[i].points.push_back(static_cast<std::uint64_t>(found - points.begin()));
            m_ancestors[i].weights.push_back(all.weights[b]);
        }
    });
}

void RebuiltSnapshots::read(std::size_t first, modes::MatrixView<float> block)
{
    StoredCoefficients::read(first, block);
    constexpr std::size_t strip = 2048; // as compress() has them
    parallelFor((block.columns + strip - 1) / strip, m_cpu, 1, [&](std::size_t s) {
        const auto begin = s * strip, end = std::min(begin + strip, block.columns);
        std::vector<sparse::AncestorRow> ancestors;
        // Backwards: what is below a point comes before it, and is still a coefficient.
        for (auto i = block.rows; i-- > 0;) {
            ancestors.clear();
            for (std::size_t b = 0; b < m_ancestors[i].points.size(); ++b)
                ancestors.push_back(
                    {block.row(m_ancestors[i].points[b]), -m_ancestors[i].weights[b]});
            sparse::subtractAncestors(ancestors, block.row(i), begin, end);
        }
    });
}

StoredQuantisedRows::StoredQuantisedRows(const Study &study, FieldIndex field,
                                         const std::vector<std::uint64_t> &points)
    : StoredRows(study, field)
    , m_points(points)
{
}

void StoredQuantisedRows::readPart(std::size_t row, std::uint64_t part, std::span<float> values)
{
    study().quantisedCoefficientPart(m_points[row], field(), part).decode(0, values);
}

StoredModes::StoredModes(const Study &study, FieldIndex field, std::size_t modes, std::size_t first)
    : StoredRows(study, field)
    , m_modes(modes)
    , m_first(first)
{
}

void StoredModes::readPart(std::size_t row, std::uint64_t part, std::span<float> values)
{
    study().readModePart(field(), m_first + row, part, values);
}

} // namespace gridhelm::data
