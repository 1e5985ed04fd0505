// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/study_writer.h"

#include "data/study/compact_file.h"
#include "data/study/mesh_store.h"
#include "data/study/row_checksums.h"
#include "data/study/study_limits.h"
#include "data/study/table_access.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace gridhelm::data {

// ---- opening and closing ------------------------------------------------------------------------

StudyWriter::StudyWriter(std::unique_ptr<StudyFile> file, WriterLock lock)
    : Study(std::move(file))
    , m_lock(std::move(lock))
{
}

StudyWriter StudyWriter::create(const std::filesystem::path &path,
                                const StudyDescription &description, const std::stop_token &stop)
{
    if (description.design == StudyDesign::scattered
        && (description.kind != StudyKind::vector || description.level != 1))
        throw Error("a study of scattered runs is one of snapshots, and its grid of level 1");
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
        m_lock = std::move(other.m_lock);
        Study::operator=(std::move(other));
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

void StudyWriter::setHasty(bool isHasty)
{
    m_file->setHasty(isHasty);
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
    // Each snapshot asks for its fields, which are there but for the first one.
    if (const auto known = std::ranges::find(fields(), field); known != fields().end())
        return static_cast<FieldIndex>(known - fields().begin());
    addFields({&field, 1});
    return fields().size() - 1;
}

void StudyWriter::addFields(std::span<const Field> added)
{
    inTransaction(*m_file, [&] {
        std::map<std::string_view, const Field *> known;
        for (const auto &field : fields())
            known.emplace(field.name, &field);
        for (const char *sql :
             {"SELECT 1 FROM snapshots LIMIT 1", "SELECT 1 FROM coefficients LIMIT 1",
              "SELECT 1 FROM scalar_values LIMIT 1"}) {
            if (!added.empty() && m_file->query(sql).step())
                throw Error("field " + added.front().name
                            + " comes too late: the study has snapshots without it; make a new "
                              "study");
        }
        auto next = static_cast<std::int64_t>(fields().size());
        for (const auto &field : added) {
            const auto [there, isNew] = known.emplace(field.name, &field);
            if (!isNew)
                throw Error("field " + field.name + " has " + std::to_string(field.values())
                            + " values of " + std::to_string(field.components)
                            + " components, and the study's has "
                            + std::to_string(there->second->values()) + " of "
                            + std::to_string(there->second->components)
                            + " (or its unit or association differs): all snapshots must be alike");
            requireSensible(field);
            if (description().kind == StudyKind::scalar && field.values() != 1)
                throw Error("field " + field.name + " has " + std::to_string(field.values())
                            + " values: in a scalar study every grid point has one");
            m_file
                ->query("INSERT INTO fields (id, name, unit, components, association, entities, "
                        "value_offset, value_scale) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
                .bind(next++)
                .bind(std::string_view(field.name))
                .bind(std::string_view(field.unit))
                .bind(field.components)
                .bind(toString(field.association))
                .bind(field.entities)
                .bind(field.offset)
                .bind(field.scale)
                .run();
        }
        m_file->updateChecksum();
        m_file->load();
    });
}

void StudyWriter::setSimulation(const std::string &simulation)
{
    auto changed = description();
    changed.simulation = simulation;
    requireSensible(changed);
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
    auto changed = description();
    changed.title = title;
    requireSensible(changed);
    inTransaction(*m_file, [&] {
        m_file->query("UPDATE study SET title = ? WHERE id = 1")
            .bind(std::string_view(title))
            .run();
        m_file->updateChecksum();
        m_file->load();
    });
}

bool StudyWriter::compact(const std::function<bool(double)> &progress)
{
    return compactFile(*m_file, progress);
}

std::string StudyWriter::compactIfWorthwhile(double unused)
{
    const auto number = [&](const char *pragma) {
        return m_file->guarded([&] { return m_file->database().execAndGet(pragma).getInt64(); });
    };
    try {
        const auto free = number("PRAGMA freelist_count"), all = number("PRAGMA page_count");
        if (static_cast<double>(free) >= unused * static_cast<double>(all))
            compact();
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

// ---- growing ------------------------------------------------------------------------------------

std::uint64_t StudyWriter::growGrid(int level, std::span<const int> caps,
                                    const std::stop_token &stop)
{
    if (description().design == StudyDesign::scattered)
        throw Error(path().string()
                    + " is a study of scattered runs, which has no grid that could grow: import "
                      "more runs");
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
