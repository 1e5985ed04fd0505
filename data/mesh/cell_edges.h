// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkDataSet.h>

#include <array>
#include <cstdint>
#include <vector>

namespace gridhelm::data {

using MeshEdge = std::array<std::array<double, 3>, 2>;

/// The edges of a cell, where its points are now; curved ones as several straight ones. None of a
/// vertex, and of a cell with more points than could be told apart.
std::vector<MeshEdge> cellEdges(vtkDataSet &mesh, std::uint64_t cell);

} // namespace gridhelm::data
