// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/plan_table.h"
#include "data/mesh/mesh_handling.h"
#include "data/study/study_types.h"

#include <string_view>

namespace gridhelm::data {

/// A plan's [mesh], or `resample = true` in its [simulation], as older plans have it. Throws
/// PlanError.
MeshHandling readMesh(PlanTable &root, PlanTable &simulation, StudyKind kind,
                      std::string_view source);

} // namespace gridhelm::data
