// SPDX-License-Identifier: GPL-3.0-or-later
//
// Hierarchical coefficients of vector studies, and the state of those of all.
#include "core/support/error.h"
#include "data/study/blob_store.h"
#include "data/study/description_rows.h"
#include "data/study/scalar_rows.h"
#include "data/study/study_file.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

#include <algorithm>

namespace gridhelm::data {

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

bool Study::readCoefficientPart(std::uint64_t point, FieldIndex field, std::uint64_t part,
                                std::span<float> values) const
{
    return m_file->guarded([&] {
        requireKind(*m_file, StudyKind::vector);
        requireSize(m_file->field(field), valuesInPart(field, part), values.size());
        if (description().design == StudyDesign::scattered)
            return false;
        return data::readCoefficientPart(*m_file, m_file->pointId(point), field, part, values);
    });
}

bool Study::readCoefficients(std::uint64_t point, FieldIndex field, std::span<float> values) const
{
    return forParts(m_file->field(field), values, [&](std::uint64_t part, std::span<float> piece) {
        return readCoefficientPart(point, field, part, piece);
    });
}

namespace {

/// Points with coefficients that could not be made again.
std::int64_t pointsWithoutSnapshots(StudyFile &file)
{
    auto row = file.query(
        "SELECT count(DISTINCT point) FROM coefficients WHERE NOT EXISTS (SELECT 1 FROM snapshots "
        "WHERE snapshots.field = coefficients.field AND snapshots.part = coefficients.part "
        "AND snapshots.point = coefficients.point)");
    row.step();
    return row.integer(0);
}

} // namespace

bool StudyWriter::setDegrees(std::span<const int> degrees)
{
    return inTransaction(*m_file, [&] {
        const auto space = description().space.withDegrees(degrees);
        if (space == description().space)
            return false;
        if (const auto lost = pointsWithoutSnapshots(*m_file); lost > 0)
            throw Error("another degree needs all snapshots, and those of " + std::to_string(lost)
                        + " points were dropped: keep the degree, or run the study anew");
        for (std::size_t t = 0; t < space.parameters().size(); ++t)
            m_file->query("UPDATE parameters SET degree = ? WHERE dimension = ?")
                .bind(space[t].degree)
                .bind(static_cast<std::int64_t>(t))
                .run();
        for (const char *sql :
             {"DELETE FROM modes", "DELETE FROM modal_coefficients", "DELETE FROM kriging_parts",
              "DELETE FROM kriging_models", "DELETE FROM mode_sets",
              "DELETE FROM quantised_coefficients", "DELETE FROM quantised_rows",
              "DELETE FROM coefficients", "DELETE FROM scalar_coefficients",
              "DELETE FROM error_figures WHERE kind NOT LIKE 'compared %'",
              "DELETE FROM error_bands"})
            m_file->query(sql).run();
        m_file->updateChecksum();
        m_file->load();
        return true;
    });
}

} // namespace gridhelm::data
