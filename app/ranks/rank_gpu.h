// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/ranks.h"

#include <string>

namespace gridhelm::app {

/// The GPU that this rank computes on, as --devices has it ("gpu:1"): ranks of one machine take its
/// GPUs in turn, so that with more ranks than GPUs some share one. Collective; throws
/// gridhelm::Error, on all of them, if a rank's machine has none.
std::string gpuOfRank(Ranks &ranks);

} // namespace gridhelm::app
