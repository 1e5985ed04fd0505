// SPDX-License-Identifier: GPL-3.0-or-later
//
// Grids that grow block by block, and what has become of the error meanwhile.
#include "data/study/description_rows.h"
#include "data/study/row_checksums.h"
#include "data/study/study_limits.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gridhelm::data {

void requireRefinable(const Study &study)
{
    const auto &description = study.description();
    const auto name = study.path().string();
    if (description.design == StudyDesign::scattered)
        throw Error(name + " is a study of scattered runs, which has no grid to refine");
    if (description.kind == StudyKind::scalar)
        throw Error(name
                    + " is a scalar study, whose grid has directions of space as well: raise its "
                      "level with \"grow\" instead");
    for (const auto &parameter : description.space.parameters()) {
        if (parameter.kind == ParameterKind::timeLike && !parameter.isDense)
            throw Error(name + " counts the levels of " + parameter.name
                        + ", as older versions did, so that a block is not a number of whole runs: "
                          "raise its level with \"grow\", or make a new study of the plan");
    }
}

namespace {

/// All combinations of the levels that dense parameters have in the grid, with each of `blocks`.
std::vector<sparse::Level> withDenseLevels(const sparse::SparseGrid &grid,
                                           std::span<const Refinement> blocks)
{
    std::vector<sparse::Level> all;
    const auto d = static_cast<std::size_t>(grid.dimension());
    for (const auto &block : blocks) {
        if (block.levels.size() != d)
            throw Error("a block needs one level for each parameter");
        std::vector<std::vector<sparse::Level>> vectors{block.levels};
        for (std::size_t t = 0; t < d; ++t) {
            if (!grid.isDense(static_cast<int>(t)))
                continue;
            std::vector<std::vector<sparse::Level>> more;
            for (const auto &vector : vectors) {
                const int lowest = sparse::lowestLevel(grid.treatment(static_cast<int>(t)));
                for (int l = lowest; l <= grid.highestLevel(static_cast<int>(t)); ++l) {
                    more.push_back(vector);
                    more.back()[t] = static_cast<sparse::Level>(l);
                }
            }
            vectors = std::move(more);
        }
        for (const auto &vector : vectors)
            all.insert(all.end(), vector.begin(), vector.end());
    }
    return all;
}

/// Of the smallest truncated grid that holds it.
sparse::GridShape shapeAround(const sparse::SparseGrid &grid)
{
    std::vector<int> caps;
    for (int t = 0; t < grid.dimension(); ++t)
        caps.push_back(std::max(grid.highestLevel(t) + 1, 1));
    int level = 1;
    for (std::size_t block = 0; block < grid.blocks(); ++block)
        level = std::max(level, sparse::levelSums(grid.levelVector(block), grid.dense()).group + 1);
    return {grid.dimension(), level, caps, grid.treatments(), grid.dense(), grid.degrees()};
}

Refinement refinementFrom(const StudyFile &file, const Query &row)
{
    Refinement refinement;
    refinement.generation = row.integer(1);
    const auto levels = row.blob(2);
    const auto *first = reinterpret_cast<const sparse::Level *>(levels.data());
    refinement.levels.assign(first, first + levels.size());
    refinement.runs = static_cast<std::uint64_t>(row.integer(3));
    refinement.predictedGain = row.real(4);
    refinement.isExploration = row.integer(5) != 0;
    if (refinement.levels.size() != static_cast<std::size_t>(file.grid()->dimension())
        || !file.grid()->findBlock(refinement.levels) || row.integer(3) < 1
        || !(refinement.predictedGain >= 0))
        file.throwDamaged("a refinement names a block that its grid does not have");
    return refinement;
}

constexpr std::array historyKinds{HistoryKind::estimate, HistoryKind::heldOut,
                                  HistoryKind::leaveOneOut};

ErrorThen errorFrom(const StudyFile &file, const Query &row)
{
    ErrorThen error;
    const auto text = row.text(2);
    const auto *const kind = std::ranges::find_if(
        historyKinds, [&](HistoryKind known) { return text == toString(known); });
    error.field = static_cast<FieldIndex>(row.integer(1));
    error.runs = static_cast<std::uint64_t>(row.integer(3));
    error.error = row.real(4);
    if (kind == historyKinds.end() || error.field >= file.fields().size() || row.integer(3) < 0
        || !(error.error >= 0 && std::isfinite(error.error)))
        file.throwDamaged("its error history names what is not there");
    error.kind = *kind;
    return error;
}

} // namespace

