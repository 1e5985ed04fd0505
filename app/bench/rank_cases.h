// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `bench team` measures of processes that mpirun has started, beside the first of them alone.
#pragma once

#include "app/bench/team_cases.h"
#include "core/execution/ranks.h"

#include <nlohmann/json.hpp>

#include <memory>

namespace gridhelm::bench {

/// {"interpolation": random points, a share for each rank, with all values at the first one;
/// "vector_hierarchization": snapshots, of which each rank has some nodes}: as benchTeam(), with
/// "ranks". Of the options `members` and `side` do not matter; every rank computes on the CPU of
/// the context. "is_same" and "largest_difference" are what the first rank knows. Collective;
/// throws gridhelm::Error on all if one has not the memory.
nlohmann::json benchRanks(const TeamBenchOptions &options, const std::shared_ptr<Ranks> &ranks);

} // namespace gridhelm::bench
