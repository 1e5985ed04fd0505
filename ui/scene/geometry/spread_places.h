// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"
#include "ui/scene/geometry/mesh_shape.h"

#include <vector>

namespace gridhelm::ui {

/// Points of a mesh, or its cells, about evenly spread over it.
struct SpreadPlaces
{
    std::vector<vtkIdType> entities;           ///< of the mesh
    std::vector<std::array<double, 3>> places; ///< of each, a cell's in its middle
    double distance = 1;                       ///< between neighbours, about
};

/// About `count` (at least 1) of them: one in each box of a regular grid, that nearest to the box's
/// middle. Boxes in which the mesh has nothing give none.
SpreadPlaces spreadOver(vtkDataSet &mesh, const MeshShape &shape, data::Association association,
                        int count);

} // namespace gridhelm::ui
