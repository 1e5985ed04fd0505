// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/limits.h"
#include "core/dispatch/candidate.h"
#include "core/execution/execution_context.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::bench {

/// A device that is measured, or several together.
struct MachineUnit
{
    std::string name; ///< "cpu", "gpu:0", "gpu:0 + gpu:1 + cpu"
    std::string hardware;
    ExecutionContext context; ///< that forbids a fallback
    dispatch::Candidate candidate;
    bool isTeam = false; ///< which divides everything but hierarchization
    /// Of devices together the sums; of the CPU's parts, the whole CPU's.
    Limits limits{};
    /// Joules up to now; none where one of the devices does not tell.
    std::function<std::optional<double>()> joules = [] { return std::nullopt; };
    std::string whyNoJoules{};
};

enum class UnitChoice { named, all };

/// Of the context's team each device, and all together; without one, the GPUs of the context, or
/// its CPU if there are none. `all`: the CPU and every GPU, several GPUs together, and all of them
/// with the CPU. Limits are not measured yet.
std::vector<MachineUnit> machineUnits(const ExecutionContext &context, UnitChoice choice);

/// Seconds for each device; less with `mostBytes` (measureMemoryBandwidth()). Called again, the best
/// of both.
void measureLimits(MachineUnit &unit, std::size_t mostBytes = SIZE_MAX);

} // namespace gridhelm::bench
