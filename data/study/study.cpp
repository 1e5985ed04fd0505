// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/study.h"

#include "data/study/mesh_store.h"
#include "data/study/study_file.h"

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

std::string Study::created() const
{
    return m_file->guarded([&] {
        auto study = m_file->query("SELECT created FROM study WHERE id = 1");
        return study.step() ? study.text(0) : std::string();
    });
}

} // namespace gridhelm::data
