// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is kept in memory of a study: its description, its grids and fields, and which rows belong
// to which points.
#include "core/support/checked_math.h"
#include "data/study/beside_study.h"
#include "data/study/description_rows.h"
#include "data/study/grid_store.h"
#include "data/study/study_file.h"
#include "data/study/study_limits.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace gridhelm::data {

const Field &StudyFile::field(FieldIndex index) const
{
    if (index >= m_fields.size())
        throw Error("the study has " + std::to_string(m_fields.size()) + " fields, so there is no "
                    + "field number " + std::to_string(index));
    return m_fields[index];
}

namespace {

/// Exactly, whatever the locale.
std::string exactText(double value)
{
    std::array<char, 40> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::hex).ptr;
    return {text.data(), end};
}

Association parseAssociation(const std::string &text)
{
    for (auto association : {Association::point, Association::cell}) {
        if (text == toString(association))
            return association;
    }
    throw Error("values can belong to points and cells only");
}

std::vector<Field> readFields(const StudyFile &file)
{
    std::vector<Field> fields;
    for (auto row = file.query("SELECT id, name, unit, components, association, entities, "
                               "value_offset, value_scale FROM fields ORDER BY id");
         row.step();) {
        try {
            Field field;
            field.name = row.text(1);
            field.unit = row.text(2);
            field.components = narrow<int>(row.integer(3));
            field.association = parseAssociation(row.text(4));
            field.entities = narrow<std::uint64_t>(row.integer(5));
            field.offset = row.real(6);
            field.scale = row.real(7);
            requireSensible(field);
            if (row.integer(0) != static_cast<std::int64_t>(fields.size()))
                throw Error("the numbers of its fields have a gap");
            fields.push_back(field);
        } catch (const Error &error) {
            file.throwDamaged(error.what());
        }
    }
    return fields;
}

} // namespace

/// Everything that the checksum covers, in a fixed order: read from the tables, not from memory, so
/// that it covers what is stored.
std::string StudyFile::checksummedText() const
{
    std::string text;
    const auto add = [&](const std::string &item) {
        text += std::to_string(item.size()) + ":" + item + ";";
    };
    for (auto study = query("SELECT compatible_version, kind, title, simulation, program, created, "
                            "design FROM study WHERE id = 1");
         study.step();) {
        for (int column = 0; column < 7; ++column)
            add(study.text(column));
    }
    for (auto parameter = query("SELECT dimension, name, unit, low, high, scale, kind, treatment, "
                                "level_cap, dense, degree FROM parameters ORDER BY dimension");
         parameter.step();) {
        for (int column : {0, 1, 2})
            add(parameter.text(column));
        for (int column : {3, 4})
            add(exactText(parameter.real(column)));
        for (int column : {5, 6, 7, 8, 9, 10})
            add(parameter.isNull(column) ? "none" : parameter.text(column));
    }
    for (auto grid = query("SELECT generation, level, caps, points, blocks, leaves_last FROM grids "
                           "ORDER BY generation");
         grid.step();) {
        for (int column = 0; column < 6; ++column)
            add(grid.text(column));
    }
    for (auto field = query("SELECT id, name, unit, components, association, entities, "
                            "value_offset, value_scale FROM fields ORDER BY id");
         field.step();) {
        for (int column = 0; column < 6; ++column)
            add(field.text(column));
        for (int column : {6, 7})
            add(exactText(field.real(column)));
    }
    return text;
}

std::int64_t StudyFile::descriptionChecksum() const
{
    const auto text = checksummedText();
    return checksum(std::as_bytes(std::span(text)));
}

void StudyFile::requireDescription() const
{
    const auto said = [&]() -> std::optional<std::int64_t> { // the statement is asked again below
        auto study = query("SELECT checksum FROM study WHERE id = 1");
        return study.step() ? std::optional(study.integer(0)) : std::nullopt;
    }();
    if (said != descriptionChecksum())
        throwDamaged("the checksum of its description does not match");
}

void StudyFile::updateChecksum()
{
    const auto value = descriptionChecksum();
    query("UPDATE study SET checksum = ?1 WHERE id = 1").bind(value).run();
}

