// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/entities_inside.h"

#include "core/support/error.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_coordinates.h"

#include <fmt/format.h>

#include <array>
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

MeshRegion regionOf(const Study &study, const MeshBox &box)
{
    const auto stored = study.mesh();
    if (!stored)
        throw Error(study.path().string()
                    + " has no mesh yet, and so no region of it: make its first runs before");
    const auto mesh = decodeMesh(*stored);
    auto region = entitiesInside(*mesh, box);
    if (region.points.empty() && region.cells.empty()) {
        std::array<double, 6> ends{};
        mesh->GetBounds(ends.data());
        throw Error(
            fmt::format("the region holds nothing of the mesh, which goes from {:g} to {:g} "
                        "along x, {:g} to {:g} along y, {:g} to {:g} along z",
                        ends[0], ends[1], ends[2], ends[3], ends[4], ends[5]));
    }
    return region;
}

} // namespace gridhelm::data
