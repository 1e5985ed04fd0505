// SPDX-License-Identifier: GPL-3.0-or-later
//
// Patches and regions of a mesh, as files tell them: by a field whose values are their numbers
// ("patch", "GroupIds", "CellEntityIds").
#pragma once

#include "data/answers/response_samples.h"
#include "data/study/study.h"

namespace gridhelm::data {

/// The place with its entities, if it is a numbered one; any other as it is. Reads the field in up
/// to three of the study's states. Throws gridhelm::Error for a field that there is not, that has
/// no run yet, several components or other than whole numbers, for one that is not the same in
/// these states, and for numbers that nothing has.
MeshPlace placeOnMesh(const Study &study, const answers::ResponsePlace &place);

} // namespace gridhelm::data