void StudyFile::reload()
{
    if (isCopyOutdated()) {
        if (sqlite3_get_autocommit(m_database->getHandle()) == 0)
            throwChanged(); // somebody's transaction is of the connection that would go
        openToRead();
    }
    requireVersion();
    load();
}

/// A field's modes, its kriging and its few bits are replaced as a whole, with the same grid.
std::string StudyFile::memoryStamp() const
{
    const ReadTransaction together(*this);
    std::string stamp;
    for (auto study = query("SELECT checksum FROM study WHERE id = 1"); study.step();)
        stamp = study.text(0);
    for (auto grid = query("SELECT generation FROM grids ORDER BY generation"); grid.step();)
        stamp += "|" + blocksStamp(*m_database, grid.integer(0));
    for (const auto *table : {"points", "mode_sets", "quantised_rows", "kriging_models"}) {
        const auto sum = storedSum(table);
        stamp += "|" + std::to_string(sum.rows) + ":" + std::to_string(sum.checksum);
    }
    return stamp;
}

/// Those that are in memory already stay if they are what the file has: the last one may have been
/// undone, and another one come in its place.
std::vector<StudyFile::Generation> StudyFile::readGenerations(StudyDescription &description) const
{
    std::vector<Generation> generations;
    try {
        for (const auto &row : readGridRows(*m_database)) {
            const auto i = generations.size();
            const auto number = static_cast<std::int64_t>(i);
            description.level = row.level;
            const auto stamp = blocksStamp(*m_database, number);
            if (i < m_generations.size() && m_generations[i].row == row
                && m_generations[i].stamp == stamp
                && m_generations[i].grid->degrees() == description.space.degrees())
                generations.push_back(m_generations[i]);
            else
                generations.push_back(
                    {row, stamp,
                     readGrid(*m_database, number, row, description.space, description.kind)});
        }
    } catch (const Error &error) {
        throwDamaged(error.what());
    }
    if (generations.empty())
        throwDamaged("its grid is missing");
    if (description.design == StudyDesign::scattered) {
        if (description.kind != StudyKind::vector || generations.size() > 1
            || description.level != 1 || storedSum("points").rows > 0 || storedSum("jobs").rows > 0)
            throwDamaged("its runs are said to be scattered, and it has some at points of a grid");
        return generations;
    }
    const auto points = static_cast<std::int64_t>(generations.back().grid->points());
    if (description.kind == StudyKind::vector && storedSum("points").rows != points)
        throwDamaged("its grid has " + std::to_string(points) + " points, and its table of points "
                     + std::to_string(storedSum("points").rows));
    return generations;
}

StudyDesign StudyFile::readDesign() const
{
    auto row = query("SELECT design FROM study WHERE id = 1");
    row.step();
    return row.text(0) == toString(StudyDesign::grid) ? StudyDesign::grid : StudyDesign::scattered;
}

void StudyFile::load()
{
    const ReadTransaction together(*this); // so that a writer cannot change the grid in between
    if (!m_isWriter && m_stamp.empty())
        m_loadedVersion = dataVersion();

    auto description = [&] {
        auto study = query("SELECT kind, title, simulation FROM study WHERE id = 1");
        if (!study.step())
            throwDamaged("its description is missing");
        m_loadedStamp = memoryStamp(); // from here on what is wrong is wrong in the file
        requireDescription();
        try {
            const auto kind = parseStudyKind(study.text(0));
            const ParameterSpace space(readParameterRows(*m_database));
            const auto design = readDesign();
            auto read = std::make_unique<StudyDescription>(
                StudyDescription{study.text(1), kind, space, 1, study.text(2), design});
            requireSensible(*read);
            return read;
        } catch (const Error &error) {
            throwDamaged(error.what());
        }
    }();

    auto generations = readGenerations(*description);
    auto fields = readFields(*this);
    m_description = std::move(description);
    m_generations = std::move(generations);
    m_grid = m_generations.back().grid;
    m_fields = std::move(fields);
    m_pointIds.clear();
    m_pointOfId.clear();
    m_jobPoints.clear();
    m_modalRows.clear();
    m_quantisedRows.clear();
    m_kriging.clear();
}

