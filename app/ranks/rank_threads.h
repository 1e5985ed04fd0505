// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/ranks.h"

namespace gridhelm::app {

/// How many threads this rank is to have, so that all ranks of its machine together have as many as
/// there are CPUs that they may use (mpirun may bind each to a core of its own, or all to the same
/// ones). At least 1. Collective.
int threadsBesideOthers(Ranks &ranks);

} // namespace gridhelm::app
