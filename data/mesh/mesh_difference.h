// SPDX-License-Identifier: GPL-3.0-or-later
//
// In what two meshes differ, as sentences for the user about the second one; empty if in nothing.
#pragma once

#include "data/study/study_types.h"

#include <vtkDataSet.h>

#include <string>

namespace gridhelm::data {

/// The numbers of points, then of cells.
std::string differenceOfCounts(const Mesh &expected, const Mesh &other);

/// The first cell that is of another type, or joins other points. Both have as many cells.
std::string differenceOfCells(vtkDataSet &expected, vtkDataSet &other);

} // namespace gridhelm::data
