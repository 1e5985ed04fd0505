// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/field_at_places.h"

#include "core/support/error.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_motion.h"
#include "data/mesh/mesh_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

namespace gridhelm::data {

std::vector<double> fieldAtPlaces(const Mesh &mesh, const GeometryValues &geometry,
                                  const Field &field, std::span<const float> stored,
                                  std::span<const double> places)
{
    if (field.components != 1)
        throw Error(fmt::format("{} has {} components, and a solver's field has one: choose "
                                "another field",
                                field.name, field.components));
    const auto data = decodeMesh(mesh);
    std::optional<MovingNodes> nodes;
    if (!geometry.displacement.empty()) {
        nodes.emplace(*data);
        nodes->move(geometry.displacement);
    }
    // Neighbours of cells take longer to find than the cells, and values at nodes need none.
    const auto between =
        field.association == Association::cell ? CellValues::linear : CellValues::constant;
    const MeshProbe probe(*data, places, OutsideMesh::empty, between);
    const auto sampled = probe.sample(field, stored);
    std::vector<float> distance;
    if (!geometry.distance.empty())
        distance = probe.sample({"", "", 1, Association::point, geometry.distance.size()},
                                geometry.distance);
    for (std::size_t i = 0; i < sampled.size(); ++i) {
        const bool isInBody = distance.empty() || distance[i] >= 0;
        if (std::isfinite(sampled[i]) && isInBody)
            continue;
        throw Error(fmt::format("{} has no value at {:.6g}, {:.6g}, {:.6g}, where the solver's "
                                "grid has an unknown: choose a grid inside of its mesh",
                                field.name, places[3 * i], places[3 * i + 1], places[3 * i + 2]));
    }
    std::vector<double> values(sampled.size());
    std::ranges::transform(sampled, values.begin(),
                           [&](float stored) { return field.valueOf(stored); });
    return values;
}

} // namespace gridhelm::data
