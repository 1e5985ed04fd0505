// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a study can hold, whoever says so. Private to data.
#pragma once

#include "core/sparse/sparse_grid.h"
#include "data/study/study_types.h"

namespace gridhelm::data {

/// Throws gridhelm::Error for texts that are too long.
void requireSensible(const StudyDescription &description);
/// Throws gridhelm::Error for a field without a name, with too long a one, or of an impossible
/// size.
void requireSensible(const Field &field);
/// Points and jobs of vector studies have a row each; beyond this a study would be a list of them.
/// Throws gridhelm::Error.
void requireSensible(const sparse::GridCount &count, StudyKind kind);

} // namespace gridhelm::data
