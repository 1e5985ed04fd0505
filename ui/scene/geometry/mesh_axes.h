// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkDataSet.h>

#include <array>
#include <cstddef>
#include <vector>

namespace gridhelm::ui {

/// Coordinates of the points of an image or a rectilinear mesh along x, y and z; point (i, j, k) is
/// number i + strides()[1] j + strides()[2] k.
struct MeshAxes
{
    std::array<std::vector<double>, 3> coordinates; ///< ascending

    bool isEmpty() const { return coordinates[0].empty(); }
    std::array<std::size_t, 3> strides() const
    {
        return {1, coordinates[0].size(), coordinates[0].size() * coordinates[1].size()};
    }
};

/// Empty for other meshes, and for those that are turned, run backwards or have cells left out.
MeshAxes meshAxes(vtkDataSet &mesh);

/// Where a number lies between those of a list.
struct AxisPlace
{
    std::size_t cell = 0;
    double part = 0; ///< of the way to the next one, in [0, 1]
};

AxisPlace placeOnAxis(const std::vector<double> &ascending, double x);

} // namespace gridhelm::ui
