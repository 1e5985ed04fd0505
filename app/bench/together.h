// SPDX-License-Identifier: GPL-3.0-or-later
//
// What several ranks measure together, though each has a clock of its own.
#pragma once

#include "app/bench/measure.h"
#include "core/execution/first_ranks.h"
#include "core/execution/ranks.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace gridhelm::bench {

/// work(ranks) by the first `count` of the ranks, which all of them know afterwards; meanwhile the
/// others sleep. Without ranks (null) just what it returns. If it throws for the only one that does
/// it, all throw gridhelm::Error with its text; for one of several it throws there alone, which
/// nobody may catch: the run has to end, for the others may be waiting. Collective.
Timing together(const std::shared_ptr<Ranks> &ranks, std::size_t count,
                const std::function<Timing(const std::shared_ptr<Ranks> &)> &work);

/// As measure(), of what the slowest of these ranks takes; each repeats it equally often. `work`
/// itself is what all of them do. Null: measure().
Timing measureOf(Ranks *ranks, const std::function<void()> &work, const MeasureOptions &options);

/// The largest of all ranks, the same on all; without ranks (null) it is the number.
double slowestOf(Ranks *ranks, double seconds);

} // namespace gridhelm::bench
