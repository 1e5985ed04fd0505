// SPDX-License-Identifier: GPL-3.0-or-later
//
// Groups of a quantised row, decoded in registers and added to sums.
#pragma once

#include "core/codec/quantised_row.h"

#include <cstddef>

namespace gridhelm::codec {

/// target[i] += weight * value i of the groups, for whole groups: codes are multiplied by weight
/// times step.
void addQuantised(const QuantisedGroups &groups, float weight, float *target);

/// The same with two weights into two targets, each code read once.
void addQuantisedTwice(const QuantisedGroups &groups, float weight, float *target,
                       float otherWeight, float *otherTarget);

} // namespace gridhelm::codec
