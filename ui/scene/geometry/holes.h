// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures of a body that covers a part of its mesh alone: what is drawn is cut off where the
// signed distance (of each point of the mesh, under the name `distanceArray`) is negative.
#pragma once

#include <vtkAlgorithm.h>
#include <vtkSmartPointer.h>

namespace gridhelm::ui {

inline constexpr const char *distanceArray = "signed distance";

/// Polygonal data, cut off exactly where the interpolated distance is 0.
vtkSmartPointer<vtkAlgorithm> withoutHoles(vtkAlgorithm &source);

/// Where the distance is 0: lines of flat meshes, faces of solid ones, with the other values of
/// points on them.
vtkSmartPointer<vtkAlgorithm> wallsOf(vtkAlgorithm &source);

/// Both, as polygonal data.
vtkSmartPointer<vtkAlgorithm> joined(vtkAlgorithm &one, vtkAlgorithm &other);

} // namespace gridhelm::ui
