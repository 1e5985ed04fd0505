// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `bench team` measures: sparse grids on several devices beside the first of them, in turns.
#pragma once

#include "app/bench/measure.h"
#include "app/bench/sparse_cases.h"
#include "core/sparse/team/team_backend.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <vector>

namespace gridhelm::bench {

struct TeamBenchOptions
{
    std::vector<sparse::TeamMember> members; ///< at least two
    ExecutionContext context{CpuDevice{}};   ///< that forbids a fallback
    GridCase gridCase{6, 8};                 ///< of treatment `zero`, float
    std::size_t points = 10000000;           ///< at random places
    std::size_t side = 256; ///< of a cube out of the grid, its other dimensions fixed
    std::size_t rows = 100; ///< of a matrix of float
    std::size_t columns = 1000000;
    MeasureOptions measure;
};

/// {"interpolation", "cartesian", "combination", and without helpers "hierarchization"}: each
/// {"values", "one", "team": rates of values delivered to the CPU's memory (for a combination, of
/// values of the matrix), "team_to_one", "is_same": to the last bit, "largest_difference"}; where
/// the last member is a helper, also "helper": its rate alone, and "team_to_sum": the team's beside
/// the sum of both. Throws gridhelm::Error if there is not the memory.
nlohmann::json benchTeam(const TeamBenchOptions &options);

} // namespace gridhelm::bench
