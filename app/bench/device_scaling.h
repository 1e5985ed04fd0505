// SPDX-License-Identifier: GPL-3.0-or-later
//
// What several devices gain for one grid, beside what the model expects
// (core/solvers/scaling_model.h).
#pragma once

#include "app/bench/measure.h"
#include "core/execution/execution_context.h"
#include "core/execution/ranks.h"
#include "core/solvers/precision.h"
#include "core/solvers/scaling_model.h"
#include "core/solvers/solver_backend.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gridhelm::bench {

struct DeviceScalingOptions
{
    std::vector<Device> devices; ///< all of one kind; of ranks the CPU of each, as many as they are
    /// Whose ranks are measured in the devices' place, all of which call; null: this process's
    /// devices.
    std::shared_ptr<Ranks> ranks = nullptr;
    /// Whose solvers compute on them.
    const solvers::SolverBackend *backend = nullptr;
    ExecutionContext context{CpuDevice{}}; ///< without a team
    SecondsLine link;                      ///< of a message between two of the devices
    solvers::Precision precision = solvers::Precision::float32;
    std::vector<std::size_t> squares; ///< unknowns of a side in 2D: Jacobi, red-black SOR, MLSSOR
    std::vector<std::size_t> cubes;   ///< and in 3D, but for MLSSOR
    std::vector<std::size_t> fronts;  ///< nodes of an edge: the parallel marching method
    MeasureOptions measure;
    std::function<void(const std::string &)> progress; ///< what is measured now
    /// Each of the list's cases, as soon as it is measured; may be empty.
    std::function<void(const nlohmann::json &)> found = {};
};

/// "jacobi", "sor" and "pmm" of these (all if empty). A list of
///
///     {"solver", "method", "precision", "dimension", "size": of a side, "scaling": "strong" or
///      "weak" (the last axis grows with the devices), "unit": "iteration" or "sweep",
///      "rows": [{"devices", "unknowns": in each direction, "measured": {"seconds", "spread",
///                "repeats", "speed_up", "efficiency"}, "model": {the first and the last two}}]}
///
/// Rows for 8, 64 and 1,024 devices, unless so many are there, have no "measured": they are the
/// model's word. What does not fit into memory has "skipped", a sentence, in its place. Speed-ups
/// are those over what one device takes by itself (in measured time).
nlohmann::json benchDeviceScaling(const DeviceScalingOptions &options,
                                  const std::vector<std::string> &solvers);

} // namespace gridhelm::bench
