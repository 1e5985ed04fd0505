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
/// What each entity weighs in norms of fields, above 0: volumes, areas and lengths, each as parts
/// of their total in the mesh, so that shells beside solids count, too; vertices weigh the same.
/// What has no size (a flat cell, a point of no cell) weighs as the others do in the mean. Throws
/// gridhelm::Error if the mesh is damaged.
std::vector<double> entityWeights(const Mesh &mesh, Association of);

} // namespace gridhelm::data
