// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far kriging is off at its own runs, where a tenth of them at a time has no part in it: what a
// band is calibrated by where there are no hold-outs (docs/theory/error-bounds.md).
#pragma once

#include "core/surrogate/error_band.h"
#include "data/evaluate/field_anywhere.h"
#include "data/study/study.h"

#include <stop_token>
#include <vector>

namespace gridhelm::data {

/// Simulations that are enough to leave a tenth of them out ten times.
inline constexpr std::size_t leastCrossValidated = 20;
/// Snapshots beyond which ten fits take minutes.
inline constexpr std::size_t mostCrossValidated = 500;

/// Root mean squares of error and indicator at the runs that the field's kriging was fitted to, one
/// entry for each simulation: that of its time with the largest score (scoreOf() with `floor`). All
/// that is chosen for the field's kriging (kernel, mean, warping, lengths) is chosen for each tenth
/// again; only its modes stay. Empty for fewer simulations than leastCrossValidated, for more
/// snapshots than mostCrossValidated, if a tenth cannot be fitted, and if it was stopped.
std::vector<HeldOutError> crossValidate(const Study &study, FieldIndex field,
                                        const FieldKriging &kriging, const FieldAnywhere &surrogate,
                                        double floor, const ExecutionContext &context,
                                        const std::stop_token &stop);

} // namespace gridhelm::data
