// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkBoundingBox.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

namespace gridhelm::ui {

/// The twelve edges; bit t of a point's number: whether it is at the upper end of axis t.
vtkSmartPointer<vtkPolyData> linesOfBox(const vtkBoundingBox &box);

} // namespace gridhelm::ui
