// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/geometry/slice_plane.h"
#include "ui/scene/geometry/value_source.h"

#include <vtkCutter.h>
#include <vtkDataSet.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <vector>

namespace gridhelm::ui {

/// A plane through a mesh that does not move. It is cut once: new values cost what the slice shows,
/// however large the mesh is.
struct SliceSurface
{
    vtkSmartPointer<vtkPolyData> polygons; ///< without values
    std::vector<ValueSource> vertices;     ///< of points of the mesh
    std::vector<vtkIdType> cells;          ///< of each cell of `polygons`, that of the mesh
};

enum class SliceCells { unknown, known };

/// Across an axis of an image or a rectilinear mesh, without a look at the rest of it. Of any other
/// plane and mesh: each vertex is looked for on the edges of the mesh; if one lies on none of them
/// (VTK divides some cells first), `vertices` is empty. `cells` is filled only if they are to be
/// known, and empty if one is not found.
SliceSurface sliceSurface(vtkDataSet &mesh, const SlicePlane &plane, SliceCells cells);

/// What VTK cuts itself, again for all new values: for a mesh that moves.
vtkSmartPointer<vtkCutter> cutterOf(const SlicePlane &plane);

} // namespace gridhelm::ui
