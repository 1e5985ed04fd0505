// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/place_probe.h"

#include "data/mesh/mesh_codec.h"

#include <vtkPointSet.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace gridhelm::cli {

PlaceProbe::PlaceProbe(const StudyEvaluation &study, std::vector<double> places)
    : m_places(std::move(places))
    , m_data(data::decodeMesh(*study.mesh()))
{
    if (study.geometryFields().displacement)
        m_nodes = std::make_unique<data::MovingNodes>(*vtkPointSet::SafeDownCast(m_data));
    else
        m_probe = std::make_unique<const data::MeshProbe>(*m_data, m_places);
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

std::vector<float> PlaceProbe::sample(const data::Field &field, std::span<const float> values) const
{
    auto sampled = m_probe->sample(field, values);
    const auto components = static_cast<std::size_t>(field.components);
    for (std::size_t i = 0; i < m_distance.size(); ++i)
        if (m_distance[i] < 0)
            std::fill_n(sampled.begin() + static_cast<std::ptrdiff_t>(i * components), components,
                        std::numeric_limits<float>::quiet_NaN());
    return sampled;
}

} // namespace gridhelm::cli
