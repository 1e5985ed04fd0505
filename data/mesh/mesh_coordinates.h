// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the values of fields are in space, for what knows no VTK.
#pragma once

#include <vtkDataSet.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gridhelm::data {

/// x, y, z of each point, in the order of fields at points.
std::vector<double> placesOfPoints(vtkDataSet &mesh);

/// x, y, z of the middle of each cell, in the order of fields in cells; NaN for an empty one.
std::vector<double> placesOfCells(vtkDataSet &mesh);

/// Points along x, y and z (x fastest), if the mesh is a grid.
std::optional<std::array<std::int64_t, 3>> gridDimensions(vtkDataSet &mesh);

} // namespace gridhelm::data
