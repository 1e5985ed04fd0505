// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures whose nodes stand elsewhere than in the mesh: points of the mesh and of its surface have
// how far they are moved, three numbers, under the name `warpArray`.
#pragma once

#include <vtkAlgorithm.h>
#include <vtkDataSet.h>
#include <vtkSmartPointer.h>

#include <array>

namespace gridhelm::ui {

inline constexpr const char *warpArray = "warp";

/// Polygonal data, moved; where the array is missing, as it was.
vtkSmartPointer<vtkAlgorithm> warped(vtkAlgorithm &source);

/// Where a place on what is drawn was before it was moved. `part` and `local` say where it is in
/// the cell, as VTK does.
std::array<double, 3> unwarped(vtkDataSet &drawn, vtkIdType cell, int part,
                               const std::array<double, 3> &local,
                               const std::array<double, 3> &place);

} // namespace gridhelm::ui
