// SPDX-License-Identifier: GPL-3.0-or-later
//
// The grid that a study had once, for what has become of its error since. Private to data.
#pragma once

#include "data/study/study.h"

#include <vector>

namespace gridhelm::data {

/// The points of the blocks that came first, level sum by level sum before any was chosen
/// (growBlocks()), then in the order in which they were: half of all points, or a block more.
/// Downward-closed, so that their coefficients are a grid's. Of a grid without dense dimensions.
std::vector<bool> olderHalf(const Study &study);

} // namespace gridhelm::data
