// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/surrogate/surrogate.h"
#include "data/study/study.h"

#include <memory>

namespace gridhelm::data {

/// What maps the parameters of a vector study, in the unit cube, to weights over the rows that are
/// stored for a field. Throws gridhelm::Error if there is no such field. `study` is not needed
/// afterwards.
std::shared_ptr<const Surrogate> surrogateOf(const Study &study, FieldIndex field);

/// Levels of the grid, the coarsest first, of which every point has coefficients of the field.
int completeGroups(const Study &study, FieldIndex field);

/// Weights over the first `groups` groups of which the rows of the last complete one are the
/// indicator's: where finer levels have been added and not been run yet, theirs would be 0 (or some
/// part of it) anywhere. As they are if all of `groups` are complete, or none.
SparseWeights withCompleteIndicator(SparseWeights weights, const Surrogate &surrogate, int groups,
                                    int complete);

} // namespace gridhelm::data
