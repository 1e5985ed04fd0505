// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is kept in memory of a study: its description, its grids and fields, and which rows belong
// to which points.
#include "core/support/checked_math.h"
#include "data/study/beside_study.h"
#include "data/study/study_file.h"
#include "data/study/study_limits.h"

#include <algorithm>
#include <array>
#include <charconv>

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

std::vector<int> parseCaps(const std::string &text)
{
    std::vector<int> caps;
    const char *next = text.data(), *end = text.data() + text.size();
    while (next < end) {
        int cap = 0;
        const auto result = std::from_chars(next, end, cap);
        if (result.ec != std::errc{} || (result.ptr != end && *result.ptr != ','))
            throw Error("a level cap is no number");
        caps.push_back(cap);
        next = result.ptr == end ? end : result.ptr + 1;
    }
    return caps;
}

StudyKind parseStudyKind(const std::string &text)
{
    for (auto kind : {StudyKind::vector, StudyKind::scalar}) {
        if (text == toString(kind))
            return kind;
    }
    throw Error("there is no kind of study \"" + text + "\"");
}

Association parseAssociation(const std::string &text)
{
    for (auto association : {Association::point, Association::cell}) {
        if (text == toString(association))
            return association;
    }
    throw Error("values can belong to points and cells only");
}

/// Throw gridhelm::Error for what no study has.
std::vector<Parameter> readParameterRows(const StudyFile &file)
{
    std::vector<Parameter> parameters;
    for (auto row = file.query("SELECT name, unit, low, high, scale, kind, treatment, level_cap "
                               "FROM parameters ORDER BY dimension");
         row.step();) {
        Parameter parameter;
        parameter.name = row.text(0);
        parameter.unit = row.text(1);
        parameter.low = row.real(2);
        parameter.high = row.real(3);
        parameter.scale = parseParameterScale(row.text(4));
        parameter.kind = parseParameterKind(row.text(5));
        if (!row.isNull(6))
            parameter.treatment = sparse::parseBoundaryTreatments(row.text(6), 1).front();
        if (!row.isNull(7))
            parameter.levelCap = narrow<int>(row.integer(7));
        parameters.push_back(parameter);
    }
    return parameters;
}

std::vector<Field> readFields(const StudyFile &file)
{
    std::vector<Field> fields;
    for (auto row =
             file.query("SELECT id, name, unit, components, association, entities FROM fields "
                        "ORDER BY id");
         row.step();) {
        try {
            Field field;
            field.name = row.text(1);
            field.unit = row.text(2);
            field.components = narrow<int>(row.integer(3));
            field.association = parseAssociation(row.text(4));
            field.entities = narrow<std::uint64_t>(row.integer(5));
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
    for (auto study = query("SELECT compatible_version, kind, title, simulation, program, created "
                            "FROM study WHERE id = 1");
         study.step();) {
        for (int column = 0; column < 6; ++column)
            add(study.text(column));
    }
    for (auto parameter = query("SELECT dimension, name, unit, low, high, scale, kind, treatment, "
                                "level_cap FROM parameters ORDER BY dimension");
         parameter.step();) {
        for (int column : {0, 1, 2})
            add(parameter.text(column));
        for (int column : {3, 4})
            add(exactText(parameter.real(column)));
        for (int column : {5, 6, 7, 8})
            add(parameter.isNull(column) ? "none" : parameter.text(column));
    }
    for (auto grid = query("SELECT generation, level, caps, points, blocks FROM grids "
                           "ORDER BY generation");
         grid.step();) {
        for (int column = 0; column < 5; ++column)
            add(grid.text(column));
    }
    for (auto field = query("SELECT id, name, unit, components, association, entities FROM fields "
                            "ORDER BY id");
         field.step();) {
        for (int column = 0; column < 6; ++column)
            add(field.text(column));
    }
    return text;
}

std::int64_t StudyFile::descriptionChecksum() const
{
    const auto text = checksummedText();
    return checksum({}, std::as_bytes(std::span(text)));
}

void StudyFile::requireDescription() const
{
    auto study = query("SELECT checksum FROM study WHERE id = 1");
    if (!study.step() || study.integer(0) != descriptionChecksum())
        throwDamaged("the checksum of its description does not match");
}

void StudyFile::updateChecksum()
{
    const auto value = descriptionChecksum();
    query("UPDATE study SET checksum = ?1 WHERE id = 1").bind(value).run();
}

void StudyFile::reload()
{
    if (!m_stamp.empty() && stampOf(resolvedPath(m_path)) != m_stamp)
        openToRead();
    requireVersion();
    load();
}

void StudyFile::load()
{
    const ReadTransaction together(*this); // so that a writer cannot change the grid in between

    auto description = [&] {
        auto study = query("SELECT kind, title, simulation, checksum FROM study WHERE id = 1");
        if (!study.step())
            throwDamaged("its description is missing");
        requireDescription();
        try {
            return std::make_unique<StudyDescription>(
                StudyDescription{study.text(1), parseStudyKind(study.text(0)),
                                 ParameterSpace(readParameterRows(*this)), 1, study.text(2)});
        } catch (const Error &error) {
            throwDamaged(error.what());
        }
    }();

    std::vector<std::shared_ptr<const sparse::SparseGrid>> generations;
    for (auto row = query("SELECT level, caps, points, blocks FROM grids ORDER BY generation");
         row.step();) {
        try {
            description->level = narrow<int>(row.integer(0));
        } catch (const Error &error) {
            throwDamaged(error.what());
        }
        const auto generation = generations.size();
        const bool isKnown =
            generation < m_generations.size()
            && m_generations[generation]->points() == static_cast<std::uint64_t>(row.integer(2));
        if (isKnown) {
            generations.push_back(m_generations[generation]);
            continue;
        }
        // Counted before it is made: a wrong level asks for any amount of memory.
        const auto grid = [&] {
            try {
                const auto shape = description->space.withLevelCaps(parseCaps(row.text(1)))
                                       .shape(description->level);
                const auto count = sparse::countGrid(shape);
                if (count.points != static_cast<std::uint64_t>(row.integer(2))
                    || count.blocks != static_cast<std::uint64_t>(row.integer(3)))
                    throw Error("its grid has another number of points than it says");
                requireSensible(count, description->kind);
                return std::make_shared<const sparse::SparseGrid>(shape);
            } catch (const Error &error) {
                throwDamaged(error.what());
            }
        }();
        generations.push_back(grid);
    }
    if (generations.empty())
        throwDamaged("its grid is missing");

    auto fields = readFields(*this);
    m_description = std::move(description);
    m_generations = std::move(generations);
    m_grid = m_generations.back();
    m_fields = std::move(fields);
    m_pointIds.clear();
    m_pointOfId.clear();
    m_jobPoints.clear();
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
    if (!m_pointIds.empty())
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
        while (!m_generations[generation]->findBlock(m_grid->levelVector(block)))
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

void StudyFile::requireSum(std::string_view table, const TableSum &sum) const
{
    if (m_transactions > 0) { // what is stored is of the last commit
        if (m_sums.of(table) != sum)
            throwDamaged("rows of its table " + std::string(table) + " are missing or changed");
        return;
    }
    auto row = query("SELECT rows, checksum FROM sums WHERE name = ?");
    row.bind(table);
    const bool isStored = row.step();
    const TableSum stored =
        isStored ? TableSum{row.integer(0), static_cast<std::uint64_t>(row.integer(1))}
                 : TableSum{};
    if (stored != sum)
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
