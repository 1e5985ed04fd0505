// SPDX-License-Identifier: GPL-3.0-or-later
//
// A part of a mesh, for what knows no VTK.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace gridhelm::data {

/// Entities of a study's mesh, ascending. A field has values at points or in cells: those count.
struct MeshRegion
{
    std::vector<std::uint32_t> points, cells;
};

/// Along x, y and z, from low to high; infinite ones are no limit.
struct MeshBox
{
    std::array<double, 3> low, high;
};

} // namespace gridhelm::data
