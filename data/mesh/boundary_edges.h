// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

namespace gridhelm::data {

/// Edges that belong to one face (polygon) alone, with the points that they name, without any
/// values.
vtkSmartPointer<vtkPolyData> boundaryEdges(vtkPolyData &surface);

} // namespace gridhelm::data
