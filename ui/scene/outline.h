// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkBoundingBox.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

namespace gridhelm::ui {

/// The twelve edges.
vtkSmartPointer<vtkPolyData> linesOfBox(const vtkBoundingBox &box);

/// Edges that one cell alone has.
vtkSmartPointer<vtkPolyData> borderOf(vtkPolyData &surface);

} // namespace gridhelm::ui
