// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/store_snapshot.h"

#include "core/support/error.h"
#include "data/study/geometry_fields.h"
#include "data/study/stored_values.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gridhelm::data {

namespace {

/// The snapshot's field gets the offset and scale of this one.
void store(RunSnapshot &snapshot, std::size_t index, const Field &as)
{
    auto &field = snapshot.fields[index];
    if (field.offset == as.offset && field.scale == as.scale)
        return;
    storeAs(as, field, snapshot.values[index]);
    field.offset = as.offset;
    field.scale = as.scale;
    snapshot.packed.clear();
}

/// Of fields that must not be stored less an offset: where a body is, which is asked for by its
/// sign, and all where basis functions vanish at an end of a range, and so the values do.
void storePlainly(RunSnapshot &snapshot, const StudyDescription &study)
{
    const bool vanish = std::ranges::any_of(study.space.parameters(), [](const Parameter &each) {
        return each.usedTreatment() == sparse::BoundaryTreatment::zero;
    });
    const auto geometry = geometryFieldsOf(snapshot.fields).all();
    for (std::size_t i = 0; i < snapshot.fields.size(); ++i)
        if (vanish || std::ranges::find(geometry, i) != geometry.end())
            store(snapshot, i, {});
}

} // namespace

SnapshotStore::SnapshotStore(StudyWriter &writer, MeshFitter fit)
    : m_writer(writer)
    , m_fit(std::move(fit))
    , m_mesh(writer.mesh())
{
}

RunSnapshot SnapshotStore::fitted(RunSnapshot snapshot)
{
    const auto before = snapshot.notes.size();
    auto packed = std::exchange(snapshot.packed, {});
    const auto mesh = packed.empty() ? Mesh() : snapshot.mesh;
    const auto fields = snapshot.fields;
    snapshot = m_fit(m_mesh ? &*m_mesh : nullptr, std::move(snapshot));
    if (snapshot.mesh == mesh && snapshot.fields == fields)
        snapshot.packed = std::move(packed); // else values may be others
    m_notes.insert(snapshot.notes.begin() + static_cast<std::ptrdiff_t>(before),
                   snapshot.notes.end());
    if (!m_mesh) {
        m_writer.setMesh(snapshot.mesh);
        m_mesh = snapshot.mesh;
    }
    if (m_writer.fields().empty()) {
        storePlainly(snapshot, m_writer.description());
        m_writer.addFields(snapshot.fields);
        return snapshot;
    }
    if (geometryFieldsOf(m_writer.fields()).isFixed() && geometryFieldsOf(fields).isFixed()
        && !geometryFieldsOf(snapshot.fields).isFixed())
        throw Error("the study's mesh does not change, as its first results came before the plan's "
                    "[mesh] was written; plan a new study for them");
    std::vector<std::string> names;
    for (const auto &field : m_writer.fields())
        names.push_back(field.name);
    for (const auto &field : snapshot.fields)
        if (std::ranges::find(names, field.name) == names.end())
            m_notes.insert("The field " + field.name
                           + " is left out, for the first result of the study does not have it: "
                             "begin with one that has all fields");
    snapshot = keepFields(std::move(snapshot), names);
    for (std::size_t i = 0; i < snapshot.fields.size(); ++i)
        store(snapshot, i, m_writer.fields()[m_writer.fieldIndex(snapshot.fields[i].name)]);
    return snapshot;
}

std::set<std::string> SnapshotStore::takeNotes()
{
    return std::exchange(m_notes, {});
}

RunSnapshot SnapshotStore::packed(const StudyWriter &writer, RunSnapshot snapshot)
{
    snapshot.packed.clear();
    for (const auto &values : snapshot.values)
        snapshot.packed.push_back(writer.packed(values));
    return snapshot;
}

namespace {

/// Of one of the snapshot's fields.
const PackedParts &packedOf(const RunSnapshot &snapshot, std::size_t field)
{
    static const PackedParts none;
    return snapshot.packed.empty() ? none : snapshot.packed[field];
}

/// Of snapshots with the same fields.
RunSnapshot meanOf(const std::vector<RunSnapshot> &snapshots)
{
    auto mean = snapshots.front();
    mean.packed.clear();
    for (std::size_t i = 0; i < mean.values.size(); ++i) {
        std::vector<double> sums(mean.values[i].size());
        for (const auto &snapshot : snapshots) {
            if (snapshot.fields != mean.fields)
                throw Error("the results of runs with the same parameters have different fields: "
                            "take all but one of them out");
            for (std::size_t k = 0; k < sums.size(); ++k)
                sums[k] += static_cast<double>(snapshot.values[i][k]);
        }
        for (std::size_t k = 0; k < sums.size(); ++k)
            mean.values[i][k] = static_cast<float>(sums[k] / static_cast<double>(snapshots.size()));
    }
    return mean;
}

} // namespace

void SnapshotStore::putPoint(std::uint64_t point, RunSnapshot snapshot)
{
    snapshot = fitted(std::move(snapshot));
    for (std::size_t i = 0; i < snapshot.fields.size(); ++i)
        m_writer.putSnapshot(point, m_writer.addField(snapshot.fields[i]), snapshot.values[i],
                             packedOf(snapshot, i));
}

void SnapshotStore::putHoldOut(const std::vector<double> &parameters, RunSnapshot snapshot)
{
    snapshot = fitted(std::move(snapshot));
    putRun(m_writer.addHoldOut(parameters), snapshot);
}

std::int64_t SnapshotStore::putTrainingRun(const std::vector<double> &parameters,
                                           std::vector<RunSnapshot> snapshots)
{
    for (auto &snapshot : snapshots)
        snapshot = fitted(std::move(snapshot));
    if (snapshots.size() > 1)
        snapshots = {meanOf(snapshots)};
    const auto id = m_writer.addTrainingRun(parameters);
    putRun(id, snapshots.front());
    return id;
}

void SnapshotStore::putRun(std::int64_t id, const RunSnapshot &snapshot)
{
    for (std::size_t i = 0; i < snapshot.fields.size(); ++i)
        m_writer.putHoldOut(id, m_writer.addField(snapshot.fields[i]), snapshot.values[i],
                            packedOf(snapshot, i));
}

} // namespace gridhelm::data