std::uint64_t StudyFile::pointOfKey(std::span<const std::byte> levels, std::int64_t position) const
{
    const auto d = static_cast<std::size_t>(m_grid->dimension());
    const sparse::LevelVectorView vector(reinterpret_cast<const sparse::Level *>(levels.data()),
                                         levels.size());
    if (vector.size() == d) {
        const auto block = m_grid->findBlock(vector);
        if (block && position >= 0
            && static_cast<std::uint64_t>(position) < m_grid->blockSize(*block))
            return m_grid->blockOffset(*block) + static_cast<std::uint64_t>(position);
    }
    throwDamaged("it names a point that its grid does not have");
}

void StudyFile::loadPointIds() const
{
    if (!m_pointIds.empty() || m_description->design == StudyDesign::scattered)
        return;
    // On the side first: an exception must not leave half a table.
    std::vector<std::int64_t> ids(m_grid->points(), -1);
    std::unordered_map<std::int64_t, std::uint64_t> points;
    points.reserve(ids.size());
    const ReadTransaction together(*this);
    TableSum sum;
    for (auto row = query("SELECT id, levels, position FROM points ORDER BY id"); row.step();) {
        const auto point = pointOfKey(row.blob(1), row.integer(2));
        if (ids[point] >= 0)
            throwDamaged("it names a point of its grid twice");
        ids[point] = row.integer(0);
        points.emplace(row.integer(0), point);
        sum.add(countOfPoint(row.integer(0), row.blob(1), row.integer(2)));
    }
    if (points.size() != ids.size())
        throwDamaged("it lacks points of its grid");
    requireSum("points", sum);
    m_pointIds = std::move(ids);
    m_pointOfId = std::move(points);
}

std::int64_t StudyFile::pointId(std::uint64_t point) const
{
    loadPointIds();
    if (point >= m_pointIds.size())
        throw Error("the study's grid has " + std::to_string(m_pointIds.size())
                    + " points, so there is no point number " + std::to_string(point));
    return m_pointIds[point];
}

std::uint64_t StudyFile::pointOfId(std::int64_t id) const
{
    loadPointIds();
    const auto found = m_pointOfId.find(id);
    if (found == m_pointOfId.end())
        throwDamaged("it names a point that its grid does not have");
    return found->second;
}

void StudyFile::loadJobPoints() const
{
    if (!m_jobPoints.empty())
        return;
    std::vector<std::vector<std::uint64_t>> newPoints(m_generations.size());
    for (std::size_t block = 0; block < m_grid->blocks(); ++block) {
        std::size_t generation = 0;
        while (!m_generations[generation].grid->findBlock(m_grid->levelVector(block)))
            ++generation;
        for (std::uint64_t i = 0; i < m_grid->blockSize(block); ++i)
            newPoints[generation].push_back(m_grid->blockOffset(block) + i);
    }
    std::vector<std::unordered_map<std::uint64_t, std::vector<std::uint64_t>>> jobPoints;
    for (const auto &points : newPoints) {
        jobPoints.emplace_back();
        for (auto &run : groupIntoRuns(m_description->space, *m_grid, points)) {
            const auto first = run.points.front();
            jobPoints.back().emplace(first, std::move(run.points));
        }
    }
    m_jobPoints = std::move(jobPoints);
}

TableSum StudyFile::storedSum(std::string_view table) const
{
    if (m_transactions > 0) // what is stored is of the last commit
        return m_sums.of(table);
    auto row = query("SELECT rows, checksum FROM sums WHERE name = ?");
    if (!row.bind(table).step())
        return {};
    return {row.integer(0), static_cast<std::uint64_t>(row.integer(1))};
}

void StudyFile::requireSum(std::string_view table, const TableSum &sum) const
{
    if (storedSum(table) != sum)
        throwDamaged("rows of its table " + std::string(table) + " are missing or changed");
}

const std::vector<std::uint64_t> &StudyFile::pointsOfJob(std::int64_t generation,
                                                         std::uint64_t firstPoint) const
{
    loadJobPoints();
    if (generation >= 0 && static_cast<std::size_t>(generation) < m_jobPoints.size()) {
        const auto &jobs = m_jobPoints[static_cast<std::size_t>(generation)];
        if (const auto found = jobs.find(firstPoint); found != jobs.end())
            return found->second;
    }
    throwDamaged("one of its jobs has points that its grid does not have");
}

} // namespace gridhelm::data
