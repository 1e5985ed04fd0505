// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/store_snapshot.h"

#include "core/support/error.h"
#include "data/study/geometry_fields.h"

#include <string>
#include <utility>

namespace gridhelm::data {

SnapshotStore::SnapshotStore(StudyWriter &writer, MeshFitter fit)
    : m_writer(writer)
    , m_fit(std::move(fit))
    , m_mesh(writer.mesh())
{
}

RunSnapshot SnapshotStore::fitted(RunSnapshot snapshot)
{
    const auto before = snapshot.notes.size();
    snapshot = m_fit(m_mesh ? &*m_mesh : nullptr, std::move(snapshot));
    m_notes.insert(snapshot.notes.begin() + static_cast<std::ptrdiff_t>(before),
                   snapshot.notes.end());
    if (!m_mesh) {
        m_writer.setMesh(snapshot.mesh);
        m_mesh = snapshot.mesh;
    }
    if (m_writer.fields().empty()) {
        for (const auto &field : snapshot.fields)
            m_writer.addField(field);
        return snapshot;
    }
    if (geometryFieldsOf(m_writer.fields()).isFixed()
        && !geometryFieldsOf(snapshot.fields).isFixed())
        throw Error("the study's mesh does not change, as its first results came before the plan's "
                    "[mesh] was written; plan a new study for them");
    std::vector<std::string> names;
    for (const auto &field : m_writer.fields())
        names.push_back(field.name);
    return keepFields(std::move(snapshot), names);
}

std::set<std::string> SnapshotStore::takeNotes()
{
    return std::exchange(m_notes, {});
}

void SnapshotStore::putPoint(std::uint64_t point, RunSnapshot snapshot)
{
    snapshot = fitted(std::move(snapshot));
    for (std::size_t i = 0; i < snapshot.fields.size(); ++i)
        m_writer.putSnapshot(point, m_writer.addField(snapshot.fields[i]), snapshot.values[i]);
}

void SnapshotStore::putHoldOut(const std::vector<double> &parameters, RunSnapshot snapshot)
{
    snapshot = fitted(std::move(snapshot));
    const auto id = m_writer.addHoldOut(parameters);
    for (std::size_t i = 0; i < snapshot.fields.size(); ++i)
        m_writer.putHoldOut(id, m_writer.addField(snapshot.fields[i]), snapshot.values[i]);
}

} // namespace gridhelm::data
