// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkDataSet.h>
#include <vtkSmartPointer.h>

namespace gridhelm::data {

/// The mesh without its fields, where quadratic cells are linear ones between the same corners.
/// Points and cells keep their numbers.
vtkSmartPointer<vtkDataSet> withLinearCells(vtkDataSet &mesh);

} // namespace gridhelm::data
