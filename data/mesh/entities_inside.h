// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/mesh_region.h"

#include <vtkDataSet.h>

namespace gridhelm::data {

/// Points in the box, and cells whose middle is.
MeshRegion entitiesInside(vtkDataSet &mesh, const MeshBox &box);

} // namespace gridhelm::data
