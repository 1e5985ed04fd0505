// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/page/page_mesh.h"

#include <vtkDataSet.h>

namespace gridhelm::data {

/// Of a mesh that the maker keeps. Its surface is VTK's, of linear cells between the corners of
/// quadratic ones.
PageMesh pageMesh(vtkDataSet &mesh, std::size_t mostPoints);

} // namespace gridhelm::data
