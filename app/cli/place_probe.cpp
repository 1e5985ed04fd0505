// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/place_probe.h"

#include "data/mesh/mesh_codec.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gridhelm::cli {

PlaceProbe::PlaceProbe(const StudyEvaluation &study, vtkDataSet &mesh, std::vector<double> places)
    : m_places(std::move(places))
{
    if (!study.geometryFields().displacement) {
        m_probe = std::make_unique<const data::MeshProbe>(mesh, m_places);
        return;
    }
    m_data = data::decodeMesh(*study.mesh());
    m_nodes = std::make_unique<data::MovingNodes>(*m_data);
}

void PlaceProbe::follow(const EvaluatedFields &result)
{
    if (m_nodes) {
        m_nodes->move(result.geometry.displacement);
        m_probe =
            std::make_unique<const data::MeshProbe>(*m_data, m_places, data::OutsideMesh::empty);
    }
    const auto &distance = result.geometry.distance;
    if (!distance.empty())
        m_distance =
            m_probe->sample({"", "", 1, data::Association::point, distance.size()}, distance);
}

std::vector<std::uint32_t> PlaceProbe::columnsOf(const data::Field &field) const
{
    std::vector<std::uint32_t> columns;
    for (std::size_t place = 0; m_probe && place < m_probe->places(); ++place)
        for (const auto &share : m_probe->sharesAt(place, field.association))
            for (int c = 0; c < field.components; ++c)
                columns.push_back(static_cast<std::uint32_t>(
                    share.entity * static_cast<std::size_t>(field.components)
                    + static_cast<std::size_t>(c)));
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
}

std::vector<float> PlaceProbe::sample(const data::Field &field, std::span<const float> values) const
{
    auto sampled = m_probe->sample(field, values);
    data::fillOutside(m_distance, sampled, std::numeric_limits<float>::quiet_NaN());
    return sampled;
}

} // namespace gridhelm::cli
