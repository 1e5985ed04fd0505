// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"

#include <vtkDataSet.h>

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::data {

/// Volume of each cell (area, length: of those of the highest dimension in the mesh; 0 of the
/// others), or of what is around each point: an equal share of each of its cells. In the order of
/// fields; not negative, also where cells are turned inside out.
std::vector<double> entityVolumes(vtkDataSet &data, Association of);
/// The same of these cells alone, as if there were no others: of the highest dimension among them.
std::vector<double> entityVolumes(vtkDataSet &data, Association of,
                                  std::span<const std::size_t> cells);
/// Of a mesh as a study keeps it. Throws gridhelm::Error if it is damaged.
std::vector<double> entityVolumes(const Mesh &mesh, Association of);

} // namespace gridhelm::data