std::uint64_t StudyWriter::growBlocks(std::span<const Refinement> blocks,
                                      const std::stop_token &stop)
{
    requireRefinable(*this);
    return inTransaction(*m_file, [&] {
        const auto before = grid();
        auto levels = withDenseLevels(*before, blocks);
        levels.insert(levels.end(), before->levelVectors().begin(), before->levelVectors().end());
        const sparse::SparseGrid grown(before->treatments(), levels, before->dense(),
                                       before->degrees(), sparse::Grouping::leavesLast);
        requireSensible({grown.points(), grown.blocks()}, description().kind);
        m_file->addGrid(description(), shapeAround(grown), grown, stop);
        const auto generation = readGridRows(m_file->database()).size() - 1;
        for (const auto &block : blocks) {
            m_file
                ->query("INSERT INTO refinements (generation, levels, runs, predicted_gain, "
                        "explored, checksum) VALUES (?, ?, ?, ?, ?, 0)")
                .bind(static_cast<std::uint64_t>(generation))
                .bind(std::as_bytes(std::span(block.levels)))
                .bind(block.runs)
                .bind(block.predictedGain)
                .bind(block.isExploration ? 1 : 0)
                .run();
            sealRow(*m_file, SealedTable::refinements, m_file->database().getLastInsertRowid());
        }
        m_file->updateChecksum();
        m_file->load();
        return grid()->points() - before->points();
    });
}

std::vector<Refinement> Study::refinements() const
{
    return m_file->guarded([&] {
        std::vector<Refinement> refinements;
        const ReadTransaction together(*m_file);
        TableSum sum;
        for (auto row = m_file->query(selectAll(SealedTable::refinements)); row.step();) {
            if (!isSealed(SealedTable::refinements, row))
                m_file->throwDamaged("the checksum of a refinement does not match");
            sum.add(countOf("refinements", std::array{row.integer(0), row.integer(7)}));
            refinements.push_back(refinementFrom(*m_file, row));
        }
        m_file->requireSum("refinements", sum);
        return refinements;
    });
}

std::vector<ErrorThen> Study::errorHistory() const
{
    return m_file->guarded([&] {
        std::vector<ErrorThen> history;
        const ReadTransaction together(*m_file);
        TableSum sum;
        for (auto row = m_file->query(selectAll(SealedTable::errorHistory)); row.step();) {
            if (!isSealed(SealedTable::errorHistory, row))
                m_file->throwDamaged("the checksum of its error history does not match");
            sum.add(countOf("error_history", std::array{row.integer(0), row.integer(6)}));
            history.push_back(errorFrom(*m_file, row));
        }
        m_file->requireSum("error_history", sum);
        std::ranges::sort(history, {}, [](const ErrorThen &error) {
            return std::tuple(error.field, error.kind, error.runs);
        });
        return history;
    });
}

void StudyWriter::addToErrorHistory(std::span<const ErrorThen> errors)
{
    inTransaction(*m_file, [&] {
        for (const auto &error : errors) {
            static_cast<void>(m_file->field(error.field));
            if (!(std::isfinite(error.error) && error.error >= 0))
                continue; // of a field that is 0, say: no number to draw
            m_file->query("DELETE FROM error_history WHERE field = ? AND kind = ? AND runs = ?")
                .bind(idOf(error.field))
                .bind(toString(error.kind))
                .bind(error.runs)
                .run();
            m_file
                ->query("INSERT INTO error_history (field, kind, runs, error, checksum) "
                        "VALUES (?, ?, ?, ?, 0)")
                .bind(idOf(error.field))
                .bind(toString(error.kind))
                .bind(error.runs)
                .bind(error.error)
                .run();
            sealRow(*m_file, SealedTable::errorHistory, m_file->database().getLastInsertRowid());
        }
    });
}

} // namespace gridhelm::data
