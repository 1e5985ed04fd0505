// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/measure.h"
#include "core/execution/execution_context.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <vector>

namespace gridhelm::bench {

struct PmmBenchOptions
{
    std::vector<std::size_t> nodes{65, 129}; ///< in each direction
    ExecutionContext context{CpuDevice{}};   ///< "all"
    MeasureOptions measure;
};

/// The first sweep from a ball in the middle of the cube (docs/theory/fronts.md): the literal
/// serial reference against the fast stepper, both from the source on. Later sweeps have less to
/// do, of which only the fast one takes advantage, so they would make the ratio better. A list:
///
///     {"nodes", "medium": "isotropic" or "anisotropic", "precision",
///      "reference", "one_thread", "all_threads": nodes per second and sub-sweep, as rate() writes,
///      "one_thread_to_reference", "all_threads_to_one", "gflops_per_second": of one thread,
///      "error_against_reference": relative to the latest arrival}
nlohmann::json benchPmm(const PmmBenchOptions &options);

} // namespace gridhelm::bench
