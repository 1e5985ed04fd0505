// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/entities_inside.h"

#include "data/mesh/mesh_coordinates.h"

#include <cstdint>
#include <vector>

namespace gridhelm::data {
namespace {

std::vector<std::uint32_t> thoseInside(const std::vector<double> &places, const MeshBox &box)
{
    std::vector<std::uint32_t> inside;
    for (std::size_t i = 0; 3 * i < places.size(); ++i) {
        bool isInside = true;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double x = places[3 * i + axis];
            isInside = isInside && x >= box.low[axis] && x <= box.high[axis];
        }
        if (isInside)
            inside.push_back(static_cast<std::uint32_t>(i));
    }
    return inside;
}

} // namespace

MeshRegion entitiesInside(vtkDataSet &mesh, const MeshBox &box)
{
    return {thoseInside(placesOfPoints(mesh), box), thoseInside(placesOfCells(mesh), box)};
}

} // namespace gridhelm::data
