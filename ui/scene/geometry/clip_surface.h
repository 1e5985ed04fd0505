// SPDX-License-Identifier: GPL-3.0-or-later
//
// Half of a body is cut away, so that one sees the inside.
#pragma once

#include "ui/scene/geometry/outer_surface.h"
#include "ui/scene/geometry/slice_surface.h"

#include <vtkAlgorithm.h>
#include <vtkPlane.h>
#include <vtkSmartPointer.h>

namespace gridhelm::ui {

struct ClipPlane
{
    SlicePlane plane;
    bool isInverted = false; ///< what lies in the direction of the plane's normal is kept, and else
                             ///< what lies on the other side
};

/// Positive on the side that is kept.
vtkSmartPointer<vtkPlane> planeOf(const ClipPlane &clip);

/// What is kept of the outer surface of a mesh that does not move, and the plane's part in the mesh
/// that closes it. It is cut once, as a slice is. `vertices` is empty if the slice's are.
SliceSurface clippedSurface(vtkDataSet &mesh, const OuterSurface &surface, const ClipPlane &clip,
                            SliceCells cells);

/// What is kept of polygons, as VTK cuts them again whenever they change.
vtkSmartPointer<vtkAlgorithm> clipped(vtkAlgorithm &polygons, const ClipPlane &clip);

} // namespace gridhelm::ui
