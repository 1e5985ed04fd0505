// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/sampled_job.h"

#include "core/support/error.h"

#include <utility>

namespace gridhelm::data {

Place placeOf(const ParameterSpace &space, std::span<const double> values)
{
    Place place{};
    std::size_t axis = 0;
    for (auto t : space.spatial())
        place.at(axis++) = values[t];
    return place;
}

void SampledJob::add(const RunSnapshot &snapshot, std::span<const Place> places,
                     std::span<const std::size_t> positions)
{
    auto sampled = sampleSnapshot(snapshot, places);
    if (m_fields.empty()) {
        m_mesh = snapshot.mesh;
        m_fields = std::move(sampled.fields);
        m_values.assign(m_fields.size(), std::vector<float>(m_points));
    } else if (sampled.fields != m_fields || snapshot.mesh != m_mesh) {
        throw Error("the snapshots of the run differ in their fields or mesh; let all be alike");
    }
    for (std::size_t f = 0; f < m_values.size(); ++f) {
        for (std::size_t i = 0; i < positions.size(); ++i)
            m_values[f][positions[i]] = sampled.values[f][i];
    }
}

void SampledJob::store(StudyWriter &writer, JobId id) const
{
    writer.setMesh(m_mesh);
    std::vector<FieldIndex> fields;
    for (const auto &field : m_fields)
        fields.push_back(writer.addField(field));
    for (std::size_t f = 0; f < fields.size(); ++f)
        writer.putScalarValues(id, fields[f], m_values[f]);
}

void storeSampledHoldOuts(StudyWriter &writer, const std::vector<std::vector<double>> &places,
                          const RunSnapshot &snapshot)
{
    const auto mesh = writer.mesh();
    if (mesh && *mesh != snapshot.mesh)
        throw Error("Its mesh is not that of the study; let all runs use one mesh");
    const ParameterSpace space = writer.description().space;
    std::vector<Place> inSpace;
    for (const auto &parameters : places)
        inSpace.push_back(placeOf(space, parameters));
    const auto sampled = sampleSnapshot(snapshot, inSpace);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto id = writer.addHoldOut(places[i]);
        for (std::size_t f = 0; f < sampled.fields.size(); ++f)
            writer.putHoldOut(id, writer.addField(sampled.fields[f]),
                              std::span(sampled.values[f]).subspan(i, 1));
    }
}

} // namespace gridhelm::data
