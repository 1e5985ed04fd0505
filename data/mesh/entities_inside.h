// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/mesh_region.h"
#include "data/study/study.h"

#include <vtkDataSet.h>

namespace gridhelm::data {

/// Points in the box, and cells whose middle is.
MeshRegion entitiesInside(vtkDataSet &mesh, const MeshBox &box);

/// Of the study's mesh. Throws gridhelm::Error if there is none yet, or nothing of it in the box.
MeshRegion regionOf(const Study &study, const MeshBox &box);

} // namespace gridhelm::data
